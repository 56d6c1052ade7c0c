package protocol

import (
	"fmt"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
)

// debugText returns what "set debug on" puts before a reply: how the line was understood.
func debugText(b *notation.FIBS, s *bg.State, o *sessionOptions) string {
	var t strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&t, "DBG: "+format+"\n", args...)
	}
	line(`["beavers" : %d, "resignation" : %d, "crawfordrule" : %d, "jacobyrule" : %d]`,
		truth(o.rules.Beavers > 0), o.resignation, truth(!o.rules.NoCrawford), truth(o.rules.Jacoby))
	fields := boardFields(b)
	line("(%q, %q, %s)", fields[0], fields[1], strings.Join(fields[2:], ", "))
	line("")
	line("Position ID: %s", s.Position.ID())
	line("")
	names := b.Players(o.layout)
	line("X is %s, O is %s", names[s.Seat], names[1-s.Seat])
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
