package search

import (
	"slices"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
)

// maxStates is the largest number of cube states of a level: the centered cube, and either owner
// after each number of doubles.
const maxStates = 2*(MaxPly+1) + 1

// A plan says what a search tells apart besides positions: for each depth of the tree the states
// that the cube can be in, what becomes of them, and what a player there plays for.
//
// It is immutable.
type plan struct {
	game      *cube.Game
	root      cube.State // of the player whose game it is, who may not be the one on roll at the top
	rules     bg.Rules
	efficient cube.Efficiency
	unlimited bool // money without a cap on the cube: values of any cube are proportional
	levels    [MaxPly + 1]planLevel
}

// A planLevel is one depth of a plan, seen by the player on roll there.
type planLevel struct {
	states  []cubeState  // none in a cubeless search
	utility eval.Weights // of the probabilities one level below, if the cube is not turned any more
	key     uint64       // identifies the states, and so everything below, in caches
}

// A cubeState is a cube that a level of the tree may be played with.
type cubeState struct {
	cube.State
	noDouble branch
	double   branch // index -1: the player on roll may not double, or has no use for it
	pass     float64
}

// A branch leads to the state of the next level that has the same value but for a factor: it is
// not 1 where one state stands for all the cubes of a money game with the same owner.
type branch struct {
	index int
	scale float64
}

// A view says who is on roll at the top of a plan.
type view uint8

const (
	waiting  view = iota // the player whose game it is, before he may double and rolls
	after                // his opponent: he has just played
	deciding             // as waiting, with all doubles that are legal, useful or not
)

// A planID says what a plan is for.
type planID struct {
	info cube.Info
	ply  int
	view view
}

// plan returns the plan of a search of the given depth for a game seen by one player, with the
// positions at its top seen by him or, after his play, by his opponent.
func (s *Searcher) plan(info *cube.Info, ply int, v view) *plan {
	id := planID{*info, ply, v}
	if id.info.Table == nil {
		id.info.Table = met.KazarossXG2()
	}
	s.plansMu.Lock()
	defer s.plansMu.Unlock()
	if pl := s.plans[id]; pl != nil {
		return pl
	}
	const enough = 1 << 10 // scores and cubes of a match, at a few plies
	if len(s.plans) >= enough {
		clear(s.plans)
	}
	pl := s.newPlan(&id.info, ply, v)
	s.plans[id] = pl
	return pl
}

// tableKey returns a number for t that no other table of this searcher has.
func (s *Searcher) tableKey(t *met.Table) uint64 {
	i := slices.Index(s.tables, t)
	if i < 0 {
		i = len(s.tables)
		s.tables = append(s.tables, t)
	}
	return uint64(i)
}

func (s *Searcher) newPlan(info *cube.Info, ply int, v view) *plan {
	game := *info
	if game.Rules.NoCube {
		game.Rules.Jacoby = false // gammons count where no cube can make them count
	}
	unlimited := game.Unlimited()
	if unlimited {
		game.Rules.MaxCube = 0
	}
	if game.Score.Money() && game.Rules.MaxCube == 0 {
		// Every cube is played like a cube of 1.
		game.Cube.Value = 1
	}
	pl := &plan{game: cube.New(game), rules: game.Rules, efficient: s.efficiencyOf(info), unlimited: unlimited}
	pl.root = pl.game.State()
	top := pl.root
	if v == after {
		top = top.Flip()
	}
	keys := [2]uint64{s.gameKey(&game, false), s.gameKey(&game, true)}
	if v == after {
		keys[0], keys[1] = keys[1], keys[0]
	}
	// Replies are chosen as if gammons counted: where the Jacoby rule keeps them from it, the cube
	// will be turned before they matter.
	plain := game
	plain.Rules.Jacoby = false
	main := cube.New(plain).State()
	if v == after {
		main = main.Flip()
	}
	for d := range ply + 1 {
		l := &pl.levels[d]
		l.key = keys[d&1]
		l.utility = utilityOf(main.Flip())
		main = main.Flip()
	}
	if s.cubeless {
		return pl
	}
	pl.levels[0].states = []cubeState{{State: top}}
	for d := range ply + 1 {
		l := &pl.levels[d]
		for i := range l.states {
			st := &l.states[i]
			l.key = mix(l.key, uint64(st.Cube().Value)<<2|uint64(st.Cube().Owner))
			st.double.index = -1
			if d == ply {
				continue
			}
			next := &pl.levels[d+1]
			st.noDouble = next.join(st.Flip(), unlimited)
			if st.Live() || d == 0 && v == deciding && st.CanDouble() {
				st.double = next.join(st.Double().Flip(), unlimited)
				st.pass = float64(st.PassValue())
			}
		}
	}
	return pl
}

