package duel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"kotra/bg"
	"kotra/record"
)

// A Config says how a duel is played. The zero value plays no game; set Pairs.
type Config struct {
	Pairs int    // pairs of games
	Seed  uint64 // of the dice
	// Threads is how many games are played at a time, unless a side asks for more; 0 stands for
	// the number of cores.
	Threads int
	// Luck judges the rolls; nil leaves the result unadjusted.
	Luck Evaluator
	// Rules of the games. Without NoCube the players may double.
	Rules bg.Rules
	// Length, if not 0, makes each game of a pair a match to so many points. Winning it is worth
	// +1 and losing it -1.
	Length int
	// Enough, if not nil, is asked after each pair, in their order, whether to stop there.
	Enough func(Result) bool
	// Record, if not nil, is given the games of each pair in the order of the pairs, from the
	// goroutine that called Run: two matches, or two games for points. Player 0 is A.
	Record func(pair int, games []*record.Match) error
	// Progress, if not nil, is called after every finished pair, from one goroutine at a time,
	// with what is known so far.
	Progress func(Result)
}

// worth returns what a game that ends as r in the state s is worth, for a cube of 1.
func (c *Config) worth(r bg.Result, s *bg.State) bg.Result {
	if c.Rules.Jacoby && s.Score.Money() && s.Cube.Owner == bg.Centered {
		return bg.Single
	}
	if c.Rules.DoubleBackgammon && r == bg.Backgammon {
		return bg.Gammon
	}
	return r
}

// maxCube returns the highest value of the cube, which keeps points in the range of an int.
func (c *Config) maxCube() int {
	if c.Rules.MaxCube > 0 {
		return c.Rules.MaxCube
	}
	return 1 << 20
}

// automaticDoubles returns how many equal opening rolls double the cube.
func (c *Config) automaticDoubles() int {
	if c.Length > 0 || c.Rules.NoCube {
		return 0
	}
	return c.Rules.AutomaticDoubles
}

// beavers returns how often a double may be turned on at once.
func (c *Config) beavers() int {
	switch {
	case c.Length > 0:
		return 0
	case c.Rules.Beavers >= 3:
		return 10
	}
	return c.Rules.Beavers
}

// A Result is what a duel says about its sides, seen by A. Rates are in points per game; in
// matches they are per match, for +1 and -1.
type Result struct {
	Games   int `json:"games"`
	Pairs   int `json:"pairs"`
	Matches int `json:"matches,omitempty"`
	// PPG is what A wins per game with the luck of the dice taken off, StdErr its standard
	// error over pairs.
	PPG    float64 `json:"ppg"`
	StdErr float64 `json:"stderr"`
	// RawPPG is what A won per game at the table.
	RawPPG    float64 `json:"ppg_raw"`
	RawStdErr float64 `json:"stderr_raw"`
	WinRate   float64 `json:"win_rate"` // of A, the share of games, or of matches, that it won
	// Gammons won by A and B, backgammons included.
	Gammons     [2]int `json:"gammons"`
	Backgammons [2]int `json:"backgammons"`
	// Illegal counts replies against the rules; FirstIllegal describes one.
	Illegal      [2]int     `json:"illegal"`
	FirstIllegal string     `json:"first_illegal,omitempty"`
	MSPerMove    [2]float64 `json:"ms_per_move"`
}

// Run plays cfg.Pairs pairs of games between a and b.
//
// When ctx is canceled or a player fails, Run returns the result of the pairs before the
// first that could not be finished, together with the error.
func Run(ctx context.Context, cfg Config, a, b Side) (Result, error) {
	workers := cfg.Threads
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(max(workers, a.Workers, b.Workers), cfg.Pairs)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type outcome struct {
		pair int
		tally
	}
	outcomes := make(chan outcome)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			t, err := newTable(ctx, &cfg, a, b)
			if err != nil {
				cancel(err)
				return
			}
			defer t.close()
			for {
				i := int(next.Add(1)) - 1
				if i >= cfg.Pairs {
					return
				}
				sum, err := t.pair(ctx, i)
				if err != nil {
					cancel(fmt.Errorf("pair %d: %w", i, err))
					return
				}
				outcomes <- outcome{i, sum}
			}
		})
	}
	go func() {
		wg.Wait()
		close(outcomes)
	}()

	var sums summary
	var failed error
	waiting := make(map[int]tally) // finished before an earlier pair
	for o := range outcomes {
		waiting[o.pair] = o.tally
		for {
			u, ok := waiting[sums.pairs]
			if !ok {
				break
			}
			delete(waiting, sums.pairs)
			if sums.enough {
				continue
			}
			sums.add(&u)
			if cfg.Record != nil {
				if err := cfg.Record(sums.pairs-1, u.records); err != nil {
					cancel(err)
					sums.enough, failed = true, err
				}
			}
			if cfg.Enough != nil && cfg.Enough(sums.result()) {
				sums.enough = true
				cancel(errEnough)
			}
			if cfg.Progress != nil {
				cfg.Progress(sums.result())
			}
		}
	}
	if sums.pairs < cfg.Pairs && !sums.enough {
		failed = context.Cause(ctx)
	}
	return sums.result(), failed
}

// errEnough stops the games that are no longer needed.
var errEnough = errors.New("duel: enough")

// newTable seats a player of each side.
func newTable(ctx context.Context, cfg *Config, a, b Side) (*table, error) {
	t := &table{cfg: cfg, judge: valuer{cfg.Luck}, names: [2]string{a.Name, b.Name}}
	for i, side := range []Side{a, b} {
		p, err := side.New(ctx)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("starting %s: %w", side.Name, err)
		}
		t.players[i] = p
	}
	return t, nil
}

// close dismisses the players. What they say on leaving does not matter to a finished duel.
func (t *table) close() {
	for _, p := range t.players {
		if p != nil {
			_ = p.Close()
		}
	}
}

// A summary adds up pairs, in their order.
type summary struct {
	tally
	pairs         int
	raw, adjusted moments
	enough        bool // no more pairs are added
}

func (s *summary) add(u *tally) {
	s.tally.add(u)
	s.pairs++
	s.raw.add(u.points / 2)
	s.adjusted.add((u.points - u.luck) / 2)
}

func (s *summary) result() Result {
	r := Result{
		Games:        s.games,
		Pairs:        s.pairs,
		Gammons:      s.gammons,
		Backgammons:  s.backgammons,
		Illegal:      s.illegal,
		FirstIllegal: s.firstViolation,
	}
	r.RawPPG, r.RawStdErr = s.raw.mean, s.raw.stdErr()
	r.PPG, r.StdErr = s.adjusted.mean, s.adjusted.stdErr()
	r.Matches = s.matches
	if s.matches > 0 {
		r.WinRate = float64(s.matchWins) / float64(s.matches)
	} else if s.games > 0 {
		r.WinRate = float64(s.wins) / float64(s.games)
	}
	for i := range 2 {
		if s.moves[i] > 0 {
			r.MSPerMove[i] = float64(s.thinking[i]) / float64(time.Millisecond) / float64(s.moves[i])
		}
	}
	return r
}

// moments keeps a running mean and sum of squared deviations, by Welford's method
// (Technometrics 4, 1962).
type moments struct {
	n           int
	mean, sumSq float64
}

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.sumSq += d * (x - m.mean)
}

// stdErr returns the standard error of the mean, 0 for fewer than two observations.
func (m *moments) stdErr() float64 {
	if m.n < 2 {
		return 0
	}
	n := float64(m.n)
	return math.Sqrt(m.sumSq / (n - 1) / n)
}
