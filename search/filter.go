package search

import (
	"fmt"

	"kotra/bg"
)

// MaxPly is the deepest search.
const MaxPly = 6

// A Cut says which candidates go on after they have been evaluated at Ply plies: the Keep best of
// them, as far as they are within Within of the best. The best always goes on.
type Cut struct {
	Ply    int
	Keep   int
	Within bg.Equity
}

// A Filter holds the cuts on the way to a search of n plies, by n, in the order of their plies.
// The first of them is made at 0 ply; without cuts all candidates are searched in full.
type Filter [MaxPly + 1][]Cut

// Narrow returns the fastest filter.
func Narrow() Filter {
	return Filter{
		1: {{0, 5, 0.12}},
		2: {{0, 6, 0.16}, {1, 3, 0.06}},
		3: {{0, 8, 0.16}, {1, 4, 0.08}, {2, 2, 0.03}},
		4: {{0, 8, 0.16}, {1, 4, 0.08}, {2, 2, 0.03}},
		5: {{0, 8, 0.16}, {1, 4, 0.08}, {2, 2, 0.03}},
		6: {{0, 8, 0.16}, {1, 4, 0.08}, {2, 2, 0.03}},
	}
}

// Normal returns the default filter. Its first cuts are those of GNU Backgammon 1.08's default;
// the cut at 1 ply, which that program does not make, saves most of the time.
func Normal() Filter {
	return Filter{
		1: {{0, 8, 0.16}},
		2: {{0, 12, 0.24}, {1, 5, 0.10}},
		3: {{0, 16, 0.32}, {1, 6, 0.12}, {2, 3, 0.05}},
		4: {{0, 16, 0.32}, {1, 6, 0.12}, {2, 4, 0.06}, {3, 2, 0.03}},
		5: {{0, 16, 0.32}, {1, 6, 0.12}, {2, 4, 0.06}, {3, 2, 0.03}},
		6: {{0, 16, 0.32}, {1, 6, 0.12}, {2, 4, 0.06}, {3, 2, 0.03}},
	}
}

// Wide returns a filter that searches about twice as many candidates as [Normal].
func Wide() Filter {
	return Filter{
		1: {{0, 16, 0.32}},
		2: {{0, 24, 0.48}, {1, 10, 0.20}},
		3: {{0, 24, 0.48}, {1, 12, 0.24}, {2, 6, 0.10}},
		4: {{0, 24, 0.48}, {1, 12, 0.24}, {2, 8, 0.12}, {3, 4, 0.06}},
		5: {{0, 24, 0.48}, {1, 12, 0.24}, {2, 8, 0.12}, {3, 4, 0.06}},
		6: {{0, 24, 0.48}, {1, 12, 0.24}, {2, 8, 0.12}, {3, 4, 0.06}},
	}
}

// All returns the filter that searches every candidate in full.
func All() Filter { return Filter{} }

// ParseFilter returns the filter of that name: narrow, normal, wide or all.
func ParseFilter(name string) (Filter, error) {
	switch name {
	case "narrow":
		return Narrow(), nil
	case "normal":
		return Normal(), nil
	case "wide":
		return Wide(), nil
	case "all":
		return All(), nil
	}
	return Filter{}, fmt.Errorf("unknown filter %q, want narrow, normal, wide or all", name)
}
