package xg

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
)

// comments returns the comments of a file temp.xgc as plain text.
func comments(data []byte) []string {
	var out []string
	for _, line := range bytes.Split(data, []byte("\r\n")) {
		line = bytes.ReplaceAll(line, []byte{1, 2}, []byte("\r\n"))
		if bytes.HasPrefix(line, []byte(`{\rtf`)) {
			out = append(out, plain(line))
		} else {
			out = append(out, strings.TrimSpace(latin(line)))
		}
	}
	return out
}

// skipped are the groups of a rich text that hold no text.
var skipped = map[string]bool{"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "*": true}

// A rich reads rich text.
type rich struct {
	data  []byte
	at    int
	out   strings.Builder
	units []uint16 // of UTF-16, not yet written
	skip  []int    // characters after \u that stand for it, by depth of groups
	left  int      // of them still to come
	hide  int      // depth of the group that is left out, 0 if none
	begun bool     // a group has just begun
}

// plain returns the text of a rich text document.
func plain(data []byte) string {
	r := &rich{data: data, skip: []int{1}}
	for r.at < len(r.data) {
		r.next()
	}
	r.flush()
	return strings.TrimSpace(r.out.String())
}

func (r *rich) next() {
	c := r.data[r.at]
	r.at++
	begun := r.begun
	r.begun = false
	switch c {
	case '{':
		r.skip = append(r.skip, r.skip[len(r.skip)-1])
		r.begun = true
	case '}':
		if r.hide == len(r.skip) {
			r.hide = 0
		}
		if len(r.skip) > 1 {
			r.skip = r.skip[:len(r.skip)-1]
		}
	case '\r', '\n', 0:
		r.begun = begun
	case '\\':
		r.control(begun)
	default:
		r.char(latin([]byte{c}))
	}
}

// char writes a character, unless it stands for one already written or its group is hidden.
func (r *rich) char(text string) {
	switch {
	case r.left > 0:
		r.left--
	case r.hide == 0:
		r.flush()
		r.out.WriteString(text)
	}
}

func (r *rich) flush() {
	if len(r.units) > 0 {
		r.out.WriteString(string(utf16.Decode(r.units)))
		r.units = r.units[:0]
	}
}

// control reads what follows a backslash; begun tells that it is the first of its group.
func (r *rich) control(begun bool) {
	if r.at == len(r.data) {
		return
	}
	c := r.data[r.at]
	if c < 'A' || 'Z' < c && c < 'a' || c > 'z' {
		r.at++
		r.symbol(c, begun)
		return
	}
	start := r.at
	for r.at < len(r.data) && (r.data[r.at]|0x20 >= 'a' && r.data[r.at]|0x20 <= 'z') {
		r.at++
	}
	word := string(r.data[start:r.at])
	start = r.at
	for r.at < len(r.data) && (r.data[r.at] == '-' && r.at == start || '0' <= r.data[r.at] && r.data[r.at] <= '9') {
		r.at++
	}
	number, err := strconv.Atoi(string(r.data[start:r.at]))
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	switch {
	case begun && skipped[word] && r.hide == 0:
		r.hide = len(r.skip)
	case word == "par" || word == "line":
		r.left = 0
		r.char("\n")
	case word == "tab":
		r.left = 0
		r.char("\t")
	case word == "uc" && err == nil && number >= 0:
		r.skip[len(r.skip)-1] = min(number, 100)
	case word == "u" && err == nil:
		if r.hide == 0 {
			r.units = append(r.units, uint16(number))
		}
		r.left = r.skip[len(r.skip)-1]
	}
}

func (r *rich) symbol(c byte, begun bool) {
	switch c {
	case '\'':
		if r.at+2 > len(r.data) {
			return
		}
		n, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8)
		r.at += 2
		if err == nil {
			r.char(latin([]byte{byte(n)}))
		}
	case '\\', '{', '}':
		r.char(string(rune(c)))
	case '~':
		r.char(" ")
	case '*':
		if begun && r.hide == 0 {
			r.hide = len(r.skip)
		}
	}
}
