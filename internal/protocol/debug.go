package protocol

import (
	"fmt"
	"strings"

	"kotra/bg"
)

// debugText returns what "set debug on" puts before a reply: how the line was understood.
func debugText(b *board, s *bg.State, o *sessionOptions) string {
	var t strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&t, "DBG: "+format+"\n", args...)
	}
	line(`["beavers" : %d, "resignation" : %d, "crawfordrule" : %d, "jacobyrule" : %d]`,
		truth(o.rules.Beavers > 0), o.resignation, truth(!o.rules.NoCrawford), truth(o.rules.Jacoby))
	values := make([]string, 0, fieldCount)
	for _, v := range b.values {
		values = append(values, fmt.Sprint(v))
	}
	line("(%q, %q, %s)", b.names[0], b.names[1], strings.Join(values, ", "))
	line("")
	line("Position ID: %s", s.Position.ID())
	line("")
	x, o2 := b.names[0], b.names[1]
	if sign(b.values[fieldTurn]) != sign(b.values[fieldColor]) {
		x, o2 = o2, x
	}
	if !o.fibsScores && !s.Doubled {
		x, o2 = o2, x
	}
	line("X is %s, O is %s", x, o2)
	switch {
	case s.Score.Money() && s.Rules.Jacoby:
		line("Money Session with Jacoby Rule")
	case s.Score.Money():
		line("Money Session without Jacoby Rule")
	case s.Rules.NoCrawford:
		line("Match Play without Crawford Rule")
	default:
		line("Match Play with Crawford Rule")
	}
	crawford := ""
	if s.Score.Crawford {
		crawford = "*"
	}
	line("Score: %d-%d/%d%s, Roll: %s", s.Score.OnRoll, s.Score.Opponent, s.Score.Length, crawford, s.Dice)
	owner := map[bg.Owner]int{bg.Centered: -1, bg.Opponent: 0, bg.OnRoll: 1}[s.Cube.Owner]
	line("CubeOwner: %d, Cube: %d, Turn: X, Doubled: %d, Resignation: %d", owner, s.Cube.Value, truth(s.Doubled), s.Resigned)
	line("")
	return t.String()
}
