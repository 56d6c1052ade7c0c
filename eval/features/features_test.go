package features_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg"
	"kotra/eval/features"
	"kotra/movegen"
)

// at returns a side with checkers on the given points, and the rest borne off.
func at(checkers map[int]uint8) (s bg.Side) {
	left := uint8(15)
	for point, n := range checkers {
		s[point] = n
		left -= n
	}
	s[bg.Off] = left
	return s
}

func TestBuckets(t *testing.T) {
	healthy := map[int]uint8{13: 5, 8: 5, 6: 5}
	crunched := map[int]uint8{1: 5, 2: 5, 3: 2, 13: 3}
	for _, c := range []struct {
		name         string
		mine, theirs map[int]uint8
		want, coarse int
	}{
		{"race", map[int]uint8{6: 15}, map[int]uint8{6: 15}, features.RaceBucket, features.CoarseRace},
		{"crashed", crunched, healthy, features.CrashedBucket, features.CoarseCrashed},
		{"opponent crashed", healthy, crunched, features.OpponentCrashedBucket, features.CoarseCrashed},
		{"both crashed", crunched, crunched, features.BothCrashedBucket, features.CoarseCrashed},
		{"nobody back", healthy, healthy, features.ContactBucket, features.CoarseContact},
		{"one back", map[int]uint8{24: 1, 8: 7, 6: 7}, healthy, features.ContactBucket + 4, features.CoarseContact},
		{"two on the bar", healthy, map[int]uint8{25: 2, 8: 7, 6: 6}, features.ContactBucket + 2, features.CoarseContact},
		{"backgame", map[int]uint8{24: 2, 22: 3, 8: 5, 6: 5}, healthy, features.ContactBucket + 12, features.CoarseBack},
		{"both far back", map[int]uint8{19: 3, 8: 7, 6: 5}, map[int]uint8{20: 4, 8: 5, 6: 6}, features.ContactBucket + 15, features.CoarseBack},
	} {
		pos := bg.Position{OnRoll: at(c.mine), Opponent: at(c.theirs)}
		assert.Equal(t, c.want, features.Bucket(&pos), c.name)
		assert.Equal(t, c.want, features.BucketOf(&pos, features.Buckets), c.name)
		assert.Equal(t, c.coarse, features.BucketOf(&pos, features.CoarseBuckets), c.name)
	}
}

func TestTheBucketOfTheOtherSideIsTheMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pos := bg.Start()
	seen := map[int]bool{}
	for range 3000 {
		dice := bg.Dice{uint8(1 + rng.IntN(6)), uint8(1 + rng.IntN(6))}
		results := movegen.Results(nil, &pos, dice)
		pos = results[rng.IntN(len(results))]
		if pos.OnRoll.Rearmost() == bg.Off || pos.Opponent.Rearmost() == bg.Off {
			pos = bg.Start()
		}
		b := features.Bucket(&pos)
		other := pos.Flip()
		want := b
		switch {
		case b == features.CrashedBucket:
			want = features.OpponentCrashedBucket
		case b == features.OpponentCrashedBucket:
			want = features.CrashedBucket
		case b >= features.ContactBucket:
			back := b - features.ContactBucket
			want = features.ContactBucket + back%4*4 + back/4
		}
		assert.Equal(t, want, features.Bucket(&other))
		seen[b] = true
	}
	assert.Len(t, seen, features.Buckets, "random play reaches all buckets")
}
