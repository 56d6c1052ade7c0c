package bearoff

import (
	"runtime"
	"time"

	"kotra/bg"
)

// An Estimate says what it takes to build a table.
type Estimate struct {
	Positions int           // of one side, the one without a checker included
	FileSize  int64         // bytes; a rough number for a one-sided table
	Memory    int64         // bytes while it is built; a rough number
	Time      time.Duration // a rough number, for the given threads each on its own core
}

// What building took on an AMD EPYC 9004 that was busy otherwise too.
const (
	timePerPlay  = 7 * time.Nanosecond   // choosing among the plays of a pair of positions, for each
	timePerPoint = 450 * time.Nanosecond // a position of a one-sided table, for each of its points
	tailsKept    = 16                    // of a position of a large one-sided table
	bytesKept    = 350                   // for each such position while it is built
)

// EstimateOneSided says what [BuildOneSided] takes. It returns an error where that does.
func EstimateOneSided(points, checkers, threads int) (Estimate, error) {
	if err := checkSize(points, checkers); err != nil {
		return Estimate{}, err
	}
	n := int64(choose(points+checkers, points))
	return Estimate{
		Positions: int(n),
		FileSize:  onesidedHeader + n*(4+tailSize*tailsKept),
		Memory:    n * bytesKept,
		Time:      time.Duration(n*int64(points)) * timePerPoint / time.Duration(cores(threads)),
	}, nil
}

// EstimateTwoSided says what [BuildTwoSided] or [BuildTwoSidedFile] takes. It returns an error
// where those do. It looks at some hundred positions, which takes a few milliseconds.
func EstimateTwoSided(points, checkers, threads int) (Estimate, error) {
	if err := checkTwoSidedSize(points, checkers); err != nil {
		return Estimate{}, err
	}
	x := newIndexer(points, checkers)
	plays := meanPlays(&x)
	pairs := int64(x.size) * int64(x.size)
	perPair := time.Duration(plays * float64(timePerPlay))
	return Estimate{
		Positions: x.size,
		FileSize:  twosidedHeader + cellSize*pairs,
		Memory:    cellSize*pairs + int64(plays*float64(2*x.size)),
		Time:      time.Duration(pairs) * perPair / time.Duration(cores(threads)),
	}, nil
}

// meanPlays returns the number of plays of all 21 rolls, the mean over positions spread evenly.
func meanPlays(x *indexer) float64 {
	f := newFinder(x)
	var plays []uint16
	stride := max(1, x.size/512)
	n := 0
	for i := 0; i < x.size; i += stride {
		for _, roll := range bg.Rolls() {
			plays = f.plays(plays, uint16(i), roll.Dice)
		}
		n++
	}
	return float64(len(plays)) / float64(n)
}

func cores(threads int) int {
	if threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}
