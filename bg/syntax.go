package bg

import "fmt"

// A SyntaxError describes text that is not what it should be, and where it stops being it.
type SyntaxError struct {
	Text   string // the text that was read, or the line of it that is at fault
	Offset int    // of the fault, in bytes from the start of Text
	Reason string // what is wrong, as a part of a sentence
}

// Error returns the reason, the place and the text.
func (e *SyntaxError) Error() string {
	text := e.Text
	if len(text) > maxQuoted {
		text = text[:maxQuoted] + "..."
	}
	return fmt.Sprintf("%s, at character %d of %q", e.Reason, e.Offset+1, text)
}

// maxQuoted is how much of a text an error shows, in bytes: enough for a FIBS board line.
const maxQuoted = 240

func syntaxErrorf(text string, offset int, format string, args ...any) error {
	return &SyntaxError{Text: text, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}
