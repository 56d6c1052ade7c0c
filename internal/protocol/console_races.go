package protocol

import (
	"math"

	"kotra/bg"
)

// shownPosition returns the position to tell about, and says so if there is none.
func (s *consoleSession) shownPosition() (*bg.Position, bool) {
	if s.game.state.Status == bg.NotStarted {
		s.println("No position specified and no game in progress.")
		return nil, false
	}
	return &s.game.state.Position, true
}

// showKleinman writes the Kleinman count of the position, by which the player on roll wins a race
// with the probability that a normal variable is at most sqrt(2) K.
func (s *consoleSession) showKleinman(string) {
	pos, ok := s.shownPosition()
	if !ok {
		return
	}
	mine, theirs := pos.OnRoll.Pips(), pos.Opponent.Pips()
	sum, diff := mine+theirs, theirs-mine
	k := float64(diff+4) / (2 * math.Sqrt(math.Max(float64(sum-4), 1)))
	s.printf("Leader Pip Count : %d\nTrailer Pip Count: %d\n\nsum              : %d\ndiff             : %d\n\n", mine, theirs, sum, diff)
	s.printf("K = (diff+4)/(2 sqrt(sum-4)) = %8.4g\nCubeless Winning Chance: %.4f\n\n", k, (1+math.Erf(k))/2)
}

// showThorp writes the Thorp counts: pips, 2 for each checker, 1 for each on the ace point, less 1
// for each point held in the home board; a tenth more for a player on roll above 30. See Edward
// Thorp, "Backgammon: The Cost of Coffeehousing", as told in Robert-Jan Veldhuizen's and Tom Keith's
// articles at https://bkgm.com/articles/CubeHandlingInRaces/.
func (s *consoleSession) showThorp(string) {
	pos, ok := s.shownPosition()
	if !ok {
		return
	}
	mine, theirs := thorpCount(&pos.OnRoll), thorpCount(&pos.Opponent)
	leader, trailer := float64(mine), float64(theirs)
	if mine > 30 {
		leader *= 1.1
	}
	s.printf("Thorp Count Leader            : %d\nThorp Count Leader(+1/10)    L: %.1f\nThorp Count Trailer          T: %d\n\n", mine, leader, theirs)
	switch {
	case leader > trailer+2:
		s.println("No Double, Take (since L > T + 2)")
	case leader > trailer+1:
		s.println("Double, Take (since L <= T + 2)")
	case leader > trailer-2:
		s.println("Redouble, Take (since L <= T + 1 )")
	default:
		s.println("Double, Drop (since L <= T - 2)")
	}
}

func thorpCount(side *bg.Side) int {
	n := side.Pips() + 2*(side.Checkers()-int(side[bg.Off])) + int(side[1])
	for point := 1; point <= 6; point++ {
		if side[point] > 0 {
			n--
		}
	}
	return n
}

// showKeith writes the Keith counts: pips, 2 for each checker beyond one on the ace point, 1 for
// each beyond one on the 2 point and beyond three on the 3 point, and 1 for each gap on the 4, 5
// and 6 points; a seventh more for the player on roll. See Tom Keith, "Cube Handling in Noncontact
// Positions", 2004, https://bkgm.com/articles/CubeHandlingInRaces/.
func (s *consoleSession) showKeith(string) {
	pos, ok := s.shownPosition()
	if !ok {
		return
	}
	mine, theirs := keithCount(&pos.OnRoll), keithCount(&pos.Opponent)
	leader, trailer := float64(mine)*8/7, float64(theirs)
	s.printf("Keith Count Leader            : %d\nKeith Count Leader(+1/7)     L: %.1f\nKeith Count Trailer          T: %d\n\n", mine, leader, theirs)
	switch {
	case leader > trailer+4:
		s.println("No Double, Take (since L > T + 4)")
	case leader > trailer+3:
		s.println("Double, Take (since L <= T + 4)")
	case leader > trailer+2:
		s.println("Redouble, Take (since L <= T+3)")
	default:
		s.println("Double, Drop (since L <= T+2)")
	}
}

func keithCount(side *bg.Side) int {
	beyond := func(point, n int) int { return max(int(side[point])-n, 0) }
	n := side.Pips() + 2*beyond(1, 1) + beyond(2, 1) + beyond(3, 3)
	for point := 4; point <= 6; point++ {
		if side[point] == 0 {
			n++
		}
	}
	return n
}

// showIsight writes the Isight counts: pips, 1 for each checker more than the opponent has, 2 for
// each beyond two on the ace point, 1 for each beyond two on the 2 point and beyond three on the 3
// point, 1 for each gap on the 4, 5 and 6 points where the opponent has none, and 1 for each
// crossover that is still to be made beyond the opponent's. See Axel Reichert, "Improved Cube
// Handling in Races: Insights with Isight", 2014.
func (s *consoleSession) showIsight(string) {
	pos, ok := s.shownPosition()
	if !ok {
		return
	}
	leader, trailer := isightCount(&pos.OnRoll, &pos.Opponent), isightCount(&pos.Opponent, &pos.OnRoll)
	chance := 80 - float64(leader)/3 + 2*float64(trailer-leader)
	s.printf("Isight Count Leader          L: %d\nIsight Count Trailer         T: %d\n\nEstimated GWC: %.1f%% (80 - L/3 + 2*(L-T))\n\n", leader, trailer, chance)
	switch {
	case chance < 68:
		s.println("No Double, Take (est. GWC < 68%)")
	case chance < 70:
		s.println("Double, Take (since 68% <= est. GWC <= 70%)")
	case chance <= 76:
		s.println("Redouble, Take (since 70% <= est. GWC <= 76%)")
	default:
		s.println("Double, Drop (since est. GWC > 76%)")
	}
}

func isightCount(side, other *bg.Side) int {
	beyond := func(point, n int) int { return max(int(side[point])-n, 0) }
	n := side.Pips() + max(int(other[bg.Off])-int(side[bg.Off]), 0) + 2*beyond(1, 2) + beyond(2, 2) + beyond(3, 3)
	for point := 4; point <= 6; point++ {
		if side[point] == 0 && other[point] > 0 {
			n++
		}
	}
	return n + max(crossovers(side)-crossovers(other), 0)
}

// crossovers returns how many quarters of the board the checkers of side have to leave on their
// way home.
func crossovers(side *bg.Side) int {
	n := 0
	for point := 1; point <= bg.Bar; point++ {
		n += int(side[point]) * ((point - 1) / 6)
	}
	return n
}

// show8912 writes what the rule of 8, 9 and 12 says: double with a lead of 8 percent of the own
// pips, redouble with 9, and pass beyond 12.
func (s *consoleSession) show8912(string) {
	pos, ok := s.shownPosition()
	if !ok {
		return
	}
	mine, theirs := pos.OnRoll.Pips(), pos.Opponent.Pips()
	ahead := 100 * float64(theirs-mine) / float64(max(mine, 1))
	s.printf("Leader Pip Count : %d\nTrailer Pip Count: %d\n\nLeader is %.1f percent ahead\n", mine, theirs, ahead)
	switch {
	case ahead < 8:
		s.println("NoDouble (8 percent > ahead)")
	case ahead < 9:
		s.println("Double, Take (9 percent > ahead > 8 percent)")
	case ahead <= 12:
		s.println("Redouble, Take (12 percent > ahead > 9 percent)")
	default:
		s.println("Double, Drop (ahead > 12 percent)")
	}
	s.printf("\n")
}
