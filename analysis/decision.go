package analysis

import (
	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/movegen"
	"kotra/record"
	"kotra/search"
)

// A Kind says what was to be decided.
type Kind uint8

// The kinds of decisions.
const (
	CheckerPlay Kind = iota
	Doubling         // whether to double before a roll
	Answering        // whether to take, pass or beaver
)

// String returns the name of k in lower case.
func (k Kind) String() string { return [...]string{"checker", "double", "take"}[k] }

// A Decision is a point of a match at which a player had a choice, or a roll without one.
type Decision struct {
	Game, Action int // indexes; a decision not to double stands at the action of the roll
	Kind         Kind
	Player       int // whose decision it was
	// State is seen by the player on roll, who is the one that doubled where the decision is an
	// answer. It has the dice of a checker play.
	State   bg.State
	Record  *record.Action
	Plays   int  // of a checker play: legal plays with different results
	Doubled bool // of a decision about doubling: he did
	// Counted tells that the decision is among the cube decisions that GNU Backgammon counts: all but
	// the turning of beavers. Every checker play is counted.
	Counted bool
	base    bg.State // of a cube decision: before the double, seen by the one who may double

	// What follows is there after an evaluation.

	Evaluated  bool
	Candidates []search.Candidate // of a checker play, the best first; seen by the player
	Played     int                // index of the play, -1 if it is illegal
	Cube       cube.Decision      // of a cube decision, seen by the player on roll
	Value      search.Value       // of the position before a cube decision, seen by the player on roll
	Answer     cube.Action        // the right one, where a double or a beaver was to be answered
	// Trials is how often the decision was rolled out, 0 if it was not. StdErrs are then the
	// standard errors of the first candidates, which are those rolled out, or of not doubling and
	// of a double that is taken.
	Trials  int
	StdErrs []float64
	Best    bg.Equity // of the right choice, seen by Player
	// Loss is what the choice lost, at least 0, in EMG, or in points for a cube of 1, which is the one
	// before its last turn if an answer was to be given; LossMWC the same in match winning chances, or
	// for money in points with the cube.
	Loss    bg.Equity
	LossMWC float64
	// Close tells that a cube decision was close or that the cube was turned: only then it counts
	// for error rates.
	Close bool
	// Luck of the roll, seen by the player, and the same in match winning chances or points.
	Luck    bg.Equity
	LuckMWC float64
	HasLuck bool
}

// Unforced reports whether d was a checker play with a choice.
func (d *Decision) Unforced() bool { return d.Kind == CheckerPlay && d.Plays > 1 }

// beaver reports whether d was to beaver, or to answer a beaver: decisions that no error rate counts.
func (d *Decision) beaver() bool {
	return d.Kind == Answering && (d.Record.Kind == record.Beaver || d.State.Beavers > 0)
}

// Mark returns the mark of the loss.
func (d *Decision) Mark() record.Mark { return record.MarkOf(float64(d.Loss)) }

// Decisions returns the decisions of m, which has been completed, in the order of the actions:
// the decision whether to double before the checker play of the same roll. They are not evaluated.
//
// There is no cube decision before the first roll of a game, nor where the cube is dead or the
// opponent's.
func Decisions(m *record.Match, table *met.Table) []Decision {
	var all []Decision
	for i, g := range m.Games {
		c := collector{game: i, first: true, table: table}
		for j, moment := range m.Replay(g).Moments {
			c.add(j, &moment)
		}
		all = append(all, c.all...)
	}
	return all
}

// A collector finds the decisions of a game.
type collector struct {
	game    int
	first   bool     // nobody has rolled yet
	doubled bool     // a double has just been accepted: the roll that follows has no cube decision
	base    bg.State // before the last double
	table   *met.Table
	all     []Decision
}

func (c *collector) add(index int, moment *record.Moment) {
	a := moment.Action
	d := Decision{Game: c.game, Action: index, Player: a.Player, State: moment.State, Record: a, Counted: true, Played: -1}
	switch a.Kind {
	case record.Play, record.Unplayed:
		if !c.first && !c.doubled && mayDouble(&moment.State, c.table) {
			double := d
			double.Kind, double.base = Doubling, moment.State
			c.all = append(c.all, double)
		}
		c.first, c.doubled = false, false
		if a.Kind == record.Play {
			d.State.Dice = a.Dice
			d.Plays = len(movegen.Plays(nil, &d.State.Position, a.Dice))
			c.all = append(c.all, d)
		}
	case record.Double:
		d.Kind, d.Doubled = Doubling, true
		d.base, c.base = moment.State, moment.State
		c.all = append(c.all, d)
	case record.Take, record.Pass, record.Beaver:
		if !moment.State.Doubled {
			return
		}
		d.Kind, d.base = Answering, c.base
		d.Counted = a.Kind != record.Beaver
		c.doubled = a.Kind == record.Take
		c.all = append(c.all, d)
	case record.Setup:
		if a.Setup.Sides != nil && a.Setup.OnRoll != nil {
			c.first = false
		}
	}
}

// mayDouble reports whether the player on roll has a decision about the cube.
func mayDouble(s *bg.State, table *met.Table) bool {
	return cube.New(cube.InfoOf(s, table)).State().Live()
}
