package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kotra/duel"
	"kotra/internal/cputime"
	"kotra/internal/yardstick"
)

// An Event is a line of the log of a run.
type Event struct {
	Time       time.Time `json:"time"`
	Stage      int       `json:"stage,omitempty"`
	Part       string    `json:"part"`      // td, label, net, prune, gate
	CPUHours   float64   `json:"cpu_hours"` // of the whole run so far, all cores
	Games      int64     `json:"games,omitempty"`
	Labels     int64     `json:"labels,omitempty"`
	Samples    int64     `json:"samples,omitempty"`
	Loss       float64   `json:"loss,omitempty"`
	Validation float64   `json:"validation,omitempty"`

	Yardstick *yardstick.Report `json:"yardstick,omitempty"` // of the network of td, net or prune at 0-ply
	Duel      *duel.Result      `json:"duel,omitempty"`      // of the new network against the best, or the checkpoint before
	Accepted  *bool             `json:"accepted,omitempty"`
}

const logName = "log.jsonl"

// A journal appends events to the log of a run and knows what the run has cost.
type journal struct {
	name   string
	before float64 // CPU hours before this process
	tell   func(Event)
}

func openJournal(dir string, tell func(Event)) (*journal, error) {
	j := &journal{name: filepath.Join(dir, logName), tell: tell}
	events, err := ReadLog(dir)
	if err != nil {
		return nil, err
	}
	if n := len(events); n > 0 {
		j.before = events[n-1].CPUHours
	}
	return j, nil
}

// cpuHours returns what the run has cost so far.
func (j *journal) cpuHours() float64 { return j.before + cputime.Process().Hours() }

// add completes the event, writes it and tells it.
func (j *journal) add(e Event) error {
	e.Time = time.Now().UTC().Truncate(time.Second)
	e.CPUHours = j.cpuHours()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if j.tell != nil {
		j.tell(e)
	}
	return nil
}

// ReadLog returns the events of the run in dir, none if it has no log. A last line that was cut
// off by a kill is left out.
func ReadLog(dir string) ([]Event, error) {
	f, err := os.Open(filepath.Join(dir, logName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var (
		events []Event
		bad    error
	)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if bad != nil {
			return nil, bad
		}
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			bad = fmt.Errorf("train: %s: line %d: %w", f.Name(), n, err)
			continue
		}
		events = append(events, e)
	}
	return events, lines.Err()
}

// TDEvent returns the progress of [TD] at a checkpoint as an event, with the yardstick.
func TDEvent(p TDProgress) Event {
	return Event{Part: "td", Games: p.Games, Loss: p.Loss, Yardstick: score(p.Net), Duel: p.Duel}
}

// FitEvent returns the progress of [Fit] at a checkpoint as an event, with the yardstick.
func FitEvent(p FitProgress) Event {
	return Event{Part: "net", Samples: p.Samples, Loss: p.Loss, Validation: p.Validation, Yardstick: score(p.Net)}
}
