package cli

import (
	"context"
	"os"

	"kotra/nn"
	"kotra/train"
)

// benchSelfplay measures training by TD: games and learning of a small network, after it has
// learned enough to play games of ordinary length.
func benchSelfplay(ctx context.Context, b *bench) error {
	dir, err := os.MkdirTemp("", "kotra-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	const warmUp, turn = 4000, 1000
	options := train.TDOptions{
		Dir: dir, Shape: nn.Shape{Width: 128, Buckets: 4}, Seed: 1, Threads: b.o.threads, Games: warmUp,
	}
	if _, err := train.TD(ctx, options); err != nil {
		return err
	}
	var failed error
	err = b.rate(ctx, "selfplay", "games/s", func() int {
		options.Games += turn
		if _, err := train.TD(ctx, options); err != nil {
			failed = err
		}
		return turn
	})
	if failed != nil {
		return failed
	}
	return err
}
