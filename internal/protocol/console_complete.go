package protocol

import "strings"

// Complete returns the words of the language that continue line, whose last word may have been
// begun.
func (c *Console) Complete(line string) []string {
	commands := newConsoleLanguage().commands
	words := strings.Fields(line)
	begun := ""
	if len(words) > 0 && !strings.HasSuffix(line, " ") {
		begun, words = words[len(words)-1], words[:len(words)-1]
	}
	for _, word := range words {
		found := findCommand(commands, word)
		if found == nil {
			return nil
		}
		commands = found.sub
	}
	var all []string
	for i := range commands {
		if c := &commands[i]; !c.hidden && hasPrefixFold(c.word, begun) {
			all = append(all, c.word)
		}
	}
	return all
}
