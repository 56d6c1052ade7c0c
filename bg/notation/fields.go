package notation

import (
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// A fieldReader takes apart a line of fields joined by colons, and keeps the place of the
// first error.
type fieldReader struct {
	text   string
	start  int // where the first field begins in text
	fields []string
	err    error
}

// newFieldReader returns a reader of text, which may begin with a tag such as "XGID=".
func newFieldReader(text, tag string) *fieldReader {
	start := 0
	if n := len(tag); len(text) > n && strings.EqualFold(text[:n], tag) && (text[n] == '=' || text[n] == ':') {
		start = n + 1
	}
	return &fieldReader{text: text, start: start, fields: strings.Split(text[start:], ":")}
}

// fail keeps the first error, at byte offset within field i.
func (r *fieldReader) fail(i, offset int, format string, args ...any) {
	if r.err != nil {
		return
	}
	at := r.start + offset
	for _, f := range r.fields[:i] {
		at += len(f) + 1
	}
	r.err = &bg.SyntaxError{Text: r.text, Offset: min(at, len(r.text)), Reason: fmt.Sprintf(format, args...)}
}

// number reads field i as a number from low to high; what names it in an error.
func (r *fieldReader) number(i, low, high int, what string) int {
	n, err := strconv.Atoi(r.fields[i])
	if err != nil {
		r.fail(i, 0, "%s is %q, want a number", what, r.fields[i])
		return low
	}
	if n < low || n > high {
		r.fail(i, 0, "%s is %d, want %d to %d", what, n, low, high)
		return low
	}
	return n
}

// maxScore bounds the points and the match lengths that a parser takes for a number at all.
const maxScore = 1<<15 - 1

// maxCubeLog bounds the logarithm of a cube's value, so that it is an int everywhere.
const maxCubeLog = 30