// join returns the branch to st in l, where it is added if need be.
func (l *planLevel) join(st cube.State, unlimited bool) branch {
	c := st.Cube()
	for i := range l.states {
		other := l.states[i].Cube()
		if other.Owner == c.Owner && (unlimited || other.Value == c.Value) {
			return branch{i, float64(c.Value) / float64(other.Value)}
		}
	}
	l.states = append(l.states, cubeState{State: st})
	return branch{len(l.states) - 1, 1}
}

// utilityOf returns what the results of a game are worth to the player on roll in st.
func utilityOf(st cube.State) eval.Weights {
	at := func(r bg.Result, won bool) float32 { return float32(st.Settle(r, won)) }
	return eval.Weights{
		Win:            at(bg.Single, true) - at(bg.Single, false),
		WinGammon:      at(bg.Gammon, true) - at(bg.Single, true),
		WinBackgammon:  at(bg.Backgammon, true) - at(bg.Gammon, true),
		LoseGammon:     at(bg.Gammon, false) - at(bg.Single, false),
		LoseBackgammon: at(bg.Backgammon, false) - at(bg.Gammon, false),
	}
}

// gameKey returns a hash of all that decides what a cube is worth besides its value and owner, to
// the player whose game it is or to his opponent.
func (s *Searcher) gameKey(info *cube.Info, opponent bool) uint64 {
	score, table := info.Score, info.Table
	if opponent {
		score, table = score.Flip(), table.Flip()
	}
	mine, theirs := score.Away()
	var flags uint64
	for i, set := range []bool{
		info.Score.Money(), score.Crawford, score.PostCrawford(), info.Rules.Jacoby,
		info.Rules.NoCube, info.Rules.NoCrawford, info.Rules.DoubleBackgammon,
	} {
		if set {
			flags |= 1 << i
		}
	}
	key := mix(flags, uint64(info.Rules.MaxCube))
	if !info.Score.Money() {
		key = mix(mix(key, uint64(mine)), uint64(theirs))
		key = mix(key, s.tableKey(table))
	}
	return key
}

// value returns v, of a position at the top of the plan, for the player whose game it is.
func (pl *plan) value(v *value, top view, ply int) Value {
	p := v.probs
	sign := 1.
	if top == after {
		p, sign = p.Flip(), -1
	}
	out := Value{Probs: p, Equity: pl.cubeless(&p), Ply: ply}
	out.Cubeful = out.Equity
	if len(pl.levels[0].states) > 0 {
		out.Cubeful = pl.game.Equity(cube.Value(sign * float64(v.equity[0])))
	}
	return out
}

// cubeless returns the cubeless equity of p for the player whose game it is. For money gammons
// count, Jacoby rule or not.
func (pl *plan) cubeless(p *bg.Probs) bg.Equity {
	info := pl.game.Info()
	if info.Score.Money() {
		eq := p.Equity()
		if info.Rules.DoubleBackgammon {
			eq -= bg.Equity(p.WinBackgammon - p.LoseBackgammon)
		}
		return eq
	}
	var leaf cube.Leaf
	leaf.Set(p, pl.root)
	return pl.game.Equity(leaf.Dead(pl.root))
}
