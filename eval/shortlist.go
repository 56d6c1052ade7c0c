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

// PrunableRace reports the same of the results of a play from pos, a position of class [Race], where p
// is what the evaluator thinks of pos. An approximation cannot tell the plays of a player who is likely
// to lose a gammon, or may lose a backgammon: single pips save him, while near pos the outputs of the
// network hardly change with anything.
func PrunableRace(p *bg.Probs) bool { return p.LoseGammon < 0.5 && p.LoseBackgammon < 0.01 }

// A Choice is a result of a play and what it costs the player who made it, by an approximation.
type Choice struct {
	Cost  float32
	Index int32 // of the result
}

// EndsContact reports whether a position to which a play from one with contact leads is a race, which is
// another game: approximations near a position with contact know nothing of it.
func EndsContact(result *bg.Position) bool { return !result.Contact() }

// EndsRace reports whether a position to which a play from a race leads is judged by others than the
// network.
func EndsRace(result *bg.Position) bool { return Classify(result) <= Bearoff }

// Shortlist returns, in the memory of dst, the results worth evaluating: first all that are apart, at no
// cost; then the keep others with the least cost, those of equal cost in their order. Cost is called once
// for each result that is not apart; apart may be nil if none is.
func Shortlist(dst []Choice, results []bg.Position, apart func(result *bg.Position) bool, keep int, cost func(i int) float32) []Choice {
	dst = dst[:0]
	if apart != nil {
		for i := range results {
			if apart(&results[i]) {
				dst = append(dst, Choice{0, int32(i)})
			}
		}
	}
	first, next := len(dst), 0 // of the others; the next that is apart
	for i := range results {
		if next < first && int(dst[next].Index) == i {
			next++
			continue
		}
		c := cost(i)
		if len(dst) == first+keep {
			if c >= dst[len(dst)-1].Cost {
				continue
			}
		} else {
			dst = append(dst, Choice{})
		}
		// Insertion: the list is short.
		j := len(dst) - 1
		for ; j > first && dst[j-1].Cost > c; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = Choice{c, int32(i)}
	}
	return dst
}
