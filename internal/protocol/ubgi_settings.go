package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kotra/bg"
)

// maxThreads is the largest number of threads that a client can ask for.
const maxThreads = 256

// A ubgiOption is a setting with its names in both versions.
type ubgiOption struct {
	name string // version 0.1
	kind string
	key  string // version 0.2
	form string
	// minor marks a key that does not change strength.
	minor bool
	get   func(*Settings) string
	set   func(s *Settings, u *UBGI, value string) error
}

// ubgiOptions are all options in the order in which they are listed.
var ubgiOptions = []ubgiOption{
	{
		name: "Variant", kind: "combo", key: "game.variant", form: "enum",
		get: func(*Settings) string { return "backgammon" },
		set: func(_ *Settings, _ *UBGI, value string) error {
			if value != "backgammon" {
				return errors.New("only backgammon is known")
			}
			return nil
		},
	},
	{
		name: "Ply", kind: "spin", key: "engine.ply", form: "int",
		get: func(s *Settings) string { return strconv.Itoa(s.Ply + 1) },
		set: func(s *Settings, u *UBGI, value string) error {
			n, err := number(value, 1, u.MaxPly+1)
			if value == "0" { // what the adapter of gnubg takes for its 0-ply
				n, err = 1, nil
			}
			if err == nil {
				s.Ply = n - 1
			}
			return err
		},
	},
	{
		name: "Threads", kind: "spin", key: "engine.threads", form: "int", minor: true,
		get: func(s *Settings) string { return strconv.Itoa(max(s.Threads, 1)) },
		set: func(s *Settings, _ *UBGI, value string) error {
			n, err := number(value, 1, maxThreads)
			if err == nil {
				s.Threads = n
			}
			return err
		},
	},
	{
		name: "Seed", kind: "spin", key: "engine.seed", form: "int", minor: true,
		get: func(s *Settings) string { return strconv.FormatUint(s.Seed, 10) },
		set: func(s *Settings, _ *UBGI, value string) (err error) {
			s.Seed, err = strconv.ParseUint(value, 10, 63)
			return err
		},
	},
	{
		name: "Deterministic", kind: "check", key: "engine.deterministic", form: "bool", minor: true,
		get: func(*Settings) string { return "true" },
		set: func(_ *Settings, _ *UBGI, value string) error {
			if on, ok := parseBool(value); !ok || !on {
				return errors.New("kotra is always deterministic")
			}
			return nil
		},
	},
	{
		name: "EvalMode", kind: "combo", key: "engine.evalmode", form: "enum",
		get: func(s *Settings) string {
			if s.Cubeless {
				return "cubeless"
			}
			return "cubeful"
		},
		set: func(s *Settings, _ *UBGI, value string) error {
			if value != "cubeless" && value != "cubeful" {
				return errors.New("want cubeless or cubeful")
			}
			s.Cubeless = value == "cubeless"
			return nil
		},
	},
	{
		name: "Weights", kind: "string", key: "engine.weights", form: "string",
		get: func(s *Settings) string { return s.Weights },
		set: func(s *Settings, u *UBGI, value string) error {
			next := *s
			next.Weights = value
			if _, err := u.New(next); err != nil {
				return err
			}
			s.Weights = value
			return nil
		},
	},
}

// number reads a number from low to high.
func number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("want a number from %d to %d", low, high)
	}
	return n, nil
}

// domain returns the values of an option as version 0.1 lists them.
func (o *ubgiOption) domain(u *UBGI) string {
	switch o.name {
	case "Variant":
		return " var backgammon"
	case "Ply":
		return fmt.Sprintf(" min 1 max %d", u.MaxPly+1)
	case "Threads":
		return fmt.Sprintf(" min 1 max %d", maxThreads)
	case "Seed":
		return " min 0 max 9223372036854775807"
	case "EvalMode":
		return " var cubeless var cubeful"
	}
	return ""
}

// line returns the key line of an option in version 0.2.
func (o *ubgiOption) line(u *UBGI, s *Settings) string {
	text := "key " + o.key + " " + o.form
	switch o.name {
	case "Variant":
		text += " backgammon"
	case "Ply":
		text += fmt.Sprintf(" 1..%d", u.MaxPly+1)
	case "Threads":
		text += fmt.Sprintf(" 1..%d", maxThreads)
	case "EvalMode":
		text += " cubeless|cubeful"
	case "Seed", "Weights":
		text += " *"
	}
	if value := o.get(s); value != "" {
		text += " " + value
	}
	if o.minor {
		text += " !"
	}
	return text
}

// setOption reads "name N value V".
func (s *ubgiSession) setOption(text string) error {
	text, ok := strings.CutPrefix(text, "name ")
	name, value, hasValue := strings.Cut(text, " value ")
	name = strings.TrimSpace(name)
	if !ok || !hasValue {
		return &ubgiError{badValue, "setoption"}
	}
	for i := range ubgiOptions {
		if o := &ubgiOptions[i]; strings.EqualFold(o.name, name) {
			return s.apply(o, name, strings.TrimSpace(value))
		}
	}
	return &ubgiError{badValue, "unknown option " + name}
}

