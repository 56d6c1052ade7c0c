package eval

import "kotra/bg"

// Prunable reports whether the network alone judges most results of a play from pos, so that an
// approximation of it may pick those worth evaluating: there is contact, and too many checkers are left
// to end the game.
func Prunable(pos *bg.Position) bool {
	checkers := 0
	for _, n := range pos.OnRoll[1:] {
		checkers += int(n)
	}
	return checkers > 4 && pos.Contact()
}

// A Choice is a result of a play and what it costs the player who made it, by an approximation.
type Choice struct {
	Cost  float32
	Index int32 // of the result
}

// Shortlist returns, in the memory of dst, the results worth evaluating: first all that end the
// contact, at no cost, for a race is another game, of which approximations near a position with
// contact know nothing; then the keep others with the least cost, those of equal cost in their
// order. Cost is called once for each result with contact.
func Shortlist(dst []Choice, results []bg.Position, keep int, cost func(i int) float32) []Choice {
	dst = dst[:0]
	for i := range results {
		if !results[i].Contact() {
			dst = append(dst, Choice{0, int32(i)})
		}
	}
	races := len(dst)
	for i := range results {
		if races > 0 && !results[i].Contact() {
			continue
		}
		c := cost(i)
		if len(dst) == races+keep {
			if c >= dst[len(dst)-1].Cost {
				continue
			}
		} else {
			dst = append(dst, Choice{})
		}
		// Insertion: the list is short.
		j := len(dst) - 1
		for ; j > races && dst[j-1].Cost > c; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = Choice{c, int32(i)}
	}
	return dst
}
