package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"kotra/bg"
	"kotra/movegen"
)

// Moves lists the legal moves of a position for one or more rolls.
type Moves struct {
	Position Position `json:"position"`
	Rolls    []Roll   `json:"rolls"`
	Total    *int     `json:"total,omitempty"` // sum of the counts, if there are several rolls
}

// A Roll is the list of legal moves of one roll, one for each distinct result.
type Roll struct {
	Dice  [2]int `json:"dice"`
	Count int    `json:"count"` // 0 if no move is legal
	Dance bool   `json:"dance"` // no move is legal, the turn passes
	Moves []Play `json:"moves,omitzero"`
}

// A Play is a legal move and the ID of its result, the opponent on roll.
type Play struct {
	Move       string `json:"move"`
	PositionID string `json:"position_id"`
}

// NewMoves lists the moves of s for each of the given rolls; only their numbers if countOnly.
func NewMoves(s *bg.State, rolls []bg.Dice, countOnly bool) *Moves {
	m := &Moves{Position: NewPosition(s)}
	total := 0
	var plays []movegen.Play
	for _, dice := range rolls {
		plays = movegen.Plays(plays[:0], &s.Position, dice)
		r := Roll{Dice: *diceOf(dice), Count: len(plays)}
		if len(plays) == 1 && plays[0].Move.Len() == 0 {
			r.Count, r.Dance = 0, true
		}
		if !countOnly {
			r.Moves = make([]Play, 0, r.Count)
			for i := range plays[:r.Count] {
				r.Moves = append(r.Moves, Play{plays[i].Move.String(), plays[i].Result.ID()})
			}
		}
		total += r.Count
		m.Rolls = append(m.Rolls, r)
	}
	if len(rolls) > 1 {
		m.Total = &total
	}
	return m
}

// WriteText writes the moves with the Position IDs of their results.
func (m *Moves) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range m.Rolls {
		fmt.Fprintf(t, "%d%d: %s\n", r.Dice[0], r.Dice[1], r.count())
		for _, p := range r.Moves {
			fmt.Fprintf(t, "    %s\t%s\n", p.Move, p.PositionID)
		}
	}
	if m.Total != nil {
		fmt.Fprintf(t, "all: %d moves\n", *m.Total)
	}
	return t.Flush()
}

func (r *Roll) count() string {
	switch {
	case r.Dance:
		return "no legal move"
	case r.Count == 1:
		return "1 move"
	}
	return fmt.Sprintf("%d moves", r.Count)
}

// A Legality says whether a move may be played with a roll, and which rule forbids it if not.
type Legality struct {
	Position   Position `json:"position"`
	Dice       [2]int   `json:"dice"`
	Move       string   `json:"move"` // as given, or as the engine writes it if legal
	Legal      bool     `json:"legal"`
	Reason     string   `json:"reason,omitempty"`      // the rule that forbids it
	PositionID string   `json:"position_id,omitempty"` // of the result, the opponent on roll
}

// NewLegality judges the move that text and steps both stand for.
func NewLegality(s *bg.State, dice bg.Dice, text string, steps []bg.Step) *Legality {
	l := &Legality{Position: NewPosition(s), Dice: *diceOf(dice), Move: text}
	if err := movegen.Explain(&s.Position, dice, steps); err != nil {
		l.Reason = err.Error()
		return l
	}
	play, err := movegen.Find(&s.Position, dice, steps)
	if err != nil {
		l.Reason = err.Error()
		return l
	}
	l.Legal, l.Move, l.PositionID = true, play.Move.String(), play.Result.ID()
	return l
}

// WriteText writes the judgment as a sentence.
func (l *Legality) WriteText(w io.Writer) error {
	if l.Legal {
		_, err := fmt.Fprintf(w, "%s is legal with %d%d and leads to %s\n", l.moveName(), l.Dice[0], l.Dice[1], l.PositionID)
		return err
	}
	_, err := fmt.Fprintf(w, "%s is not legal with %d%d: %s\n", l.moveName(), l.Dice[0], l.Dice[1], l.Reason)
	return err
}

func (l *Legality) moveName() string {
	if l.Move == "" {
		return "no move"
	}
	return l.Move
}