// key answers set, get and keys.
func (s *ubgiSession) key(word, rest string) error {
	if word == "keys" {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i := range ubgiOptions {
			s.write("%s", ubgiOptions[i].line(s.UBGI, &s.settings))
		}
		return nil
	}
	name, value := cutWord(rest)
	for i := range ubgiOptions {
		o := &ubgiOptions[i]
		if o.key != name {
			continue
		}
		if word == "set" {
			return s.apply(o, name, value)
		}
		s.reply("value %s", strings.TrimRight(name+" "+o.get(&s.settings), " "))
		return nil
	}
	return &ubgiError{badValue, "unknown key " + name}
}

func (s *ubgiSession) apply(o *ubgiOption, name, value string) error {
	before := s.settings
	if err := o.set(&s.settings, s.UBGI, value); err != nil {
		s.settings = before
		return &ubgiError{badValue, name + " " + err.Error()}
	}
	if s.settings != before {
		s.thinker = nil
	}
	return nil
}

// setContext answers the commands of version 0.1 about the match.
func (s *ubgiSession) setContext(word string, words []string) error {
	c := s.context
	var err error
	switch word {
	case "newsession":
		c = ubgiContext{cube: 1, owner: -1}
		err = c.readSession(words)
	case "setscore":
		err = c.readScore(words)
	case "setcube":
		err = c.readCube(words)
	case "setturn":
		if len(words) != 1 {
			return &ubgiError{badValue, word}
		}
		c.turn, err = player(words[0])
	}
	if err != nil {
		return &ubgiError{badValue, word + " " + err.Error()}
	}
	s.context = c
	if s.position != nil {
		c.apply(s.position)
	}
	return nil
}

func player(text string) (int, error) {
	switch text {
	case "p0":
		return 0, nil
	case "p1":
		return 1, nil
	}
	return 0, fmt.Errorf("%q is not p0 or p1", text)
}

// readSession reads "type money|match [length N] [jacoby on|off] [crawford on|off]".
func (c *ubgiContext) readSession(words []string) error {
	match := false
	for len(words) > 0 {
		if len(words) == 1 {
			return fmt.Errorf("%s without a value", words[0])
		}
		word, value := words[0], words[1]
		words = words[2:]
		on, isBool := parseBool(value)
		switch {
		case word == "type" && (value == "money" || value == "match"):
			match = value == "match"
		case word == "length":
			n, err := number(value, 1, maxLength)
			if err != nil {
				return err
			}
			c.length = n
		case word == "jacoby" && isBool:
			c.rules.Jacoby = on
		case word == "crawford" && isBool:
			c.rules.NoCrawford = !on
		default:
			return fmt.Errorf("%s %s", word, value)
		}
	}
	switch {
	case !match:
		c.length = 0
	case c.length == 0:
		return errors.New("a match needs a length")
	}
	return nil
}

// readScore reads the points of both players. The first game with a player one point away from
// winning is the Crawford game.
func (c *ubgiContext) readScore(words []string) error {
	if len(words) != 2 {
		return errors.New("want two numbers")
	}
	before := c.score
	for i, word := range words {
		n, err := number(word, 0, 1<<15)
		if err != nil {
			return err
		}
		if c.length > 0 && n >= c.length {
			return fmt.Errorf("%d points end a match to %d", n, c.length)
		}
		c.score[i] = n
	}
	switch {
	case c.length == 0 || c.score[0] != c.length-1 && c.score[1] != c.length-1:
		c.crawford = 0
	case c.crawford == 0:
		c.crawford = 1
	case c.score != before:
		c.crawford = 2
	}
	return nil
}

// readCube reads "value N owner center|p0|p1".
func (c *ubgiContext) readCube(words []string) error {
	if len(words) != 4 || words[0] != "value" || words[2] != "owner" {
		return errors.New("want value N owner center|p0|p1")
	}
	n, err := number(words[1], 1, 1<<20)
	if err != nil || n&(n-1) != 0 {
		return errors.New("the value is not 1, 2, 4 and so on")
	}
	owner := -1
	if words[3] != "center" && words[3] != "centre" {
		if owner, err = player(words[3]); err != nil {
			return err
		}
	}
	c.cube, c.owner = n, owner
	return nil
}

// apply puts s in the context, its player on roll being the one whose turn it is.
func (c *ubgiContext) apply(s *bg.State) {
	s.Seat = c.turn
	s.Rules = c.rules
	s.Score = bg.Score{}
	if c.length > 0 {
		s.Score = bg.Score{
			Length: c.length, OnRoll: c.score[c.turn], Opponent: c.score[1-c.turn],
			Crawford: c.crawford == 1 && !c.rules.NoCrawford,
		}
	}
	s.Cube = bg.Cube{Value: c.cube}
	switch c.owner {
	case c.turn:
		s.Cube.Owner = bg.OnRoll
	case 1 - c.turn:
		s.Cube.Owner = bg.Opponent
	}
}
