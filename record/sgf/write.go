package sgf

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"kotra/bg"
	"kotra/record"
)

// Write writes m, one game tree for each game.
func Write(w io.Writer, m *record.Match) error {
	out := bufio.NewWriter(w)
	for i, g := range m.Games {
		var b strings.Builder
		writeRoot(&b, m, g, i == 0)
		writeActions(&b, m, g)
		b.WriteString(")\n")
		if _, err := out.WriteString(b.String()); err != nil {
			return err
		}
	}
	return out.Flush()
}

func property(b *strings.Builder, name, text string) {
	if text != "" {
		fmt.Fprintf(b, "%s[%s]", name, escape(text))
	}
}

func writeRoot(b *strings.Builder, m *record.Match, g *record.Game, first bool) {
	program := m.Program
	if m.Format != "sgf" || program == "" {
		program = "kotra"
	}
	fmt.Fprintf(b, "(;FF[4]GM[6]CA[UTF-8]AP[%s]MI[length:%d][game:%d][ws:%d][bs:%d]", escape(program), m.Length, g.Number-1, g.Score[0], g.Score[1])
	fmt.Fprintf(b, "PW[%s]PB[%s]", escape(m.Players[0]), escape(m.Players[1]))
	if first {
		property(b, "WR", m.Ratings[0])
		property(b, "BR", m.Ratings[1])
		for _, t := range rootTags {
			value := m.Tag(t.Value)
			if t.Name == "DT" {
				value = strings.ReplaceAll(value, ".", "-")
			}
			property(b, t.Name, value)
		}
		property(b, "GC", m.Comment)
	}
	property(b, "RU", strings.Join(rules(m, g), ":"))
	if g.Cube > 1 {
		fmt.Fprintf(b, "CV[%d]", g.Cube)
	}
	if o := g.Outcome; o != nil {
		suffix := ""
		if o.End == record.Resigned {
			suffix = "R"
		}
		fmt.Fprintf(b, "RE[%c+%d%s]", "WB"[o.Winner], o.Points, suffix)
	}
	writeExtra(b, g.Extra)
	property(b, "C", g.Comment)
}

// rules returns the words of RU.
func rules(m *record.Match, g *record.Game) []string {
	var list []string
	add := func(word string, is bool) {
		if is {
			list = append(list, word)
		}
	}
	add("NoCube", m.Rules.NoCube)
	add("Crawford", m.Length > 1 && !m.Rules.NoCrawford)
	add("CrawfordGame", g.Crawford)
	add("Jacoby", m.Money() && m.Rules.Jacoby)
	add("Nackgammon", m.Rules.Variant == bg.Nackgammon)
	add("Hypergammon3", m.Rules.Variant == bg.Hypergammon)
	return list
}

func writeExtra(b *strings.Builder, list []record.Property) {
	for _, p := range list {
		b.WriteString(p.Name)
		for _, v := range p.Values {
			fmt.Fprintf(b, "[%s]", v)
		}
	}
}

func writeActions(b *strings.Builder, m *record.Match, g *record.Game) {
	r := m.Replay(g)
	for i := range r.Moments {
		a := r.Moments[i].Action
		next := &r.Final
		if i+1 < len(r.Moments) {
			next = &r.Moments[i+1].State
		}
		if a.Kind == record.Resign {
			continue // RE tells it
		}
		b.WriteString("\n;")
		writeAction(b, a)
		writeExtra(b, a.Extra)
		writeAnalysis(b, m, a, &r.Moments[i].State)
		property(b, "C", a.Comment)
		if a.Kind == record.Play && a.Result != nil {
			// The result of an illegal play is set up, so that nothing after it is in doubt.
			b.WriteString("\n;")
			writeSetup(b, &record.State{Sides: sidesOf(next), OnRoll: &next.Seat})
		}
	}
}

func sidesOf(s *bg.State) *[2]bg.Side {
	sides := [2]bg.Side{s.Position.OnRoll, s.Position.Opponent}
	if s.Seat == 1 {
		sides[0], sides[1] = sides[1], sides[0]
	}
	return &sides
}

func writeAction(b *strings.Builder, a *record.Action) {
	color := "WB"[a.Player]
	switch a.Kind {
	case record.Play:
		fmt.Fprintf(b, "%c[%d%d%s]", color, a.Dice[0], a.Dice[1], moveText(a.Move, a.Player))
	case record.Unplayed:
		fmt.Fprintf(b, "PL[%c]DI[%d%d]", color, a.Dice[0], a.Dice[1])
	case record.Double, record.Beaver:
		fmt.Fprintf(b, "%c[double]", color)
	case record.Take:
		fmt.Fprintf(b, "%c[take]", color)
	case record.Pass:
		fmt.Fprintf(b, "%c[drop]", color)
	case record.Setup:
		writeSetup(b, a.Setup)
	}
}

func moveText(m bg.Move, player int) string {
	var b strings.Builder
	for _, s := range m.Steps() {
		b.WriteByte(letter(s.From, player))
		b.WriteByte(letter(s.To, player))
	}
	return b.String()
}

func writeSetup(b *strings.Builder, s *record.State) {
	if s.OnRoll != nil {
		fmt.Fprintf(b, "PL[%c]", "WB"[*s.OnRoll])
	}
	if s.Dice.Rolled() {
		fmt.Fprintf(b, "DI[%v]", s.Dice)
	}
	if s.Sides != nil {
		b.WriteString("AE[a:y]")
		for player, name := range []string{"AW", "AB"} {
			list := ""
			for at := uint8(1); at <= bg.Bar; at++ {
				list += strings.Repeat(fmt.Sprintf("[%c]", letter(at, player)), int(s.Sides[player][at]))
			}
			if list != "" {
				b.WriteString(name + list)
			}
		}
	}
	if s.Cube > 0 {
		fmt.Fprintf(b, "CV[%d]", s.Cube)
	}
	if s.Owner != nil {
		fmt.Fprintf(b, "CP[%c]", "cwb"[*s.Owner+1])
	}
}
