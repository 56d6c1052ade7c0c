package met

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrXML is wrapped by every error of [ReadXML].
var ErrXML = errors.New("not a match equity table")

// maxXMLSize is more than a table of MaxAway points can need.
const maxXMLSize = 4 << 20

// ReadXML reads a match equity table in the XML form of GNU Backgammon (met.dtd).
//
// The tables before and after the Crawford game may be explicit, of up to [MaxAway] points, or
// of the type zadeh, computed from parameters. One post-Crawford table serves both players, or
// each has his own; then the result is a handicap table, seen by player 0. Forgiven are unknown
// elements and attributes, a missing name, description or length, a DOCTYPE, a final
// post-Crawford entry that is missing, and rows or entries beyond MaxAway. Shorter tables are
// extended as the package comment tells. Errors wrap [ErrXML] and name the row and column.
func ReadXML(r io.Reader) (*Table, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxXMLSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading match equity table: %w", err)
	}
	if len(text) > maxXMLSize {
		return nil, fmt.Errorf("%w: larger than %d bytes", ErrXML, maxXMLSize)
	}
	var doc xmlTable
	d := xml.NewDecoder(strings.NewReader(string(text)))
	d.CharsetReader = latin1
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrXML, err)
	}
	t, err := doc.table()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrXML, err)
	}
	return t, nil
}

// latin1 reads the encodings of which only ASCII matters to us.
func latin1(charset string, input io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252":
		text, err := io.ReadAll(input)
		if err != nil {
			return nil, err
		}
		runes := make([]rune, len(text))
		for i, b := range text {
			runes[i] = rune(b)
		}
		return strings.NewReader(string(runes)), nil
	}
	return nil, fmt.Errorf("unknown encoding %q", charset)
}

type xmlTable struct {
	XMLName xml.Name  `xml:"met"`
	Name    string    `xml:"info>name"`
	About   string    `xml:"info>description"`
	Pre     *xmlPart  `xml:"pre-crawford-table"`
	Post    []xmlPart `xml:"post-crawford-table"`
}

type xmlPart struct {
	Type       string         `xml:"type,attr"`
	Player     string         `xml:"player,attr"`
	Rows       []xmlRow       `xml:"row"`
	Parameters []xmlParameter `xml:"parameters>parameter"`
}

type xmlRow struct {
	Entries []string `xml:"me"`
}

type xmlParameter struct {
	Name  string `xml:"name,attr"`
	Value string `xml:",chardata"`
}

func (doc *xmlTable) table() (*Table, error) {
	if doc.Pre == nil {
		return nil, errors.New("no pre-crawford-table")
	}
	t := &Table{name: clean(doc.Name), description: clean(doc.About)}
	post, err := doc.postCrawford()
	if err != nil {
		return nil, err
	}
	switch doc.Pre.Type {
	case "explicit", "":
		err = t.setExplicit(doc.Pre.Rows, post)
	case "zadeh":
		t.size = MaxAway
		t.setPost(post[0], post[1])
		err = t.setZadeh(doc.Pre)
	default:
		err = fmt.Errorf("pre-crawford-table of type %q, want explicit or zadeh", doc.Pre.Type)
	}
	if err != nil {
		return nil, err
	}
	return t.link(), nil
}

func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

// postCrawford returns the chances of either player as trailer 1, 2, ... away.
func (doc *xmlTable) postCrawford() (post [2][]MWC, err error) {
	if len(doc.Post) == 0 {
		return post, errors.New("no post-crawford-table")
	}
	for i := range doc.Post {
		part := &doc.Post[i]
		values, err := part.postCrawford()
		if err != nil {
			return post, err
		}
		switch part.Player {
		case "both", "":
			post[0], post[1] = values, values
		case "0":
			post[0] = values
		case "1":
			post[1] = values
		default:
			return post, fmt.Errorf("post-crawford-table for player %q, want 0, 1 or both", part.Player)
		}
	}
	for player := range post {
		if post[player] == nil {
			return post, fmt.Errorf("no post-crawford-table for player %d", player)
		}
	}
	return post, nil
}

func (part *xmlPart) postCrawford() ([]MWC, error) {
	switch part.Type {
	case "explicit", "":
		if len(part.Rows) != 1 {
			return nil, fmt.Errorf("post-crawford-table with %d rows, want 1", len(part.Rows))
		}
		values, err := part.Rows[0].parse()
		if err == nil && len(values) == 0 {
			err = errors.New("the row is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("post-crawford-table: %w", err)
		}
		return values, nil
	case "zadeh":
		return part.zadehPost()
	}
	return nil, fmt.Errorf("post-crawford-table of type %q, want explicit or zadeh", part.Type)
}

// setExplicit fills t from rows of entries.
func (t *Table) setExplicit(rows []xmlRow, post [2][]MWC) error {
	n := min(len(rows), MaxAway)
	if n == 0 {
		return errors.New("pre-crawford-table without rows")
	}
	t.size = n
	for i := range n {
		values, err := rows[i].parse()
		if err == nil && len(values) < n {
			err = fmt.Errorf("%d entries, want %d", len(values), n)
		}
		if err != nil {
			return fmt.Errorf("pre-crawford-table, row %d: %w", i+1, err)
		}
		copy(t.pre[i+1][1:n+1], values)
	}
	for player := range post {
		if len(post[player]) < n-1 {
			return fmt.Errorf("post-crawford-table with %d entries for %d rows", len(post[player]), n)
		}
	}
	t.setPost(post[0], post[1])
	t.extendPre(n)
	return nil
}

// parse returns the entries of a row, at most MaxAway, each a chance from 0 to 1.
func (row *xmlRow) parse() ([]MWC, error) {
	values := make([]MWC, 0, min(len(row.Entries), MaxAway))
	for i, text := range row.Entries {
		if i == MaxAway {
			break
		}
		v, err := parseChance(text)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		values = append(values, MWC(v))
	}
	return values, nil
}

func parseChance(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%.20q is not a chance from 0 to 1", strings.TrimSpace(text))
	}
	return v, nil
}

// parameter returns a parameter of the part by name.
func (part *xmlPart) parameter(name string) (float64, error) {
	for _, p := range part.Parameters {
		if p.Name == name {
			v, err := parseChance(p.Value)
			if err != nil {
				return 0, fmt.Errorf("parameter %s: %w", name, err)
			}
			return v, nil
		}
	}
	return 0, fmt.Errorf("parameter %s is missing", name)
}
