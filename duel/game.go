package duel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kotra/bg"
	"kotra/cube/met"
	"kotra/movegen"
	"kotra/record"
)

// maxTurns ends a game that two players never finish.
const maxTurns = 10000

// A table is where one worker plays its games. Side 0 is A and side 1 is B.
type table struct {
	cfg     *Config
	players [2]Player
	names   [2]string
	judge   valuer
	plays   []movegen.Play
	scratch []bg.Position

	// The game that is played.
	swap int // the seat of side A
	luck [2]float64
	sum  *tally
	game record.Game
}

// tally is what games add up to, seen by side A.
type tally struct {
	games, matches int
	wins           int     // of games
	matchWins      int     // of matches
	points         float64 // what A won, less what it lost, in units of Config.payoff
	luck           float64 // how much of that the dice gave
	gammons        [2]int
	backgammons    [2]int
	illegal        [2]int
	moves          [2]int
	thinking       [2]time.Duration
	firstViolation string
	records        []*record.Match // of a pair, if they are wanted
}

func (t *tally) add(u *tally) {
	t.games += u.games
	t.matches += u.matches
	t.wins += u.wins
	t.matchWins += u.matchWins
	t.points += u.points
	t.luck += u.luck
	for i := range 2 {
		t.gammons[i] += u.gammons[i]
		t.backgammons[i] += u.backgammons[i]
		t.illegal[i] += u.illegal[i]
		t.moves[i] += u.moves[i]
		t.thinking[i] += u.thinking[i]
	}
	if t.firstViolation == "" {
		t.firstViolation = u.firstViolation
	}
}

