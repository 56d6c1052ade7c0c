package sgf

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"kotra/record"
)

// A SyntaxError says in which line of a file it is not SGF.
type SyntaxError struct {
	Line   int
	Reason string
}

// Error returns the line and the reason.
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// A tree is the main line of a game tree.
type tree struct {
	nodes      []node
	line       int
	variations int // that were left out
}

// A node is a list of properties. Their values are as in the file, escapes included.
type node struct {
	line       int
	properties []record.Property
}

// get returns the values of a property, nil if there is none.
func (n *node) get(name string) []string {
	for _, p := range n.properties {
		if p.Name == name {
			return p.Values
		}
	}
	return nil
}

// text returns the first value of a property as text.
func (n *node) text(name string) string {
	if values := n.get(name); len(values) > 0 {
		return unescape(values[0])
	}
	return ""
}

// A parser reads the game trees of a collection.
type parser struct {
	text string
	at   int
	line int
}

// parse returns the trees of a collection. Text before the first tree is passed over.
func parse(data []byte) ([]tree, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) {
		var b strings.Builder
		for i := range len(text) {
			b.WriteRune(rune(text[i]))
		}
		text = b.String()
	}
	p := &parser{text: text, line: 1}
	var trees []tree
	for p.skipTo('(') {
		t := tree{line: p.line}
		if err := p.tree(&t, true, 0); err != nil {
			return trees, err
		}
		if len(t.nodes) > 0 {
			trees = append(trees, t)
		}
	}
	return trees, nil
}

// skipTo goes on to the next byte c and reports whether there is one.
func (p *parser) skipTo(c byte) bool {
	for ; p.at < len(p.text); p.advance() {
		if p.text[p.at] == c {
			return true
		}
	}
	return false
}

func (p *parser) advance() {
	if p.text[p.at] == '\n' {
		p.line++
	}
	p.at++
}

func (p *parser) blanks() {
	for p.at < len(p.text) && (p.text[p.at] <= ' ' || p.text[p.at] == 0x7f) {
		p.advance()
	}
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{p.line, fmt.Sprintf(format, args...)}
}

// maxDepth is how deep variations may be nested.
const maxDepth = 1000

// tree reads a tree that begins here; its nodes are kept if it is on the main line.
func (p *parser) tree(t *tree, main bool, depth int) error {
	if depth > maxDepth {
		return p.fail("variations are nested too deep")
	}
	p.at++
	children := 0
	for {
		p.blanks()
		if p.at == len(p.text) {
			return p.fail("the game tree does not end, a ) is missing")
		}
		switch p.text[p.at] {
		case ')':
			p.at++
			return nil
		case '(':
			if children > 0 && main {
				t.variations++
			}
			if err := p.tree(t, main && children == 0, depth+1); err != nil {
				return err
			}
			children++
		case ';':
			p.at++
			n, err := p.node()
			if err != nil {
				return err
			}
			if main {
				t.nodes = append(t.nodes, n)
			}
		default:
			return p.fail("%q where a node, a variation or the end of the tree is wanted", p.text[p.at])
		}
	}
}

func (p *parser) node() (node, error) {
	n := node{line: p.line}
	for {
		p.blanks()
		start := p.at
		for p.at < len(p.text) && unicode.IsLetter(rune(p.text[p.at])) && p.text[p.at] < utf8.RuneSelf {
			p.at++
		}
		if p.at == start {
			return n, nil
		}
		property := record.Property{Name: p.text[start:p.at]}
		for {
			p.blanks()
			if p.at == len(p.text) || p.text[p.at] != '[' {
				break
			}
			value, err := p.value()
			if err != nil {
				return n, err
			}
			property.Values = append(property.Values, value)
		}
		if len(property.Values) == 0 {
			return n, p.fail("the property %s has no value", property.Name)
		}
		n.properties = append(n.properties, property)
	}
}

func (p *parser) value() (string, error) {
	line := p.line
	p.at++
	start := p.at
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ']':
			p.at++
			return p.text[start : p.at-1], nil
		case '\\':
			p.advance()
			if p.at == len(p.text) {
				continue
			}
		}
		p.advance()
	}
	return "", &SyntaxError{line, "the value that begins here does not end, a ] is missing"}
}

// unescape returns a value as text.
func unescape(value string) string {
	if !strings.ContainsAny(value, "\\\r") {
		return value
	}
	value = strings.ReplaceAll(value, "\r\n", "\n")
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' {
			i++
			if i == len(value) || value[i] == '\n' {
				continue // a line break that is none
			}
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

// escape returns text as a value.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(text)
}
