package kotra

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"kotra/bg"
	"kotra/cube"
	"kotra/cube/met"
	"kotra/eval"
	"kotra/eval/bearoff"
	"kotra/eval/hyper"
	"kotra/movegen"
	"kotra/search"
	"kotra/weights"
)

// Options are the settings of an [Engine]. The zero value plays at 0 ply with the embedded
// weights.
type Options struct {
	// Weights is the name of a weights file or of embedded weights; empty means the default ones.
	Weights string
	// Evaluator, if not nil, judges positions instead of the weights and the bearoff table.
	Evaluator eval.Evaluator
	// Ply is how deep checker plays and evaluations look ahead, CubePly cube actions.
	Ply, CubePly int
	// Threads is the number of goroutines of one call; 0 means one for each processor.
	Threads int
	// Filter says which candidates are searched deeper; nil means [search.Normal].
	Filter *search.Filter
	// CacheSize is the memory of the evaluation cache of one call in bytes, see [search.Options]; 0 means a
	// default.
	CacheSize int
	// Cubeless makes the engine play and evaluate as if there were no cube.
	Cubeless bool
	// TwoSided gives the exact money equities of bearoffs. If it is nil, a table is opened when it
	// is needed for the first time, in the folder CacheDir, or built and left there, which takes
	// some seconds; see [bearoff.Folder]. Matches use it without the cube.
	TwoSided *bearoff.TwoSided
	// Hyper solves Hypergammon. If it is nil, the file of the table in CacheDir is opened when it is
	// needed for the first time; if there is none, the weights judge Hypergammon as well as they can.
	Hyper *hyper.Table
	// CacheDir is the folder of tables made at first use; empty means the folder kotra in that of
	// the user's caches.
	CacheDir string
	// MET is the match equity table; nil means Kazaross-XG2.
	MET *met.Table
}

// An Engine answers questions about positions. It may be used by several goroutines at once; its
// answers depend neither on that nor on the number of threads.
type Engine struct {
	options   Options
	evaluator eval.Evaluator
	settings  search.Options
	searcher  *search.Searcher

	folder   *bearoff.Folder
	hyper    func() *hyper.Table
	mu       sync.Mutex
	solved   *search.Searcher                       // that knows the table of Hypergammon
	bearoffs map[*bearoff.TwoSided]*search.Searcher // those that know a table
}

// A Candidate is a play with its value for the player who makes it.
type Candidate = search.Candidate

// An Evaluation is what the engine thinks of a position, seen by the player whose decision it is.
type Evaluation struct {
	Class   eval.Class
	Ply     int
	Probs   bg.Probs
	Equity  bg.Equity // cubeless; EMG at a match score
	Cubeful bg.Equity // EMG at a match score
	MWC     *float64  // the match winning chance that Cubeful stands for; nil for money
}

var (
	// ErrNotRolled is returned where a roll is needed and the state has none.
	ErrNotRolled = errors.New("the dice have not been rolled")
	// ErrRolled is returned by CubeAction when the dice have been rolled already.
	ErrRolled = errors.New("the dice have been rolled, it is too late for the cube")
	// ErrOver is returned when the game is over.
	ErrOver = errors.New("the game is over")
)

// New returns an engine. It is an error if the weights cannot be read or a ply is out of range.
func New(o Options) (*Engine, error) {
	for _, ply := range []int{o.Ply, o.CubePly} {
		if ply < 0 || ply > search.MaxPly {
			return nil, fmt.Errorf("ply %d is not in the range from 0 to %d", ply, search.MaxPly)
		}
	}
	if o.MET == nil {
		o.MET = met.KazarossXG2()
	}
	e := &Engine{
		options: o, evaluator: o.Evaluator,
		folder: bearoff.NewFolder(o.CacheDir), bearoffs: map[*bearoff.TwoSided]*search.Searcher{},
	}
	e.hyper = sync.OnceValue(e.openHyper)
	settings := search.Options{
		Filter: o.Filter, Threads: o.Threads, CacheSize: o.CacheSize, Cubeless: o.Cubeless,
		TwoSided: o.TwoSided,
	}
	if e.evaluator == nil {
		go bearoff.Default() // unpacks the table meanwhile
		nets, lead, err := weights.Networks(o.Weights)
		if err != nil {
			return nil, err
		}
		e.evaluator = eval.New(eval.NewMean(nets...), eval.WithBearoff(bearoff.Default()))
		settings.Pruner = eval.NewLinear(lead)
	}
	e.settings = settings
	e.searcher = search.New(e.evaluator, settings)
	return e, nil
}

