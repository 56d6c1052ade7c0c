package protocol

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"kotra/bg"
	"kotra/internal/bgtest"
	"kotra/movegen"
)

// A fakeEngine plays weakly and by the rules.
type fakeEngine struct{ evaluator bgtest.Pips }

func (f fakeEngine) equity(pos bg.Position) float64 {
	p := f.evaluator.Evaluate(&pos)
	return float64(p.Equity())
}

func (f fakeEngine) BestMove(_ context.Context, s bg.State) (bg.Move, error) {
	plays := movegen.Plays(nil, &s.Position, s.Dice)
	best, least := 0, f.equity(plays[0].Result)
	for i := range plays {
		if eq := f.equity(plays[i].Result); eq < least {
			best, least = i, eq
		}
	}
	return plays[best].Move, nil
}

func (f fakeEngine) Doubles(_ context.Context, s bg.State) (bool, error) {
	eq := f.equity(s.Position)
	return eq > 0.5 && eq < 1, nil
}

func (f fakeEngine) Answer(_ context.Context, s bg.State) (Answer, error) {
	eq := f.equity(s.Position)
	if s.Decider() != s.Seat {
		eq = -eq
	}
	switch {
	case eq > 0 && s.Score.Money() && s.Rules.Beavers > s.Beavers:
		return Beaver, nil
	case eq > -0.5:
		return Take, nil
	}
	return Pass, nil
}

func (f fakeEngine) Accepts(_ context.Context, s bg.State) (bool, error) {
	return -f.equity(s.Position) < float64(s.Resigned), nil
}

// Resigns gives a lost bearoff up.
func (f fakeEngine) Resigns(_ context.Context, s bg.State) (bg.Result, error) {
	if s.Position.Opponent[bg.Off] == 14 && s.Position.OnRoll[bg.Off] > 0 && s.Position.OnRoll[bg.Off] <= 10 {
		return bg.Single, nil
	}
	return bg.Unfinished, nil
}

func (f fakeEngine) Evaluate(_ context.Context, s bg.State, _ int, _ bool) (bg.Probs, float64, error) {
	p := f.evaluator.Evaluate(&s.Position)
	return p, float64(p.Equity()), nil
}

func newExternal() *External {
	return &External{
		Engine:   fakeEngine{},
		Identity: Identity{Name: "kotra", Author: "kotra developers", Version: "test"},
		Rules:    bg.Rules{Jacoby: true, Beavers: 3},
		MaxPly:   4,
	}
}

// readVectors calls use with every line of a file of JSON objects in testdata.
func readVectors[T any](t *testing.T, name string, use func(T)) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		r, err = gzip.NewReader(f)
		require.NoError(t, err)
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var v T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		use(v)
	}
	require.NoError(t, lines.Err())
}
