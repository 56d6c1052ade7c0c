package bg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// String returns m as GNU Backgammon writes it, such as "8/5 6/5" or "bar/20*/14*", and ""
// for a dance.
//
// Steps are sorted by descending points, and steps that meet are joined: a checker's stops
// are left out, save those where it hits. Equal checkers are counted, as in "6/4*(2)"; a hit
// is marked where its point is first written.
func (m Move) String() string {
	chains, hits := m.chains()
	var b strings.Builder
	for i := 0; i < len(chains); {
		n := 1
		for i+n < len(chains) && slices.Equal(chains[i], chains[i+n]) {
			n++
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(placeName(chains[i][0]))
		for _, place := range chains[i][1:] {
			b.WriteByte('/')
			b.WriteString(placeName(place))
			if hits[place] {
				b.WriteByte('*')
				hits[place] = false
			}
		}
		if n > 1 {
			fmt.Fprintf(&b, "(%d)", n)
		}
		i += n
	}
	return b.String()
}

// chains returns the ways of the checkers that m moves, as places written, sorted, and the
// points hit.
func (m *Move) chains() (chains [][]uint8, hits [26]bool) {
	steps := slices.Clone(m.Steps())
	for _, s := range steps {
		hits[s.To] = hits[s.To] || s.Hit
	}
	slices.SortStableFunc(steps, func(a, b Step) int {
		if a.From != b.From {
			return int(b.From) - int(a.From)
		}
		return int(b.To) - int(a.To)
	})
	for len(steps) > 0 {
		chain := []uint8{steps[0].From}
		at := steps[0].To
		steps = steps[1:]
		for {
			i := slices.IndexFunc(steps, func(s Step) bool { return s.From == at })
			if i < 0 {
				break
			}
			if hits[at] {
				chain = append(chain, at)
			}
			at = steps[i].To
			steps = slices.Delete(steps, i, i+1)
		}
		chains = append(chains, append(chain, at))
	}
	return chains, hits
}

// FIBS returns m as FIBS and match files write it: single steps in playing order with 25 for
// the bar and 0 for off, such as "25/20* 20/14".
func (m Move) FIBS() string {
	var b strings.Builder
	for i, s := range m.Steps() {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d/%d", s.From, s.To)
		if s.Hit {
			b.WriteByte('*')
		}
	}
	return b.String()
}

func placeName(place uint8) string {
	switch place {
	case Bar:
		return "bar"
	case Off:
		return "off"
	}
	return strconv.Itoa(int(place))
}

// ParseSteps reads a move as players type it, in the mover's own numbering, and returns its
// parts in the order written. Whether they are legal, and which dice they use, is for package
// movegen to say: a part such as 24/14 may take several dice.
//
// Parts are points joined by slashes, 8/5 or 24/20*/14*, or pairs of points without, 8 5. The
// bar is 25, bar or b; off is 0, off, o, or a lone - after a slash or a blank; in any case. A
// count such as (2) repeats the part before it. Blanks and commas separate parts, and * sets
// Hit. Text that is blank is the move without a step.
//
// It returns a [*SyntaxError] for other text, for more than four steps, and for moving from
// off or to the bar.
func ParseSteps(text string) ([]Step, error) {
	r := stepReader{text: text}
	for {
		r.skip(" \t\r\n,")
		if r.at == len(text) {
			return r.steps, nil
		}
		if err := r.part(); err != nil {
			return nil, err
		}
	}
}

type stepReader struct {
	text  string
	at    int
	steps []Step
}

func (r *stepReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

// part reads points joined by slashes, or a pair of points without, and a count after it.
func (r *stepReader) part() error {
	begin := len(r.steps)
	start := r.at
	from, err := r.place()
	if err != nil {
		return err
	}
	if from == Off {
		return syntaxErrorf(r.text, start, "a checker cannot move from off")
	}
	r.skip("* \t,")
	slash := r.slash()
	for {
		toAt := r.at
		if toAt == len(r.text) {
			return syntaxErrorf(r.text, toAt, "the point to move to is missing")
		}
		to, err := r.place()
		if err != nil {
			return err
		}
		if to == Bar {
			return syntaxErrorf(r.text, toAt, "a checker cannot move to the bar")
		}
		hit := r.at < len(r.text) && r.text[r.at] == '*'
		r.skip("*")
		if err := r.add(toAt, Step{From: from, To: to, Hit: hit}); err != nil {
			return err
		}
		before := r.at
		r.skip(" \t")
		if !r.slash() {
			r.at = before
			break
		}
		if !slash {
			return syntaxErrorf(r.text, before, "points with and without slashes are mixed")
		}
		if to == Off {
			return syntaxErrorf(r.text, before, "a checker cannot move on from off")
		}
		from = to
	}
	return r.repeat(begin)
}

// slash skips one slash with the blanks behind it, and reports whether there was one.
func (r *stepReader) slash() bool {
	if r.at == len(r.text) || r.text[r.at] != '/' {
		return false
	}
	r.at++
	r.skip(" \t")
	return true
}

// repeat reads a count such as (2), and adds the steps from begin on so often in all.
func (r *stepReader) repeat(begin int) error {
	before := r.at
	r.skip(" \t")
	if r.at == len(r.text) || r.text[r.at] != '(' {
		r.at = before
		return nil
	}
	start := r.at
	r.at++
	n, ok := r.number()
	if !ok || n < 1 {
		return syntaxErrorf(r.text, start, "a count in parentheses is a number from 1 to 4")
	}
	if r.at < len(r.text) && r.text[r.at] == ')' {
		r.at++
	}
	part := slices.Clone(r.steps[begin:])
	for range n - 1 {
		for _, s := range part {
			s.Hit = false // the blot was there once
			if err := r.add(start, s); err != nil {
				return err
			}
		}
	}
	r.skip("*")
	return nil
}

func (r *stepReader) add(at int, s Step) error {
	if len(r.steps) == 4 {
		return syntaxErrorf(r.text, at, "a move has at most four steps")
	}
	r.steps = append(r.steps, s)
	return nil
}

// place reads the number or name of a place.
func (r *stepReader) place() (uint8, error) {
	start := r.at
	if n, ok := r.number(); ok {
		if n > Bar {
			return 0, syntaxErrorf(r.text, start, "there is no point %s", r.text[start:r.at])
		}
		if r.at < len(r.text) && r.text[r.at] == '-' {
			return 0, syntaxErrorf(r.text, r.at, "points are joined by a slash, not by a dash, which means off")
		}
		return uint8(n), nil
	}
	for r.at < len(r.text) && isLetter(r.text[r.at]) {
		r.at++
	}
	switch word := strings.ToLower(r.text[start:r.at]); word {
	case "bar", "b":
		return Bar, nil
	case "off", "o":
		return Off, nil
	case "":
		if r.at < len(r.text) && r.text[r.at] == '-' {
			r.at++
			return Off, nil
		}
		return 0, syntaxErrorf(r.text, start, "a point is wanted here, a number, bar or off")
	default:
		return 0, syntaxErrorf(r.text, start, "%q is not a point, want a number, bar or off", word)
	}
}

// number reads decimal digits. Numbers above 99 are read as 99.
func (r *stepReader) number() (n int, ok bool) {
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		n = min(10*n+int(r.text[r.at]-'0'), 99)
		r.at++
		ok = true
	}
	return n, ok
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