// pair plays both games, or both matches, of a pair.
func (t *table) pair(ctx context.Context, index int) (tally, error) {
	var sum tally
	t.sum = &sum
	for t.swap = range 2 {
		play := t.money
		if t.cfg.Length > 0 {
			play = t.match
		}
		if err := play(ctx, index); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// money plays one game for points.
func (t *table) money(ctx context.Context, pair int) error {
	s := bg.NewGame(t.cfg.Rules)
	s.Seat = 0
	end, err := t.playGame(ctx, newDice(t.cfg.Seed, pair, 0), &s)
	if err != nil {
		return err
	}
	t.keep(t.newRecord(), end)
	if end.side(t.swap) == 0 {
		t.sum.points += float64(end.points)
	} else {
		t.sum.points -= float64(end.points)
	}
	return nil
}

// match plays one match.
func (t *table) match(ctx context.Context, pair int) error {
	score := bg.Score{Length: t.cfg.Length} // seen by seat 0
	score.Crawford = t.cfg.Length == 1 && !t.cfg.Rules.NoCrawford
	m := t.newRecord()
	for game := 0; ; game++ {
		s := bg.NewGame(t.cfg.Rules)
		s.Seat, s.Score = 0, score
		end, err := t.playGame(ctx, newDice(t.cfg.Seed, pair, game), &s)
		if err != nil {
			return err
		}
		t.keep(m, end)
		score = met.Next(score, t.cfg.Rules, end.points, end.winner == 0)
		if mine, theirs := score.Away(); mine <= 0 || theirs <= 0 {
			t.sum.matches++
			if end.side(t.swap) == 0 {
				t.sum.points++
				t.sum.matchWins++
			} else {
				t.sum.points--
			}
			return nil
		}
	}
}

// newRecord returns what the games to come are kept in, nil if they are not wanted.
func (t *table) newRecord() *record.Match {
	if t.cfg.Record == nil {
		return nil
	}
	m := &record.Match{Players: t.names, Length: t.cfg.Length, Rules: t.cfg.Rules}
	t.sum.records = append(t.sum.records, m)
	return m
}

// keep adds the game just played to m, if that is not nil.
func (t *table) keep(m *record.Match, e ending) {
	if m == nil {
		return
	}
	g := t.game
	g.Number, g.Score = len(m.Games)+1, m.Score()
	g.Outcome = &record.Outcome{Winner: e.side(t.swap), Points: e.points, Kind: e.result, End: e.how}
	m.Games = append(m.Games, &g)
}

// note keeps what the player in seat has done.
func (t *table) note(seat int, a record.Action) {
	if t.cfg.Record != nil {
		a.Player = seat ^ t.swap
		t.game.Actions = append(t.game.Actions, a)
	}
}

// An ending is how a game ended.
type ending struct {
	winner int // seat
	result bg.Result
	points int
	how    record.End
}

// side returns the side that won.
func (e *ending) side(swap int) int { return e.winner ^ swap }

// playGame plays the game that s begins and adds it to the tally, its points excepted.
func (t *table) playGame(ctx context.Context, d *dice, s *bg.State) (ending, error) {
	first, equal := d.opening()
	s.Dice = first
	for range min(equal, t.cfg.automaticDoubles()) {
		if s.Cube.Value < t.cfg.maxCube() {
			s.Cube.Value *= 2
		}
	}
	if starts := truth(s.Dice[1] > s.Dice[0]); starts != s.Seat {
		pass(s)
	}
	t.luck = [2]float64{}
	t.game = record.Game{Crawford: s.Score.Crawford, Cube: s.Cube.Value}
	for turn := range maxTurns {
		if err := ctx.Err(); err != nil {
			return ending{}, err
		}
		if turn > 0 {
			if over, err := t.double(ctx, s); err != nil || over.points > 0 {
				return t.finish(over), err
			}
			s.Dice = d.roll()
		}
		if t.judge.Evaluator != nil {
			y := t.cfg.payoff(s)
			t.luck[s.Seat] += t.judge.luck(&s.Position, s.Dice, turn == 0, &y, &t.scratch)
		}
		next, err := t.move(ctx, s)
		if err != nil {
			return ending{}, err
		}
		if r, won := next.Result(); r != bg.Unfinished {
			if won {
				panic("duel: a move lost its own game")
			}
			r = t.cfg.worth(r, s)
			return t.finish(ending{s.Seat, r, int(r) * s.Cube.Value, record.BorneOff}), nil
		}
		s.Position = next.Flip()
		s.Dice = bg.Dice{}
		pass(s)
	}
	return ending{}, fmt.Errorf("no winner after %d turns", maxTurns)
}

// pass gives the turn to the other player.
func pass(s *bg.State) {
	s.Position = s.Position.Flip()
	s.Seat = 1 - s.Seat
	s.Cube.Owner = s.Cube.Owner.Flip()
	s.Score = s.Score.Flip()
}

// finish adds the end of a game to the tally.
func (t *table) finish(e ending) ending {
	if e.points == 0 {
		return e // not an end
	}
	side := e.side(t.swap)
	t.sum.games++
	t.sum.wins += truth(side == 0)
	t.sum.luck += t.luck[t.swap] - t.luck[1-t.swap]
	if e.result >= bg.Gammon {
		t.sum.gammons[side]++
	}
	if e.result == bg.Backgammon {
		t.sum.backgammons[side]++
	}
	return e
}

// move has the player on roll play the roll of s and returns the position for its opponent.
func (t *table) move(ctx context.Context, s *bg.State) (bg.Position, error) {
	side := s.Seat ^ t.swap
	t.plays = movegen.Plays(t.plays[:0], &s.Position, s.Dice)
	start := time.Now()
	m, err := t.players[side].Move(ctx, s, t.plays)
	t.sum.thinking[side] += time.Since(start)
	t.sum.moves[side]++
	if err == nil {
		result := s.Position.After(m)
		for i := range t.plays {
			if t.plays[i].Result == result {
				t.note(s.Seat, record.Action{Kind: record.Play, Dice: s.Dice, Move: t.plays[i].Move})
				return result, nil
			}
		}
		err = illegal("%s for %s", m.String(), s.Dice)
	}
	t.note(s.Seat, record.Action{Kind: record.Play, Dice: s.Dice, Move: t.plays[0].Move})
	return t.plays[0].Result, t.violation(side, err)
}

// double offers the player on roll the cube. If the game ends by a pass it returns how.
func (t *table) double(ctx context.Context, s *bg.State) (ending, error) {
	if !t.mayDouble(s) {
		return ending{}, nil
	}
	side := s.Seat ^ t.swap
	offered, err := t.players[side].Double(ctx, s)
	if err := t.violation(side, err); err != nil || !offered {
		return ending{}, err
	}
	t.note(s.Seat, record.Action{Kind: record.Double, Cube: 2 * s.Cube.Value})
	s.Doubled = true
	defer func() { s.Doubled, s.Beavers = false, 0 }()
	for {
		decider := s.Decider()
		answer, err := t.players[decider^t.swap].Answer(ctx, s)
		if err := t.violation(decider^t.swap, err); err != nil {
			return ending{}, err
		}
		if answer == Beaver && s.Beavers >= t.cfg.beavers() {
			if err := t.violation(decider^t.swap, illegal("a beaver")); err != nil {
				return ending{}, err
			}
			answer = Take
		}
		if answer == Pass {
			t.note(decider, record.Action{Kind: record.Pass})
			return ending{1 - decider, bg.Single, s.Cube.Value, record.Passed}, nil
		}
		s.Cube = bg.Cube{Value: 2 * s.Cube.Value, Owner: bg.Opponent}
		if answer == Take {
			t.note(decider, record.Action{Kind: record.Take})
			return ending{}, nil
		}
		t.note(decider, record.Action{Kind: record.Beaver, Cube: 2 * s.Cube.Value})
		s.Beavers++
	}
}

// mayDouble reports whether the rules let the player on roll double.
func (t *table) mayDouble(s *bg.State) bool {
	if s.Rules.NoCube || s.Score.Crawford || s.Cube.Owner == bg.Opponent {
		return false
	}
	if mine, _ := s.Score.Away(); !s.Score.Money() && s.Cube.Value >= mine {
		return false // legal, but of no use
	}
	return s.Cube.Value < t.cfg.maxCube()
}

// violation counts an error that stands for an illegal reply of side and returns any other.
func (t *table) violation(side int, err error) error {
	if !errors.Is(err, ErrIllegal) {
		return err
	}
	t.sum.illegal[side]++
	if t.sum.firstViolation == "" {
		t.sum.firstViolation = err.Error()
	}
	return nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
