package bearoff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"kotra/bg"
)

// A Folder keeps two-sided tables in files and picks the one for a position. It may be used by
// several goroutines at once.
type Folder struct {
	dir string

	mu     sync.Mutex
	read   bool // dir has been looked through
	files  []tableFile
	tables map[string]*TwoSided // those that are open, by path
	races  *OneSided            // if it has been asked for
}

// A tableFile is a table that is there, or that may be built in a moment.
type tableFile struct {
	path             string
	points, checkers int
}

func (f *tableFile) size() int { return int(choose(f.points+f.checkers, f.points)) }

// quick are the sizes of tables that are built when they are needed, which takes a second or two:
// the fewer points, the more checkers.
var quick = [][2]int{{DefaultPoints, DefaultCheckers}, {5, 7}, {4, 10}, {3, 14}}

// NewFolder returns the tables of the folder dir, or, if dir is empty, of the folder kotra of
// [os.UserCacheDir]. It need not be there. Every file of a table whose name ends in .kts is used.
func NewFolder(dir string) *Folder {
	if dir == "" {
		if cache, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(cache, "kotra")
		}
	}
	return &Folder{dir: dir, tables: map[string]*TwoSided{}}
}

// Dir returns the folder, or nothing if it is not known.
func (f *Folder) Dir() string { return f.dir }

// Path returns where in the folder the file of a table of this size belongs. It is an error if
// the folder is not known.
func (f *Folder) Path(points, checkers int) (string, error) {
	if f.dir == "" {
		return "", fmt.Errorf("bearoff: the user has no folder for caches")
	}
	return filepath.Join(f.dir, fileName(points, checkers)), nil
}

func fileName(points, checkers int) string {
	return fmt.Sprintf("twosided-%dx%d-v%d.kts", points, checkers, twosidedVersion)
}

// TwoSided returns the smallest table that has pos: 6 checkers a side on 6 points, 7 on 5, 10 on
// 4, 14 on 3, which are built if need be, or what else is in the folder. If none has it, it
// returns the largest one there that has all 6 points, for the positions that may follow; that
// is the one of 6 checkers if there is no other. The error is that of ctx.
func (f *Folder) TwoSided(ctx context.Context, pos *bg.Position) (*TwoSided, error) {
	points := max(pos.OnRoll.Rearmost(), pos.Opponent.Rearmost())
	checkers := max(inPlay(&pos.OnRoll), inPlay(&pos.Opponent))
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.read {
		f.look()
	}
	for tries := 0; ; tries++ {
		best := f.pick(points, checkers)
		table, err := f.open(ctx, best)
		if err == nil || ctx.Err() != nil || tries > len(f.files) {
			return table, err
		}
		// A file that is damaged and cannot be built again is as good as none.
		f.files = slices.DeleteFunc(f.files, func(file tableFile) bool { return file == best })
	}
}

func inPlay(s *bg.Side) int {
	n := 0
	for _, count := range s[1:] {
		n += int(count)
	}
	return n
}

// look lists the tables.
func (f *Folder) look() {
	f.read = true
	for _, size := range quick {
		f.files = append(f.files, tableFile{f.dir + string(filepath.Separator) + fileName(size[0], size[1]), size[0], size[1]})
	}
	names, _ := filepath.Glob(filepath.Join(f.dir, "*.kts")) // a bad name has none
	for _, name := range names {
		if h, err := readHeader(name); err == nil && h.shells == h.size() {
			f.files = append(f.files, tableFile{name, h.points, h.checkers})
		}
	}
}

func readHeader(name string) (h fileHeader, err error) {
	file, err := os.Open(name)
	if err != nil {
		return h, err
	}
	defer file.Close()
	data := make([]byte, twosidedHeader)
	if _, err := file.ReadAt(data, 0); err != nil {
		return h, err
	}
	return decodeHeader(data)
}

func (f *Folder) pick(points, checkers int) tableFile {
	var best tableFile
	for _, file := range f.files {
		covers := file.points >= points && file.checkers >= checkers
		if covers && (best.path == "" || file.size() < best.size()) {
			best = file
		}
	}
	if best.path != "" {
		return best
	}
	best = f.files[0]
	for _, file := range f.files {
		if file.points >= DefaultPoints && file.size() > best.size() {
			best = file
		}
	}
	return best
}

// open returns the table of a file. Those of quick sizes are built if they are not there.
func (f *Folder) open(ctx context.Context, file tableFile) (*TwoSided, error) {
	if t := f.tables[file.path]; t != nil {
		return t, nil
	}
	var t *TwoSided
	var err error
	switch {
	case !slices.Contains(quick, [2]int{file.points, file.checkers}):
		t, err = OpenTwoSided(file.path) // too large to read all of it now
	case f.dir == "":
		t, err = BuildTwoSided(ctx, file.points, file.checkers, 0, nil)
	default:
		t, err = twosidedIn(ctx, f.dir, file.points, file.checkers)
	}
	if err == nil {
		f.tables[file.path] = t
	}
	return t, err
}
