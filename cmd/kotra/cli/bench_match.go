package cli

import (
	"bytes"
	"context"
	_ "embed"
	"errors"

	"kotra/analysis"
	"kotra/internal/protocol"
	"kotra/record"
	"kotra/record/mat"
)

// benchMatchText is a 7-point match of 172 plays in three games that GNU Backgammon 1.07.001 played
// against itself, once with its usual strength and once much weakened: m7a of record/mat/testdata.
//
//go:embed bench_match.mat
var benchMatchText []byte

// benchMatchPly is how deep the match is analyzed, on both sides.
const benchMatchPly = 2

// benchMatch analyzes a whole match, on one thread with an empty cache, and lets an installed GNU
// Backgammon do the same.
func benchMatch(ctx context.Context, b *bench) error {
	matches, err := mat.Read(bytes.NewReader(benchMatchText))
	if err != nil {
		return err
	}
	m := matches[0]
	ply := benchMatchPly
	if b.env.evaluator != nil { // not ours: nothing to compare with others
		ply, m = 0, firstActions(m, 10)
	}
	o := b.o.engineOptions
	o.ply = ply
	engine, err := o.newEngine(b.env, 1)
	if err != nil {
		return err
	}
	analyzer := analysis.Analyzer{
		SearcherFor: engine.SearcherFor, MET: engine.Options().MET, Ply: ply, CubePly: ply, Threads: b.o.threads,
	}
	clock := b.startClock()
	if _, err := analyzer.Match(ctx, m); err != nil {
		return err
	}
	b.add("match/2ply", clock.Elapsed().Seconds(), "s", clock.CPU())
	if b.o.threads != 1 || b.env.evaluator != nil {
		return nil
	}
	theirs, err := protocol.GNUBGAnalysisTime(ctx, benchMatchText, benchMatchPly)
	if errors.Is(err, protocol.ErrNoGNUBG) {
		return nil
	}
	if err != nil {
		return err
	}
	b.add("match/2ply-gnubg", theirs.Seconds(), "s", true)
	return nil
}

// firstActions returns the match that consists of the first n actions of the first game of m.
func firstActions(m *record.Match, n int) *record.Match {
	short, game := *m, *m.Games[0]
	game.Actions, game.Outcome = game.Actions[:n], nil
	short.Games = []*record.Game{&game}
	return &short
}
