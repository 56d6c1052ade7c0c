package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// errLongLine is returned for a line that exceeds maxLine, which has been skipped.
var errLongLine = errors.New("the line is too long")

// A lineReader reads lines of limited length.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, maxLine)}
}

// next returns the next line without its end. Text after the last newline is a line if there
// is more in it than the NUL that gnubg sends behind its newlines.
func (l *lineReader) next() (string, error) {
	line, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.r.ReadSlice('\n')
		}
		if err != nil {
			return "", err
		}
		return "", errLongLine
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(bytes.Trim(line, "\x00")) == 0) {
		return "", err
	}
	return string(bytes.TrimRight(line, "\r\n")), nil
}

// A wireError is a syntax error in the words of gnubg's server, whose clients know it by its
// start.
type wireError struct{ found, wanted string }

func (e *wireError) Error() string {
	text := "syntax error, unexpected " + e.found
	if e.wanted != "" {
		text += ", expecting " + e.wanted
	}
	return text
}

func syntaxError(found, wanted string) error { return &wireError{found, wanted} }

// token names what text starts with, as gnubg's server does.
func token(text string) string {
	word, _ := cutWord(text)
	switch name := strings.ToUpper(word); name {
	case "":
		return "EOL"
	case "PROMPT", "FIBSBOARD", "PLIES", "SET", "DEBUG", "NEW", "OLD":
		return name
	case "INTERFACE":
		return "E_INTERFACE"
	case "VERSION":
		return "INTERFACEVERSION"
	}
	if hasPrefixFold(word, "board:") {
		return "E_STRING"
	}
	return "E_CHARACTER"
}

// cutWord returns the first word of text and what follows it, without blanks around.
func cutWord(text string) (word, rest string) {
	text = strings.Trim(text, " \t")
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimLeft(text[i:], " \t")
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// parseBool reads the words for on and off.
func parseBool(word string) (on, ok bool) {
	switch strings.ToLower(word) {
	case "on", "yes", "true":
		return true, true
	case "off", "no", "false":
		return false, true
	}
	return false, false
}

// oneLine replaces line ends of text, which has to stay one line on the wire.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "\x00", " ").Replace(text)
}
