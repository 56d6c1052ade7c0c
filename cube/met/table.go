package met

import (
	"fmt"

	"kotra/bg"
)

// An MWC is a match winning chance, from 0 to 1.
type MWC float64

// MaxAway is the largest number of points away that a [Table] covers.
const MaxAway = 64

// A Table holds the chance of winning a match at every score with both players up to [MaxAway]
// points away. It is immutable and may be shared.
//
// A handicap table, made for two players of different strength, is seen by the first of them;
// [Table.Flip] returns the other's view. All other tables look the same from both sides.
type Table struct {
	name, description string
	size              int

	pre         [MaxAway + 1][MaxAway + 1]MWC // by the points both are away, before the Crawford game
	postTrailer [MaxAway + 1]MWC              // we are that far away, the opponent 1
	postLeader  [MaxAway + 1]MWC              // the opponent is that far away, we 1
	flipped     *Table
}

// Name returns the name of t, such as "Kazaross XG2 25 point MET".
func (t *Table) Name() string { return t.name }

// Description tells where t comes from, in a sentence or two; it may be empty.
func (t *Table) Description() string { return t.description }

// Size returns the largest number of points away that t was made for; entries beyond it are
// this package's extension.
func (t *Table) Size() int { return t.size }

// Flip returns t seen by the other player. It is t itself unless t is a handicap table.
func (t *Table) Flip() *Table { return t.flipped }

// PreCrawford returns the chance of the player who needs mine points against one who needs
// theirs, before the Crawford game; if one of them needs 1, the Crawford game is about to be
// played. A player who needs 0 or less has won. Beyond [MaxAway] the difference counts: as many
// points are taken off both needs as bring the larger one down to MaxAway.
func (t *Table) PreCrawford(mine, theirs int) MWC {
	switch {
	case mine <= 0:
		return 1
	case theirs <= 0:
		return 0
	}
	excess := max(mine, theirs, MaxAway) - MaxAway
	return t.pre[max(mine-excess, 1)][max(theirs-excess, 1)]
}

// PostCrawford returns the chance of the player who needs mine points against one who needs
// theirs, after the Crawford game. It panics unless one of them needs at most 1 point.
func (t *Table) PostCrawford(mine, theirs int) MWC {
	switch {
	case mine <= 0:
		return 1
	case theirs <= 0:
		return 0
	case theirs == 1:
		return t.postTrailer[min(mine, MaxAway)]
	case mine == 1:
		return t.postLeader[min(theirs, MaxAway)]
	}
	panic(fmt.Sprintf("met: no post-Crawford game at %d-away %d-away", mine, theirs))
}

// MWC returns the chance that the player on roll wins the match, at the start of a game at
// score s. At a score with 1-away it is the Crawford game if s says so, and a game after it
// otherwise. It panics for a money game.
func (t *Table) MWC(s bg.Score) MWC {
	if s.Money() {
		panic("met: a money game has no match winning chance")
	}
	mine, theirs := s.Away()
	if s.PostCrawford() {
		return t.PostCrawford(mine, theirs)
	}
	return t.PreCrawford(mine, theirs)
}

// Next returns the score of the game after one at score s that was won for the given points by
// the player on roll or by his opponent, and still seen by the former. It sets Crawford if the
// next game is the Crawford game under the given rules.
func Next(s bg.Score, rules bg.Rules, points int, onRollWon bool) bg.Score {
	mine, theirs := s.Away()
	before := mine != 1 && theirs != 1
	if onRollWon {
		s.OnRoll += points
	} else {
		s.Opponent += points
	}
	mine, theirs = s.Away()
	s.Crawford = before && !rules.NoCrawford && (mine == 1 || theirs == 1) && mine > 0 && theirs > 0
	return s
}

// After returns the chance of the player on roll after the present game, at score s, was won
// for the given points by him or by his opponent. It panics for a money game.
func (t *Table) After(s bg.Score, rules bg.Rules, points int, onRollWon bool) MWC {
	return t.MWC(Next(s, rules, points, onRollWon))
}

// link completes a table whose fields are filled: it makes the other player's view, which is
// the table itself if both see the same.
func (t *Table) link() *Table {
	other := &Table{name: t.name, description: t.description, size: t.size}
	symmetric := true
	for i := 1; i <= MaxAway; i++ {
		for j := 1; j <= MaxAway; j++ {
			other.pre[j][i] = 1 - t.pre[i][j]
			symmetric = symmetric && near(other.pre[j][i], t.pre[j][i])
		}
		other.postTrailer[i] = 1 - t.postLeader[i]
		other.postLeader[i] = 1 - t.postTrailer[i]
		symmetric = symmetric && near(other.postTrailer[i], t.postTrailer[i])
	}
	t.flipped = t
	if !symmetric {
		t.flipped, other.flipped = other, t
	}
	return t
}

func near(a, b MWC) bool { return a-b < 1e-9 && b-a < 1e-9 }
