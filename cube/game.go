package cube

import (
	"kotra/bg"
	"kotra/cube/met"
)

// A Value is what a position is worth to the player on roll: points in a money game, and twice
// the match winning chance minus 1 in a match. So the opponent's value is the negative, values
// of positions with different cubes can be averaged and compared, and all of this package
// works the same for both. [Game.Equity] and [Game.MWC] turn it into what users know.
type Value float64

// Info is all that decides what a game is worth besides the position, seen by the player on
// roll.
type Info struct {
	Cube  bg.Cube
	Score bg.Score
	Rules bg.Rules
	// Table is the match equity table; nil is Kazaross-XG2. A handicap table is seen by the
	// player on roll too.
	Table *met.Table
}

// enough is how many doubles a game never sees: a cap on the cube that leaves so many is none.
const enough = 9

// Unlimited reports whether the cube of i has no limit that could matter: there is a cube and no
// highest value, or one that is at least nine doubles away, as in an XGID that does not care, and
// it is a money game.
func (i *Info) Unlimited() bool {
	most := i.Rules.MaxCube
	return i.Score.Money() && !i.Rules.NoCube && (most == 0 || most >= i.Cube.Value<<enough)
}

// InfoOf returns the Info of a state, seen by its player on roll, with a match equity table
// seen by player 0, or nil for the default.
func InfoOf(s *bg.State, table *met.Table) Info {
	if table == nil {
		table = met.KazarossXG2()
	}
	if s.Seat == 1 {
		table = table.Flip()
	}
	return Info{Cube: s.Cube, Score: s.Score, Rules: s.Rules, Table: table}
}

// maxLevels is how many values of the cube a Game knows, from the present one on: 11 doubles in
// one game are more than enough, and any match of up to [met.MaxAway] points is decided.
const maxLevels = 12

// A Game is an Info made ready for quick use: the payoffs of the game for every cube it can
// still see. It is immutable and may be shared. Cube values count in levels, how often the
// cube has been doubled from its present value.
type Game struct {
	info      Info
	top       int  // the lowest level from which no double is of use to either player
	unlimited bool // money without a cap: every level is a copy of the one below at twice the stake
	// By player, 0 the one the Info was made for, and level.
	pay [2][maxLevels]payoffs
	// live tells that a double from that level is legal and can be of use to the player.
	live [2][maxLevels]bool
	// free tells that a double from that level costs the player nothing, however he loses, and
	// can win him more.
	free  [2][maxLevels]bool
	legal [maxLevels]bool // a double from that level is legal, for the one who has the cube
}

// payoffs are the values of a game's results: single, gammon, backgammon.
type payoffs struct{ win, lose [3]float64 }

// New makes an Info ready for use. It panics if the cube is less than 1.
func New(info Info) *Game {
	if info.Cube.Value < 1 {
		panic("cube: a cube less than 1")
	}
	if info.Table == nil {
		info.Table = met.KazarossXG2()
	}
	g := &Game{info: info, unlimited: info.Unlimited()}
	if g.unlimited {
		g.info.Rules.MaxCube = 0
	}
	for level := range maxLevels {
		g.pay[0][level] = g.payoffs(info.Cube.Value << level)
		for i := range 3 {
			g.pay[1][level].win[i] = -g.pay[0][level].lose[i]
			g.pay[1][level].lose[i] = -g.pay[0][level].win[i]
		}
		g.legal[level] = g.legalAt(level)
	}
	mine, theirs := info.Score.Away()
	for level := range maxLevels {
		value := info.Cube.Value << level
		g.live[0][level] = g.legal[level] && (info.Score.Money() || value < mine)
		g.live[1][level] = g.legal[level] && (info.Score.Money() || value < theirs)
	}
	for player := range 2 {
		for level := range maxLevels - 1 {
			now, then := &g.pay[player][level], &g.pay[player][level+1]
			g.free[player][level] = g.live[player][level] && now.lose == then.lose
		}
	}
	for g.top < maxLevels-1 && (g.live[0][g.top] || g.live[1][g.top]) {
		g.top++
	}
	return g
}

func (g *Game) payoffs(value int) (p payoffs) {
	if g.info.Score.Money() {
		for i := range 3 {
			factor := i + 1
			if factor == 3 && g.info.Rules.DoubleBackgammon {
				factor = 2
			}
			p.win[i], p.lose[i] = float64(factor*value), -float64(factor*value)
		}
		return p
	}
	o := g.info.Table.Outcomes(g.info.Score, value, g.info.Rules)
	for i := range 3 {
		p.win[i], p.lose[i] = 2*float64(o.Win[i])-1, 2*float64(o.Lose[i])-1
	}
	return p
}

