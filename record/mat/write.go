package mat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/record"
)

// ErrSetup is returned by Write for a match with a position, a cube or a turn that was set by
// hand, which the format cannot hold.
var ErrSetup = errors.New("the match has a position set up by hand, which .mat cannot hold")

// headerTags are those that GNU Backgammon writes, in its order.
var headerTags = []string{"Site", "Event", "Round", "EventDate", "Variation", "Transcriber"}

// Write writes m in the layout of GNU Backgammon.
func Write(w io.Writer, m *record.Match) error {
	for _, g := range m.Games {
		for i := range g.Actions {
			if g.Actions[i].Kind == record.Setup {
				return fmt.Errorf("game %d: %w", g.Number, ErrSetup)
			}
		}
	}
	b := bufio.NewWriter(w)
	writeHeader(b, m)
	fmt.Fprintf(b, " %d point match\n\n", m.Length)
	for _, g := range m.Games {
		writeGame(b, m, g)
	}
	return b.Flush()
}

func writeHeader(b *bufio.Writer, m *record.Match) {
	tags := append([]record.Tag{}, known(m)...)
	for _, t := range tags {
		fmt.Fprintf(b, "; [%s \"%s\"]\n", t.Name, t.Value)
	}
	if m.Rules.NoCube && m.Tag("CubeLimit") == "" {
		fmt.Fprintf(b, "; [CubeLimit \"1\"]\n")
	}
	if len(tags) > 0 || m.Rules.NoCube {
		b.WriteByte('\n')
	}
	if m.Comment != "" {
		for _, line := range strings.Split(m.Comment, "\n") {
			fmt.Fprintf(b, "; %s\n", line)
		}
	}
}

// known returns the tags of m, those that GNU Backgammon knows first.
func known(m *record.Match) []record.Tag {
	var first, rest []record.Tag
	for _, name := range headerTags {
		value := m.Tag(name)
		if name == "EventDate" {
			value = strings.ReplaceAll(value, "-", ".")
		}
		if name == "Variation" && value == "" && m.Rules.Variant != bg.Standard {
			value = m.Rules.Variant.String()
			value = strings.ToUpper(value[:1]) + value[1:]
		}
		if value != "" {
			first = append(first, record.Tag{Name: name, Value: value})
		}
	}
next:
	for _, t := range m.Tags {
		for _, name := range headerTags {
			if strings.EqualFold(t.Name, name) {
				continue next
			}
		}
		rest = append(rest, t)
	}
	return append(first, rest...)
}

// Columns of the layout, from 0.
const (
	rightHalf   = 33 // the dice of the right cell
	playerWidth = 31 // the left player's name and score
)

func writeGame(b *bufio.Writer, m *record.Match, g *record.Game) {
	fmt.Fprintf(b, " Game %d\n", g.Number)
	left := fmt.Sprintf("%s : %d", m.Players[0], g.Score[0])
	fmt.Fprintf(b, " %s%s : %d\n", pad(left, playerWidth), m.Players[1], g.Score[1])
	t := table{b: b}
	r := m.Replay(g)
	for i := range r.Moments {
		a := r.Moments[i].Action
		var next *bg.State
		if i+1 < len(r.Moments) {
			next = &r.Moments[i+1].State
		} else {
			next = &r.Final
		}
		if text, ok := cellText(m, a, &r.Moments[i].State, next); ok {
			t.cell(a.Player, text)
		}
	}
	t.outcome(g)
	b.WriteByte('\n')
}

// pad returns text with blanks to fill n characters, and at least one blank.
func pad(text string, n int) string {
	return text + strings.Repeat(" ", max(1, n-len([]rune(text))))
}

// cellText returns what stands in the cell of a, if it has one.
func cellText(m *record.Match, a *record.Action, s, next *bg.State) (string, bool) {
	switch a.Kind {
	case record.Play:
		return fmt.Sprintf("%d%d: %s", a.Dice[0], a.Dice[1], playText(m, a, next)), true
	case record.Unplayed:
		return fmt.Sprintf("%d%d: ????", a.Dice[0], a.Dice[1]), true
	case record.Double:
		return fmt.Sprintf(" Doubles => %d", 2*s.Cube.Value), true
	case record.Beaver:
		value := 2 * s.Cube.Value
		if s.Doubled {
			value *= 2
		}
		return fmt.Sprintf(" Beavers => %d", value), true
	case record.Take:
		return " Takes", s.Beavers == 0 // after a beaver it goes without saying
	case record.Pass:
		return " Drops", true
	}
	return "", false
}

func playText(m *record.Match, a *record.Action, next *bg.State) string {
	if a.Result != nil {
		after := *next
		after.Dice, after.Seat = bg.Dice{}, 1-a.Player
		return "Illegal play (" + notation.Snowie(after, m.Players) + ")"
	}
	var b strings.Builder
	steps := a.Move.Steps()
	hit := [26]bool{}
	for i, s := range steps {
		fmt.Fprintf(&b, "%d/%d", s.From, s.To)
		if s.Hit && !hit[s.To] {
			b.WriteByte('*')
			hit[s.To] = true
		}
		if i < 3 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// A table writes cells into the two halves of numbered lines.
type table struct {
	b    *bufio.Writer
	row  int
	left string // of the line that has been begun, if open
	open bool
}

func (t *table) cell(player int, text string) {
	if player == 0 {
		t.end()
		t.row++
		t.left, t.open = text, true
		return
	}
	if !t.open {
		t.row++
		t.left = ""
	}
	t.line(text)
}

// line writes the line that has been begun, with its right half.
func (t *table) line(right string) {
	head := fmt.Sprintf("%3d) %s", t.row, t.left)
	t.open = false
	if right == "" {
		fmt.Fprintf(t.b, "%-*s\n", rightHalf, head)
		return
	}
	fmt.Fprintf(t.b, "%s%s\n", pad(head, rightHalf), right)
}

// end writes the line that has been begun, if there is one.
func (t *table) end() {
	if t.open {
		t.line("")
	}
}

func (t *table) outcome(g *record.Game) {
	o := g.Outcome
	if o == nil {
		t.end()
		return
	}
	text := fmt.Sprintf("Wins %d points", o.Points)
	if o.Points == 1 {
		text = "Wins 1 point"
	}
	switch {
	case o.Winner == 1 && t.open && o.End == record.Passed:
		t.line(" " + text + " ")
	case o.Winner == 1:
		t.end()
		fmt.Fprintf(t.b, "%s%s\n", strings.Repeat(" ", rightHalf+1), text)
	default:
		t.end()
		fmt.Fprintf(t.b, "      %s\n", text)
	}
}
