package met

import (
	"bufio"
	_ "embed" // the default tables
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables/kazaross-xg2.txt
var kazarossXG2 string

//go:embed tables/rockwell-kazaross.txt
var rockwellKazaross string

// KazarossXG2 returns the Kazaross-XG2 table of 25 points, GNU Backgammon's default.
func KazarossXG2() *Table { return loadKazarossXG2() }

// RockwellKazaross returns the Rockwell-Kazaross table of 25 points.
func RockwellKazaross() *Table { return loadRockwellKazaross() }

var (
	loadKazarossXG2      = sync.OnceValue(func() *Table { return mustRead(kazarossXG2) })
	loadRockwellKazaross = sync.OnceValue(func() *Table { return mustRead(rockwellKazaross) })
)

func mustRead(text string) *Table {
	t, err := readCompact(text)
	if err != nil {
		panic("met: embedded table: " + err.Error())
	}
	return t
}

// readCompact reads the form of the embedded tables, which their own comments explain.
func readCompact(text string) (*Table, error) {
	t := new(Table)
	row := 1
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		key, rest, _ := strings.Cut(lines.Text(), " ")
		switch key {
		case "#":
		case "name":
			t.name = rest
		case "description":
			t.description = rest
		case "length":
			n, err := strconv.Atoi(rest)
			if err != nil || n < 1 || n > MaxAway {
				return nil, fmt.Errorf("length %q", rest)
			}
			t.size = n
			t.pre[1][1] = .5
		case "post":
			post, err := parseRow(rest, t.size)
			if err != nil {
				return nil, err
			}
			t.setPost(post, post)
		default:
			row++
			values, err := parseRow(lines.Text(), row-1)
			if err != nil || row > t.size {
				return nil, fmt.Errorf("row %d: %w", row, err)
			}
			for j, v := range values {
				t.pre[row][j+1], t.pre[j+1][row] = v, 1-v
			}
			t.pre[row][row] = .5
		}
	}
	if row != t.size || t.postTrailer[1] == 0 {
		return nil, fmt.Errorf("%d rows for a length of %d", row, t.size)
	}
	t.extendPre(t.size)
	return t.link(), nil
}

func parseRow(text string, n int) ([]MWC, error) {
	fields := strings.Fields(text)
	if len(fields) != n {
		return nil, fmt.Errorf("%d numbers, want %d", len(fields), n)
	}
	row := make([]MWC, n)
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, err
		}
		row[i] = MWC(v)
	}
	return row, nil
}

// setPost fills the post-Crawford entries from the chances of a trailer 1, 2, ... away: ours,
// and those of the opponent.
func (t *Table) setPost(ours, theirs []MWC) {
	var opponent [MaxAway + 1]MWC
	copy(t.postTrailer[1:], ours)
	copy(opponent[1:], theirs)
	extendPost(&t.postTrailer, len(ours))
	extendPost(&opponent, len(theirs))
	for i := 1; i <= MaxAway; i++ {
		t.postLeader[i] = 1 - opponent[i]
	}
}