func (g *Game) legalAt(level int) bool {
	r := &g.info.Rules
	switch {
	case r.NoCube, g.info.Score.Crawford, level == maxLevels-1:
		return false
	case r.MaxCube > 0:
		return g.info.Cube.Value<<(level+1) <= r.MaxCube
	}
	return true
}

// Info returns what g was made from, without a cap on the cube that does not matter.
func (g *Game) Info() Info { return g.info }

// Money reports whether g is a money game; then values are points.
func (g *Game) Money() bool { return g.info.Score.Money() }

// Equity returns a value to the player the Info was made for as an equity for a cube of 1 at
// money play, and as EMG for the present cube in a match.
func (g *Game) Equity(v Value) bg.Equity {
	pay := &g.pay[0][0]
	stake := pay.win[0] - pay.lose[0]
	if stake == 0 {
		return 0
	}
	return bg.Equity((2*float64(v) - pay.win[0] - pay.lose[0]) / stake)
}

// Value is the inverse of [Game.Equity].
func (g *Game) Value(eq bg.Equity) Value {
	pay := &g.pay[0][0]
	return Value((pay.win[0]+pay.lose[0])/2 + float64(eq)*(pay.win[0]-pay.lose[0])/2)
}

// MWC returns a value to the player the Info was made for as match winning chance. It is
// meaningless for a money game.
func (g *Game) MWC(v Value) met.MWC { return met.MWC(v+1) / 2 }

// GammonPrices returns what gammons and backgammons are worth with the cube as it is: 1/2 each
// for money, or nothing while the Jacoby rule makes them count single.
func (g *Game) GammonPrices() met.GammonPrices {
	if g.Money() {
		if g.State().gammonsOff() {
			return met.GammonPrices{}
		}
		p := met.GammonPrices{WinGammon: .5, WinBackgammon: .5, LoseGammon: .5, LoseBackgammon: .5}
		if g.info.Rules.DoubleBackgammon {
			p.WinBackgammon, p.LoseBackgammon = 0, 0
		}
		return p
	}
	o := g.info.Table.Outcomes(g.info.Score, g.info.Cube.Value, g.info.Rules)
	return o.GammonPrices()
}

// State returns the state of the cube that the Info tells of.
func (g *Game) State() State { return State{game: g, owner: g.info.Cube.Owner} }

// A State is the cube at some point of a [Game], seen by the player on roll there: how high it
// is and who may turn it. States are small and comparable.
type State struct {
	game   *Game
	level  uint8
	player uint8 // on roll: 0 the one the Info was made for
	owner  bg.Owner
}

// Cube returns the cube of s, seen by the player on roll.
func (s State) Cube() bg.Cube {
	return bg.Cube{Value: s.game.info.Cube.Value << s.level, Owner: s.owner}
}

// Flip returns s seen by the other player, as after a move.
func (s State) Flip() State {
	s.player ^= 1
	s.owner = s.owner.Flip()
	return s
}

// CanDouble reports whether the player on roll may double, useful or not.
func (s State) CanDouble() bool {
	return s.owner != bg.Opponent && s.game.legal[s.level]
}

// Live reports whether the player on roll may double and has any use for it. A match player
// whose cube already is enough to win the match has none: his cube is dead.
func (s State) Live() bool {
	return s.owner != bg.Opponent && s.game.live[s.player][s.level]
}

// MaxStates is one more than the largest [State.Index].
const MaxStates = 3 * maxLevels

// Index returns a small number that tells apart the states of one game with the same player on
// roll, so that values can be kept in an array.
func (s State) Index() int { return 3*int(s.level) + int(s.owner) }

// Double returns the state after the player on roll has doubled and his opponent has taken. The
// player on roll stays on roll. It panics if he may not double.
func (s State) Double() State {
	if !s.CanDouble() {
		panic("cube: double by a player who may not")
	}
	s.level++
	s.owner = bg.Opponent
	return s
}

// PassValue returns the value to the player on roll if his opponent passes a double.
func (s State) PassValue() Value { return Value(s.pay().win[0]) }

// Settle returns the value to the player on roll of a finished game.
func (s State) Settle(r bg.Result, onRollWon bool) Value {
	if s.gammonsOff() {
		r = bg.Single
	}
	if onRollWon {
		return Value(s.pay().win[r-1])
	}
	return Value(s.pay().lose[r-1])
}

// Equity returns a value to the player on roll in s as [Game.Equity] does, for the cube that
// the Info tells of and not the one of s.
func (s State) Equity(v Value) bg.Equity {
	if s.player == 1 {
		return -s.game.Equity(-v)
	}
	return s.game.Equity(v)
}

func (s State) pay() *payoffs { return &s.game.pay[s.player][s.level] }

// gammonsOff reports whether the Jacoby rule makes every result a single game.
func (s State) gammonsOff() bool {
	return s.owner == bg.Centered && s.game.info.Rules.Jacoby && s.game.Money()
}
