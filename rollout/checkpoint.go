package rollout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strings"

	"kotra/bg"
	"kotra/cube"
	"kotra/internal/whole"
)

// The format of the files that Run saves: a JSON object with the format and its version, the
// SHA-256 of the contents as they stand, and the contents.
const (
	fileFormat  = "kotra rollout"
	fileVersion = 1
)

// Errors of resuming a rollout.
var (
	// ErrFormat is wrapped by the error about a file that is no saved rollout, or of a version that
	// is not known.
	ErrFormat = errors.New("not a saved rollout")
	// ErrChecksum is wrapped by the error about a file that is damaged.
	ErrChecksum = errors.New("checksum does not match")
	// ErrMismatch is wrapped by the error about a file of another rollout: other positions, rules,
	// settings or weights.
	ErrMismatch = errors.New("saved by another rollout")
)

type savedFile struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	SHA256   string          `json:"sha256"`
	Contents json.RawMessage `json:"contents"`
}

// A savedRun is all that a rollout needs to go on: what it is about, and the sums over the trials.
type savedRun struct {
	Settings   Settings    `json:"settings"`
	Candidates []Candidate `json:"candidates"`
	Info       savedInfo   `json:"info"`
	// Evaluator is a hash of what the evaluator says of some positions.
	Evaluator string `json:"evaluator"`

	Trials  int     `json:"trials"`
	Stopped []bool  `json:"stopped"`
	Tallies []tally `json:"tallies"`
	Pairs   []pair  `json:"pairs"`
}

// A savedInfo stands for a [cube.Info]; the match equity table is a hash.
type savedInfo struct {
	Cube  bg.Cube  `json:"cube"`
	Score bg.Score `json:"score"`
	Rules bg.Rules `json:"rules"`
	Table string   `json:"table"`
}

func (r *run) saved() savedRun {
	return savedRun{
		Settings: r.Settings, Candidates: r.Candidates, Info: r.savedInfo(), Evaluator: r.fingerprint(),
		Trials: r.trials, Stopped: r.stopped, Tallies: r.tallies, Pairs: r.pairs,
	}
}

func (r *run) savedInfo() savedInfo {
	info := r.game.Info()
	s := savedInfo{Cube: info.Cube, Score: info.Score, Rules: info.Rules}
	if !info.Score.Money() {
		h := sha256.New()
		st := r.game.State()
		for range 6 { // the values of the cube that matter
			for _, v := range []cube.Value{
				st.Settle(bg.Single, true), st.Settle(bg.Gammon, true), st.Settle(bg.Backgammon, true),
				st.Settle(bg.Single, false), st.Settle(bg.Gammon, false), st.Settle(bg.Backgammon, false),
			} {
				fmt.Fprintf(h, "%x ", math.Float64bits(float64(v)))
			}
			if !st.CanDouble() {
				break
			}
			st = st.Double().Flip()
		}
		s.Table = hex.EncodeToString(h.Sum(nil)[:8])
	}
	return s
}

// fingerprint returns a hash of the evaluations of the candidates and of what follows from them.
func (r *run) fingerprint() string {
	h := sha256.New()
	positions := []bg.Position{bg.Start()}
	for i := range r.Candidates {
		pos := r.Candidates[i].Position
		positions = append(positions, pos, pos.Flip())
	}
	for i := range positions {
		p := r.Evaluator.Evaluate(&positions[i])
		for _, x := range []float32{p.Win, p.WinGammon, p.WinBackgammon, p.LoseGammon, p.LoseBackgammon} {
			fmt.Fprintf(h, "%08x ", math.Float32bits(x))
		}
	}
	fmt.Fprintf(h, "%t %t %t", r.Pruner != nil, r.Bearoff.One != nil, r.Bearoff.Two != nil)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// save writes the file beside itself and renames it, so that there is a whole one at any time.
func (r *run) save(name string) error {
	contents, err := json.Marshal(r.saved())
	if err != nil {
		return err
	}
	sum := sha256.Sum256(contents)
	text, err := json.Marshal(savedFile{fileFormat, fileVersion, hex.EncodeToString(sum[:]), contents})
	if err != nil {
		return err
	}
	err = whole.File(name, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("saving the rollout: %w", err)
	}
	return nil
}

// resume sets r to what the named file holds.
func (r *run) resume(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("resuming a rollout: %w", err)
	}
	s, err := decodeSaved(text)
	if err == nil {
		err = r.fits(s)
	}
	if err != nil {
		return fmt.Errorf("resuming the rollout in %s: %w", name, err)
	}
	r.trials, r.stopped, r.tallies, r.pairs = s.Trials, s.Stopped, s.Tallies, s.Pairs
	return nil
}

// decodeSaved reads the text of a saved file.
func decodeSaved(text []byte) (*savedRun, error) {
	var f savedFile
	if err := json.Unmarshal(text, &f); err != nil || f.Format != fileFormat {
		return nil, ErrFormat
	}
	if f.Version != fileVersion {
		return nil, fmt.Errorf("%w: version %d, want %d", ErrFormat, f.Version, fileVersion)
	}
	if sum := sha256.Sum256(f.Contents); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, ErrChecksum
	}
	s := &savedRun{}
	if err := json.Unmarshal(f.Contents, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	n := len(s.Candidates)
	if len(s.Tallies) != n || len(s.Stopped) != n || len(s.Pairs) != n*n || s.Trials < 0 {
		return nil, fmt.Errorf("%w: sums are missing", ErrFormat)
	}
	return s, nil
}

// differences names the settings in which a is not b, with their values.
func differences(a, b *Settings) string {
	var list []string
	x, y := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for i := range x.NumField() {
		if name := x.Type().Field(i).Tag.Get("json"); !x.Field(i).Equal(y.Field(i)) {
			list = append(list, fmt.Sprintf("%s is %v, not %v", name, x.Field(i), y.Field(i)))
		}
	}
	return strings.Join(list, "; ")
}

// fits reports what of s is different from r, as an error that wraps ErrMismatch.
func (r *run) fits(s *savedRun) error {
	mine, theirs := r.Settings, s.Settings
	for _, settings := range []*Settings{&mine, &theirs} { // what may differ
		settings.Trials, settings.MinTrials, settings.StopJSD, settings.StopStdErr, settings.TimeLimit = 0, 0, 0, 0, 0
	}
	switch {
	case len(r.Candidates) != len(s.Candidates):
		return fmt.Errorf("%w: it has %d candidates, not %d", ErrMismatch, len(s.Candidates), len(r.Candidates))
	case r.savedInfo() != s.Info:
		return fmt.Errorf("%w: cube, score or rules differ", ErrMismatch)
	case mine != theirs:
		return fmt.Errorf("%w: %s", ErrMismatch, differences(&theirs, &mine))
	}
	for i := range r.Candidates {
		a, b := &r.Candidates[i], &s.Candidates[i]
		if a.Position != b.Position || a.Kind != b.Kind {
			return fmt.Errorf("%w: candidate %d is %q, not %q", ErrMismatch, i+1, b.Name, a.Name)
		}
	}
	if r.fingerprint() != s.Evaluator {
		return fmt.Errorf("%w: the weights differ", ErrMismatch)
	}
	return nil
}
