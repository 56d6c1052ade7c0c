package rollout

import (
	"errors"
	"fmt"
	"time"

	"kotra/search"
)

// Settings say how trials are played, and how many.
//
// The zero value plays no trials; all other zeros are useful: games at 0 ply with the cube, to
// the end, with variance reduction.
type Settings struct {
	// Trials is the number of trials of each candidate, at most.
	Trials int `json:"trials"`
	// Ply is how deep checker plays look ahead, CubePly cube actions.
	Ply     int `json:"ply"`
	CubePly int `json:"cube_ply"`
	// LateAfter is the number of turns after which LatePly and LateCubePly hold; 0 is never.
	LateAfter   int `json:"late_after"`
	LatePly     int `json:"late_ply"`
	LateCubePly int `json:"late_cube_ply"`
	// Truncate is the number of turns after which a position is evaluated, at TruncatePly plies,
	// instead of played; 0 plays to the end.
	Truncate    int `json:"truncate"`
	TruncatePly int `json:"truncate_ply"`
	// PlayBearoffs plays on where a bearoff table knows the result.
	PlayBearoffs bool `json:"play_bearoffs"`
	// Cubeless plays without a cube.
	Cubeless bool `json:"cubeless"`
	// NoVarianceReduction leaves the luck of the dice in.
	NoVarianceReduction bool `json:"no_variance_reduction"`
	// PlainDice rolls all dice independently.
	PlainDice bool `json:"plain_dice"`
	// Filter is the name of the move filter of checker plays at 1 ply and more; empty is normal.
	Filter string `json:"filter"`
	// Seed is the seed of the dice.
	Seed uint64 `json:"seed"`

	// MinTrials is the number of trials before a rule below may stop anything; 0 is 324.
	MinTrials int `json:"min_trials"`
	// StopJSD, if not 0, stops a candidate that is at least so many joint standard deviations
	// behind the leader, and everything when one candidate is left.
	StopJSD float64 `json:"stop_jsd"`
	// StopStdErr, if not 0, stops everything when the standard error of what candidates are
	// ranked by is at most this for all of them that are left.
	StopStdErr float64 `json:"stop_se"`
	// TimeLimit, if not 0, stops everything after this time.
	TimeLimit time.Duration `json:"-"`
}

// defaultMinTrials is what gives a standard error that can be trusted.
const defaultMinTrials = 324

// Check reports a setting that makes no sense.
func (s *Settings) Check() error {
	for _, p := range []struct {
		name string
		ply  int
	}{
		{"ply", s.Ply},
		{"cube ply", s.CubePly},
		{"late ply", s.LatePly},
		{"late cube ply", s.LateCubePly},
		{"truncation ply", s.TruncatePly},
	} {
		if p.ply < 0 || p.ply > search.MaxPly {
			return fmt.Errorf("rollout: %s %d is not in the range from 0 to %d", p.name, p.ply, search.MaxPly)
		}
	}
	if s.Filter != "" {
		if _, err := search.ParseFilter(s.Filter); err != nil {
			return fmt.Errorf("rollout: %w", err)
		}
	}
	switch {
	case s.Trials < 1:
		return fmt.Errorf("rollout: %d trials, want at least one", s.Trials)
	case s.LateAfter < 0 || s.Truncate < 0 || s.MinTrials < 0 || s.StopJSD < 0 || s.StopStdErr < 0 || s.TimeLimit < 0:
		return errors.New("rollout: a setting is negative")
	}
	return nil
}

// plies returns the depth of checker plays and cube actions on a turn, counted from 0.
func (s *Settings) plies(turn int) (play, cube int) {
	if s.LateAfter > 0 && turn >= s.LateAfter {
		return s.LatePly, s.LateCubePly
	}
	return s.Ply, s.CubePly
}

// maxPly returns the largest depth in use.
func (s *Settings) maxPly() int {
	ply := max(s.Ply, s.CubePly, s.TruncatePly)
	if s.LateAfter > 0 {
		ply = max(ply, s.LatePly, s.LateCubePly)
	}
	return ply
}

// Presets returns the names of the presets, from fast to slow.
func Presets() []string {
	return []string{"roller", "quick", "roller+", "standard", "roller++", "thorough", "world"}
}

// Preset returns the settings of a preset:
//
//	roller    42 trials of 5 turns, 0 ply
//	quick     324 trials at 0 ply, evaluated after 11 turns
//	roller+   360 trials of 7 turns, 1 ply, from the third turn on 0 ply
//	standard  1296 trials at 0 ply to the end
//	roller++  360 trials of 5 turns, 2 ply, from the third turn on 1 ply
//	thorough  1296 trials, 2 ply, from the third turn on 0 ply, to the end
//	world     1296 trials at 2 ply to the end
//
// Those that play at 1 ply or more stop candidates that are 2.33 joint standard deviations
// behind. The rollers are named after, and shaped like, the truncated rollouts that eXtreme
// Gammon calls XG Roller; its plies count one more than ours.
func Preset(name string) (Settings, error) {
	const jsd = 2.33
	switch name {
	case "roller":
		return Settings{Trials: 42, Truncate: 5}, nil
	case "quick":
		return Settings{Trials: 324, Truncate: 11}, nil
	case "roller+":
		return Settings{Trials: 360, Truncate: 7, Ply: 1, CubePly: 1, LateAfter: 2, MinTrials: 108, StopJSD: jsd}, nil
	case "standard":
		return Settings{Trials: 1296}, nil
	case "roller++":
		return Settings{
			Trials: 360, Truncate: 5, Ply: 2, CubePly: 2, LateAfter: 2, LatePly: 1, LateCubePly: 1, TruncatePly: 1,
			MinTrials: 108, StopJSD: jsd,
		}, nil
	case "thorough":
		return Settings{Trials: 1296, Ply: 2, CubePly: 2, LateAfter: 2, StopJSD: jsd}, nil
	case "world":
		return Settings{Trials: 1296, Ply: 2, CubePly: 2, StopJSD: jsd}, nil
	}
	return Settings{}, fmt.Errorf("unknown preset %q, want %s", name, list(Presets()))
}

// list returns names as text: "a, b or c".
func list(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " or "
		default:
			text += ", "
		}
		text += name
	}
	return text
}