// Options returns the settings of e, defaults filled in.
func (e *Engine) Options() Options { return e.options }

// Evaluator returns what judges positions for e at 0 ply; see [Engine.EvaluatorFor].
func (e *Engine) Evaluator() eval.Evaluator { return e.evaluator }

// Searcher returns what looks ahead for e wherever no table is of use; see [Engine.SearcherFor].
func (e *Engine) Searcher() *search.Searcher { return e.searcher }

// Pruner returns what picks replies for e, nil if e does not evaluate by weights.
func (e *Engine) Pruner() *eval.Linear { return e.settings.Pruner }

// SearcherFor returns what looks ahead for e in s, with the tables that can be of use there: in races
// and bearoffs a one-sided and the smallest two-sided one, which are opened, or built, when they are
// needed for the first time; elsewhere nobody waits for them. All methods of e use it; so should programs that go through
// a game position by position. The error is that of ctx.
func (e *Engine) SearcherFor(ctx context.Context, s *bg.State) (*search.Searcher, error) {
	if s.Rules.Variant == bg.Hypergammon {
		return e.hyperSearcher(), nil
	}
	if eval.Classify(&s.Position) > eval.Race {
		return e.searcher, nil
	}
	evaluator, err := e.EvaluatorFor(ctx, s)
	if err != nil {
		return nil, err
	}
	table := e.options.TwoSided
	if table == nil {
		if table, err = e.folder.TwoSided(ctx, &s.Position); err != nil {
			return nil, err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	searcher := e.bearoffs[table]
	if searcher == nil {
		settings := e.settings
		settings.TwoSided = table
		searcher = search.New(evaluator, settings)
		e.bearoffs[table] = searcher
	}
	return searcher, nil
}

// openHyper returns the table of Hypergammon, or nil if there is none.
func (e *Engine) openHyper() *hyper.Table {
	if e.options.Hyper != nil || e.options.Evaluator != nil || e.folder.Dir() == "" {
		return e.options.Hyper
	}
	table, err := hyper.Open(filepath.Join(e.folder.Dir(), hyper.FileName))
	if err != nil {
		return nil // a table that is damaged is as good as none
	}
	return table
}

// hyperSearcher returns what looks ahead in Hypergammon.
func (e *Engine) hyperSearcher() *search.Searcher {
	table := e.hyper()
	if table == nil {
		return e.searcher
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.solved == nil {
		settings := e.settings
		settings.Hyper = table
		e.solved = search.New(e.evaluator, settings)
	}
	return e.solved
}

// EvaluatorFor returns what judges positions for e at 0 ply in s and from there on: with the table of
// Hypergammon, if there is one, and in races with a one-sided table, which is opened, or built, when it
// is needed for the first time. The error is that of ctx.
func (e *Engine) EvaluatorFor(ctx context.Context, s *bg.State) (eval.Evaluator, error) {
	switch {
	case s.Rules.Variant == bg.Hypergammon:
		if table := e.hyper(); table != nil {
			return hyper.Evaluator{Table: table, Other: e.evaluator}, nil
		}
	case e.options.Evaluator == nil && eval.Classify(&s.Position) <= eval.Race:
		table, err := e.folder.Races(ctx)
		if err != nil {
			return nil, err
		}
		return bearoff.RaceEvaluator{Table: table, Other: e.evaluator}, nil
	}
	return e.evaluator, nil
}

// Info returns what the game of s is played for, seen by the player on roll.
func (e *Engine) Info(s *bg.State) cube.Info {
	info := cube.InfoOf(s, e.options.MET)
	if e.options.Cubeless {
		info.Rules.NoCube = true
	}
	return info
}

// Evaluate returns what s is worth before the roll, for the player whose decision it is. Dice
// are ignored, and so is an offered double: the cube is the one on the table. When ctx is done it
// returns the evaluation at 0 ply with the context's error.
func (e *Engine) Evaluate(ctx context.Context, s bg.State) (Evaluation, error) {
	if err := s.Position.Validate(); err != nil {
		return Evaluation{}, err
	}
	searcher, err := e.SearcherFor(ctx, &s)
	if err != nil {
		return Evaluation{}, err
	}
	v, err := searcher.Evaluate(ctx, &s.Position, e.Info(&s), e.options.Ply)
	out := e.evaluation(&s, &v)
	if s.Doubled {
		out.Probs, out.Equity, out.Cubeful = v.Probs.Flip(), -v.Equity, -v.Cubeful
		if out.MWC != nil {
			*out.MWC = 1 - *out.MWC
		}
	}
	return out, err
}

// evaluation returns v with all that is known of s, seen by the player on roll.
func (e *Engine) evaluation(s *bg.State, v *search.Value) Evaluation {
	out := Evaluation{
		Class: eval.Classify(&s.Position), Ply: v.Ply,
		Probs: v.Probs, Equity: v.Equity, Cubeful: v.Cubeful,
	}
	if !s.Score.Money() {
		game := cube.New(e.Info(s))
		mwc := float64(game.MWC(game.Value(out.Cubeful)))
		out.MWC = &mwc
	}
	return out
}

// CubeAction returns the cube decision of s: whether the player on roll should double, or, if he
// has offered a double, what his opponent should answer; see [cube.Decision.Answer]. All numbers
// are seen by the player on roll. It is an error if the dice have been rolled or the game is
// over. When ctx is done it returns the decision at 0 ply with the context's error.
func (e *Engine) CubeAction(ctx context.Context, s bg.State) (cube.Decision, error) {
	d, _, err := e.cubeAction(ctx, &s)
	return d, err
}

// EvaluateCube is CubeAction with the evaluation that it rests on, seen by the player on roll.
func (e *Engine) EvaluateCube(ctx context.Context, s bg.State) (cube.Decision, Evaluation, error) {
	d, v, err := e.cubeAction(ctx, &s)
	if err != nil && ctx.Err() == nil {
		return d, Evaluation{}, err
	}
	return d, e.evaluation(&s, &v), err
}

func (e *Engine) cubeAction(ctx context.Context, s *bg.State) (cube.Decision, search.Value, error) {
	if err := checkUnfinished(s); err != nil {
		return cube.Decision{}, search.Value{}, err
	}
	if s.Dice.Rolled() {
		return cube.Decision{}, search.Value{}, ErrRolled
	}
	searcher, err := e.SearcherFor(ctx, s)
	if err != nil {
		return cube.Decision{}, search.Value{}, err
	}
	return searcher.Cube(ctx, &s.Position, e.Info(s), e.options.CubePly)
}

// RankMoves returns all plays of the roll of s, the best first. It is an error if the dice have
// not been rolled or the game is over. When ctx is done it returns what is ranked so far with
// the context's error.
func (e *Engine) RankMoves(ctx context.Context, s bg.State) ([]Candidate, error) {
	if err := checkPlay(&s); err != nil {
		return nil, err
	}
	searcher, err := e.SearcherFor(ctx, &s)
	if err != nil {
		return nil, err
	}
	return searcher.Rank(ctx, &s.Position, s.Dice, e.Info(&s), e.options.Ply)
}

// BestMove returns the first of [Engine.RankMoves] in less time.
func (e *Engine) BestMove(ctx context.Context, s bg.State) (movegen.Play, error) {
	if err := checkPlay(&s); err != nil {
		return movegen.Play{}, err
	}
	searcher, err := e.SearcherFor(ctx, &s)
	if err != nil {
		return movegen.Play{}, err
	}
	return searcher.Best(ctx, &s.Position, s.Dice, e.Info(&s), e.options.Ply)
}

func checkPlay(s *bg.State) error {
	if !s.Dice.Rolled() {
		return ErrNotRolled
	}
	return checkUnfinished(s)
}

func checkUnfinished(s *bg.State) error {
	if err := s.Position.Validate(); err != nil {
		return err
	}
	if r, _ := s.Position.Result(); r != bg.Unfinished {
		return ErrOver
	}
	return nil
}
