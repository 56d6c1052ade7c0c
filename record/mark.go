package record

// A Mark grades an error, as GNU Backgammon does.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Doubtful
	Bad
	VeryBad
)

// Equity losses, in EMG, from which on an error gets its mark: the defaults of GNU Backgammon
// 1.07, as the marks in its files show.
const (
	DoubtfulLoss = 0.03
	BadLoss      = 0.06
	VeryBadLoss  = 0.12
)

// MarkOf returns the mark of an error that loses so much, in EMG.
func MarkOf(loss float64) Mark {
	switch {
	case loss >= VeryBadLoss:
		return VeryBad
	case loss >= BadLoss:
		return Bad
	case loss >= DoubtfulLoss:
		return Doubtful
	}
	return Unmarked
}

// String returns the name of m in lower case.
func (m Mark) String() string { return [...]string{"none", "doubtful", "bad", "very bad"}[m] }

// Luck, in EMG, from which on a roll is lucky or very lucky, and likewise unlucky: the defaults
// of GNU Backgammon.
const (
	LuckyRoll     = 0.3
	VeryLuckyRoll = 0.6
)

// LuckMark grades the luck of a roll in EMG, from -2, very unlucky, to 2, very lucky.
func LuckMark(luck float64) int {
	switch {
	case luck >= VeryLuckyRoll:
		return 2
	case luck >= LuckyRoll:
		return 1
	case luck <= -VeryLuckyRoll:
		return -2
	case luck <= -LuckyRoll:
		return -1
	}
	return 0
}
