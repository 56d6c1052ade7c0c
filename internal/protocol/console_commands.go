package protocol

import (
	"strconv"
	"strings"
)

// A consoleLanguage holds the words of a console.
type consoleLanguage struct {
	// commands are the words that a line can start with, in the order in which a prefix is
	// looked for.
	commands []consoleCommand
	player   []consoleCommand // follow "set player PLAYER"
	strength []consoleCommand // say how a decision is evaluated
}

func newConsoleLanguage() *consoleLanguage {
	return &consoleLanguage{commands: consoleCommands(), player: playerCommands(), strength: strengthCommands()}
}

func consoleCommands() []consoleCommand {
	return []consoleCommand{
		{word: "r", run: func(s *consoleSession, _ string) { s.roll() }, hidden: true},
		{word: "n", run: func(s *consoleSession, args string) { s.navigate(args, -1) }, hidden: true},
		{word: "p", run: func(s *consoleSession, args string) { s.navigate(args, 1) }, hidden: true},
		{word: "accept", help: "Accept a cube or resignation", run: (*consoleSession).accept},
		{word: "agree", help: "Agree to a resignation", run: (*consoleSession).agree},
		{word: "analyse", help: "Run analysis", sub: analyzeCommands()},
		{word: "analyze", help: "Run analysis", hidden: true, sub: analyzeCommands()},
		{word: "annotate", help: "Record notes about a game"},
		{word: "end", help: "Automatically make plays", sub: missing("game")},
		{word: "beaver", help: "Synonym for `redouble'", run: (*consoleSession).answerBeaver},
		{word: "calibrate", help: "Measure evaluation speed"},
		{word: "clear", help: "Clear information", sub: []consoleCommand{
			{word: "analysis", run: say("")},
			{word: "cache", help: "Clear the evaluation cache", run: say("")},
			{word: "hint", help: "Clear analysis used for `hint'", run: say("Analysis used for `hint' has been cleared")},
		}},
		{word: "cmark", help: "Mark candidates"},
		{word: "copy", help: "Copy current position to clipboard"},
		{word: "decline", help: "Decline a resignation", run: (*consoleSession).decline},
		{word: "dicerolls", help: "Generate a list of rolls", run: (*consoleSession).diceRolls},
		{word: "double", help: "Offer a double", run: func(s *consoleSession, _ string) { s.offerDouble() }},
		{word: "drop", help: "Decline an offered double", run: (*consoleSession).answerDrop},
		{word: "eq2mwc", help: "Convert normalised money equity to match winning chance", run: func(s *consoleSession, args string) { s.convert(args, true) }},
		{word: "eval", help: "Display evaluation of a position", run: (*consoleSession).eval},
		{word: "exit", help: "Leave kotra", run: (*consoleSession).leave},
		{word: "export", help: "Write data for use by other programs", sub: []consoleCommand{
			{word: "game", sub: missing("gam", "html", "latex", "pdf", "png", "position", "ps", "text")},
			{word: "match", sub: []consoleCommand{
				{word: "html"}, {word: "latex"}, {word: "mat", run: (*consoleSession).exportMat}, {word: "pdf"}, {word: "ps"}, {word: "snowietxt"}, {word: "text"},
			}},
			{word: "position", sub: missing("eps", "gammononline", "html", "pdf", "png", "pos", "snowietxt", "svg", "text")},
			{word: "session", sub: []consoleCommand{{word: "html"}, {word: "mat", run: (*consoleSession).exportMat}, {word: "text"}}},
		}},
		{word: "external", help: "Make moves for an external controller"},
		{word: "first", help: "Goto first move or game", run: func(s *consoleSession, args string) { s.navigate(args, len(s.game.past)) }},
		{word: "help", help: "Describe commands", run: (*consoleSession).help},
		{word: "hint", help: "Give hints on cube action or best legal moves", run: (*consoleSession).hint},
		{word: "history", help: "Display current history"},
		{word: "invert", help: "Invert match equity table", sub: missing("matchequitytable", "met")},
		{word: "import", help: "Import matches, games or positions from other programs", sub: []consoleCommand{
			{word: "auto", run: (*consoleSession).importFile},
			{word: "bga"},
			{word: "bgroom"},
			{word: "bkg"},
			{word: "gam"},
			{word: "mat", run: (*consoleSession).importFile},
			{word: "oldmoves"},
			{word: "party"},
			{word: "pos"},
			{word: "sgg"},
			{word: "snowietxt"},
			{word: "tmg"},
			{word: "xg", run: (*consoleSession).importFile},
		}},
		{word: "list", help: "Show a list of games or moves", sub: []consoleCommand{
			{word: "game", run: (*consoleSession).listGame},
			{word: "match", run: say("")},
			{word: "session", run: say("")},
		}},
		{word: "load", help: "Read data from a file", sub: []consoleCommand{
			{word: "commands"},
			{word: "game", run: (*consoleSession).loadFile},
			{word: "match", run: (*consoleSession).loadFile},
			{word: "position", run: (*consoleSession).loadFile},
			{word: "python"},
		}},
		{word: "move", help: "Make a backgammon move", run: (*consoleSession).move},
		{word: "mwc2eq", help: "Convert match winning chance to normalised money equity", run: func(s *consoleSession, args string) { s.convert(args, false) }},
		{word: "new", help: "Start a new game, match or session", sub: []consoleCommand{
			{word: "game", help: "Start a new game within the current match or session", run: (*consoleSession).commandNewGame},
			{word: "match", help: "Play a new match to some number of points", run: (*consoleSession).commandNewMatch},
			{word: "session", help: "Start a new (money) session", run: func(s *consoleSession, _ string) { s.newMatch(0) }},
		}},
		{word: "next", help: "Step ahead within the game", run: func(s *consoleSession, args string) { s.navigate(args, -1) }},
		{word: "pass", help: "Synonym for `drop'", run: (*consoleSession).answerDrop},
		{word: "play", help: "Force the computer to move", run: (*consoleSession).playNow},
		{word: "previous", help: "Step backward within the game", run: func(s *consoleSession, args string) { s.navigate(args, 1) }},
		{word: "quit", help: "Leave kotra", run: (*consoleSession).leave},
		{word: "redouble", help: "Accept the cube one level higher than it was offered", run: (*consoleSession).answerBeaver},
		{word: "reject", help: "Reject a cube or resignation", run: (*consoleSession).reject},
		{word: "relational", help: "Log matches to an external relational database"},
		{word: "resign", help: "Offer to end the current game", run: (*consoleSession).resign},
		{word: "roll", help: "Roll the dice", run: func(s *consoleSession, _ string) { s.roll() }},
		{word: "rollout", help: "Have kotra perform rollouts of the current position.", run: (*consoleSession).rollOut},
		{word: "save", help: "Write data to a file", sub: []consoleCommand{
			{word: "game", run: func(s *consoleSession, args string) { s.save("game", args, true) }},
			{word: "match", run: func(s *consoleSession, args string) { s.save("match", args, false) }},
			{word: "position"},
			{word: "session", run: func(s *consoleSession, args string) { s.save("session", args, false) }},
			{word: "settings", run: say("kotra has no settings to save.")},
		}},
		{word: "set", help: "Modify program parameters", sub: setCommands()},
		{word: "show", help: "View program parameters", sub: showCommands()},
		{word: "swap", help: "Swap players", sub: []consoleCommand{{word: "players", help: "Swap the players", run: (*consoleSession).swap}}},
		{word: "take", help: "Agree to an offered double", run: (*consoleSession).answerTake},
		{word: "?", help: "Describe commands", run: (*consoleSession).help},
	}
}

func playerCommands() []consoleCommand {
	return []consoleCommand{
		{word: "chequerplay", run: func(s *consoleSession, args string) {
			p := &s.players[s.target]
			s.setStrength(p.name, &p.checker, args)
		}},
		{word: "cubedecision", run: func(s *consoleSession, args string) {
			p := &s.players[s.target]
			s.setStrength(p.name, &p.cube, args)
		}},
		{word: "external"},
		{word: "gnubg", run: (*consoleSession).setPlayerGNU},
		{word: "human", run: (*consoleSession).setPlayerHuman},
		{word: "movefilter", run: say("")},
		{word: "name", run: (*consoleSession).setPlayerName},
	}
}

func strengthCommands() []consoleCommand {
	return []consoleCommand{
		{word: "evaluation", sub: strengthLeaves()},
		{word: "rollout"},
		{word: "type", run: (*consoleSession).setType},
	}
}

func analyzeCommands() []consoleCommand {
	return []consoleCommand{
		{word: "clear", run: func(s *consoleSession, _ string) { s.analysis = nil }},
		{word: "game", run: (*consoleSession).analyze},
		{word: "match", run: (*consoleSession).analyze},
		{word: "move", run: say("Please use `hint' on unfinished moves")},
		{word: "session", run: (*consoleSession).analyze},
	}
}

// missing returns words of gnubg's that kotra knows, but does nothing for.
func missing(words ...string) []consoleCommand {
	commands := make([]consoleCommand, len(words))
	for i, word := range words {
		commands[i].word = word
	}
	return commands
}

// strengthLeaves are the settings of an evaluation.
func strengthLeaves() []consoleCommand {
	return []consoleCommand{
		{word: "cubeful", run: (*consoleSession).setCubeful},
		{word: "deterministic", run: func(s *consoleSession, args string) {
			if _, ok := s.switchArg("deterministic", args); ok {
				s.printf("%s will use deterministic noise.\n\n", s.scope.who)
			}
		}},
		{word: "noise", run: (*consoleSession).setNoise},
		{word: "plies", run: (*consoleSession).setPlies},
		{word: "prune", run: func(s *consoleSession, args string) {
			if on, ok := s.switchArg("prune", args); ok && on {
				s.printf("%s will use pruning.\n\n", s.scope.who)
			} else if ok {
				s.printf("%s will not use pruning.\n\n", s.scope.who)
			}
		}},
	}
}

// setCommands follow "set".
func setCommands() []consoleCommand {
	ignored := func(text string) func(*consoleSession, string) { return say(text) }
	return []consoleCommand{
		{word: "analysis", sub: []consoleCommand{
			{word: "chequerplay", run: func(s *consoleSession, args string) {
				s.setStrength("Analysis chequerplay", &s.options.analysisChecker, args)
			}},
			{word: "cubedecision", run: func(s *consoleSession, args string) {
				s.setStrength("Analysis cubedecision", &s.options.analysisCube, args)
			}},
			{word: "luck", run: choose("analysis luck", nil, "Dice rolls will be analysed.", "Dice rolls will not be analysed.")},
			{word: "movefilter", run: ignored("")},
		}},
		{word: "automatic", sub: []consoleCommand{
			{word: "bearoff", run: choose("automatic bearoff", func(s *consoleSession) *bool { return &s.options.autoBearoff }, "Will automatically bear off as many chequers as possible.", "Will not automatically bear off chequers.")},
			{word: "crawford", run: choose("automatic crawford", func(s *consoleSession) *bool { return &s.options.autoCrawford }, "Will enable the Crawford game according to match score.", "Will not enable the Crawford game according to match score.")},
			{word: "doubles", run: (*consoleSession).setAutomaticDoubles},
			{word: "game", run: choose("automatic game", func(s *consoleSession) *bool { return &s.options.autoGame }, "Will automatically start games after wins.", "Will not automatically start games.")},
			{word: "move", run: choose("automatic move", func(s *consoleSession) *bool { return &s.options.autoMove }, "Forced moves will be made automatically.", "Forced moves will not be made automatically.")},
			{word: "roll", run: choose("automatic roll", func(s *consoleSession) *bool { return &s.options.autoRoll }, "Will automatically roll the dice when no cube action is possible.", "Will not automatically roll the dice.")},
		}},
		{word: "beavers", run: (*consoleSession).setBeavers},
		{word: "board", run: (*consoleSession).setBoard},
		{word: "cache", run: (*consoleSession).setCache},
		{word: "clockwise", run: func(s *consoleSession, args string) {
			choose("clockwise", func(s *consoleSession) *bool { return &s.options.clockwise }, clockwiseText(true), clockwiseText(false))(s, args)
		}},
		{word: "confirm", sub: []consoleCommand{
			{word: "default", run: ignored("")},
			{word: "new", run: choose("confirm new", nil, "Will ask for confirmation before aborting games in progress.", "Will not ask for confirmation before aborting games in progress.")},
			{word: "save", run: choose("confirm save", nil, "Will ask for confirmation before overwriting existing files.", "Will not ask for confirmation overwriting existing files.")},
		}},
		{word: "crawford", run: func(s *consoleSession, args string) { s.setCrawford(args, false) }},
		{word: "cube", sub: []consoleCommand{
			{word: "center", run: (*consoleSession).setCubeCenter},
			{word: "centre", run: (*consoleSession).setCubeCenter},
			{word: "owner", run: (*consoleSession).setCubeOwner},
			{word: "use", run: (*consoleSession).setCubeUse},
			{word: "value", run: (*consoleSession).setCubeValue},
		}},
		{word: "defaultnames", run: (*consoleSession).setDefaultNames},
		{word: "delay", run: ignored("The `set delay' command applies only when using a window system.")},
		{word: "dice", run: (*consoleSession).setDice},
		{word: "display", run: func(s *consoleSession, args string) {
			on := !s.options.noDisplay
			choose("display", func(*consoleSession) *bool { return &on }, "Will display boards for computer moves.", "Will not display boards for computer moves.")(s, args)
			s.options.noDisplay = !on
		}},
		{word: "evaluation", sub: []consoleCommand{
			{word: "chequerplay", run: func(s *consoleSession, args string) {
				s.setStrength("`eval' and `hint' chequerplay", &s.options.checker, args)
			}},
			{word: "cubedecision", run: func(s *consoleSession, args string) {
				s.setStrength("`eval' and `hint' cube decisions", &s.options.cube, args)
			}},
			{word: "movefilter", run: func(s *consoleSession, args string) {
				if args == "" {
					s.println("You must specify for which ply you want to set a filter")
				}
			}},
		}},
		{word: "gnubgid", run: (*consoleSession).setGNUID},
		{word: "gotofirstgame", run: choose("gotofirstgame", nil, "Goto first game when loading matches or sessions.", "Goto last game when loading matches or sessions.")},
		{word: "jacoby", run: (*consoleSession).setJacoby},
		{word: "lang", run: ignored("Locale is now '%s'")},
		{word: "matchequitytable", run: (*consoleSession).setMET},
		{word: "matchid", run: (*consoleSession).setMatchID},
		{word: "matchinfo", sub: []consoleCommand{
			{word: "annotator", run: func(s *consoleSession, args string) { s.setTag("Annotator", args) }},
			{word: "comment", run: func(s *consoleSession, args string) { s.setTag("", args) }},
			{word: "date", run: func(s *consoleSession, args string) { s.setTag("EventDate", strings.Join(strings.Fields(args), ".")) }},
			{word: "event", run: func(s *consoleSession, args string) { s.setTag("Event", args) }},
			{word: "place", run: func(s *consoleSession, args string) { s.setTag("Site", args) }},
			{word: "rating"},
			{word: "round", run: func(s *consoleSession, args string) { s.setTag("Round", args) }},
		}},
		{word: "matchlength", run: (*consoleSession).setMatchLength},
		{word: "met", run: (*consoleSession).setMET},
		{word: "output", sub: []consoleCommand{
			{word: "digits", run: (*consoleSession).setDigits},
			{word: "matchpc", run: choose("output matchpc", func(s *consoleSession) *bool { return &s.options.matchPercent }, "Match winning chances will be shown as percentages.", "Match winning chances will be shown as probabilities.")},
			{word: "mwc", run: choose("output mwc", func(s *consoleSession) *bool { return &s.options.mwc }, "Match evaluations will be shown as match winning chances.", "Match evaluations will be shown as equivalent money equity.")},
			{word: "rawboard", run: ignored("kotra draws boards in ASCII only.")},
			{word: "winpc", run: choose("output winpc", func(s *consoleSession) *bool { return &s.options.winPercent }, "Game winning chances will be shown as percentages.", "Game winning chances will be shown as probabilities.")},
		}},
		{word: "player", run: (*consoleSession).setPlayer},
		{word: "postcrawford", run: func(s *consoleSession, args string) { s.setCrawford(args, true) }},
		{word: "priority"},
		{word: "prompt", run: (*consoleSession).setPrompt},
		{word: "rng", run: func(s *consoleSession, args string) {
			switch word, _ := cutWord(args); {
			case word != "" && hasPrefixFold("mersenne", word):
				s.println("You are already using the Mersenne Twister generator.")
			default:
				s.printf("Unknown keyword `%s'.\n\n", word)
			}
		}},
		{word: "rollout", sub: rolloutCommands()},
		{word: "score", run: (*consoleSession).setScore},
		{word: "seed", run: (*consoleSession).setSeed},
		{word: "sound", run: ignored("")},
		{word: "threads", run: (*consoleSession).setThreads},
		{word: "turn", run: (*consoleSession).setTurn},
		{word: "tutor", sub: []consoleCommand{{word: "mode", run: ignored("No warnings for possibly bad play.")}}},
		{word: "variation", sub: []consoleCommand{
			{word: "standard", run: (*consoleSession).setVariation},
			{word: "nackgammon"},
		}},
		{word: "xgid", run: (*consoleSession).setXGID},
	}
}

// showCommands follow "show".
func showCommands() []consoleCommand {
	return []consoleCommand{
		{word: "analysis"},
		{word: "automatic", run: (*consoleSession).showAutomatic},
		{word: "beavers", run: (*consoleSession).showBeavers},
		{word: "board", run: (*consoleSession).showBoardAs},
		{word: "bearoff"},
		{word: "buildinfo", run: (*consoleSession).showVersion},
		{word: "calibration", run: say("No evaluation speed has been recorded.")},
		{word: "clockwise", run: (*consoleSession).showClockwise},
		{word: "confirm", run: say("kotra never asks for confirmation.")},
		{word: "crawford", run: (*consoleSession).showCrawford},
		{word: "cube", run: (*consoleSession).showCube},
		{word: "delay", run: say("The delay is set to 0 ms.")},
		{word: "dice", run: (*consoleSession).showDice},
		{word: "display", run: func(s *consoleSession, _ string) {
			if s.options.noDisplay {
				s.println("kotra will not display boards for computer moves.")
			} else {
				s.println("kotra will display boards for computer moves.")
			}
		}},
		{word: "engine"},
		{word: "evaluation", run: (*consoleSession).showEvaluation},
		{word: "fullboard", run: (*consoleSession).showBoardAs},
		{word: "jacoby", run: (*consoleSession).showJacoby},
		{word: "keith"},
		{word: "kleinman", run: (*consoleSession).showKleinman},
		{word: "lang", run: say("Your language preference is set to C.")},
		{word: "marketwindow"},
		{word: "matchequitytable", run: (*consoleSession).showMET},
		{word: "matchinfo", run: (*consoleSession).showMatchInfo},
		{word: "matchlength", run: func(s *consoleSession, _ string) {
			s.printf("New matches default to %s.\n", plural(s.options.length, "point"))
		}},
		{word: "met", run: (*consoleSession).showMET},
		{word: "onesidedrollout"},
		{word: "output", run: (*consoleSession).showOutput},
		{word: "pipcount", run: (*consoleSession).showPipCount},
		{word: "player", run: (*consoleSession).showPlayers},
		{word: "postcrawford", run: (*consoleSession).showPostCrawford},
		{word: "prompt", run: func(s *consoleSession, _ string) { s.printf("The prompt is set to `%s'.\n", s.prompt) }},
		{word: "ratingoffset"},
		{word: "rng", run: say("You are using the Mersenne Twister generator.")},
		{word: "rolls", run: say("That command is not yet implemented.")},
		{word: "rollout", run: (*consoleSession).showRollout},
		{word: "score", run: func(s *consoleSession, _ string) {
			if !s.game.started() {
				s.println("No match in progress.")
				return
			}
			s.showScore()
		}},
		{word: "scoresheet", run: (*consoleSession).showScoreSheet},
		{word: "seed", run: (*consoleSession).showSeed},
		{word: "statistics", sub: []consoleCommand{
			{word: "game", run: func(s *consoleSession, _ string) { s.statistics(true) }},
			{word: "match", run: func(s *consoleSession, _ string) { s.statistics(false) }},
			{word: "session", run: func(s *consoleSession, _ string) { s.statistics(false) }},
		}},
		{word: "temperaturemap", run: say("That command is not yet implemented.")},
		{word: "thorp"},
		{word: "threads", run: say("1 calculation thread.")},
		{word: "turn", run: (*consoleSession).showTurn},
		{word: "tutor", run: say("No warnings are given for chequer moves.\nNo warnings are given for cube decisions.")},
		{word: "variation", run: say("You are playing: Standard backgammon\nDefault variation is: Standard backgammon")},
		{word: "version", run: (*consoleSession).showVersion},
		{word: "xgid"},
	}
}

// navigate goes back through the match, or forward if direction is negative: by the number of
// states in args, or by games if it says so.
func (s *consoleSession) navigate(args string, direction int) {
	word, rest := cutWord(args)
	switch {
	case word != "" && hasPrefixFold("game", word):
		s.previousGame(direction * steps(rest))
	case word != "" && hasPrefixFold("roll", word):
		s.previous(direction * steps(rest))
	default:
		s.previous(direction * steps(args))
	}
}

// steps reads how far to go; nothing is 1.
func steps(args string) int {
	word, _ := cutWord(args)
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n < 1<<20 {
		return n
	}
	return 1
}

func (s *consoleSession) leave(string) { s.quit = true }

func (s *consoleSession) commandNewGame(string) {
	state := &s.game.state
	if !s.game.started() {
		s.println("No match in progress (type `new match n' to start one).")
		return
	}
	if mine, theirs := state.Score.Away(); !state.Score.Money() && (mine <= 0 || theirs <= 0) {
		s.println("The match is already over.")
		return
	}
	s.newGame()
}

func (s *consoleSession) commandNewMatch(args string) {
	n := s.options.length
	if word, _ := cutWord(args); word != "" {
		var err error
		if n, err = strconv.Atoi(word); err != nil || n < 0 || n > maxLength {
			s.printf("You must specify a valid match length (1 to %d).\n", maxLength)
			return
		}
	}
	s.newMatch(n)
}

func (s *consoleSession) diceRolls(args string) {
	for range min(steps(args), 10000) {
		d := s.dice.roll()
		s.printf("%d %d\n", d[0], d[1])
	}
}

// help lists commands, or describes the one that is named.
func (s *consoleSession) help(args string) {
	if args == "" {
		s.println("Available commands:")
		s.list(s.language.commands)
		return
	}
	commands, path := s.language.commands, ""
	var c *consoleCommand
	for word := range strings.FieldsSeq(args) {
		if c = findCommand(commands, word); c == nil {
			s.printf("No help available for topic `%s'", word)
			if path != "" {
				s.printf(" of `%s'", path)
			}
			s.printf(".\n")
			return
		}
		path = strings.TrimSpace(path + " " + c.word)
		commands = c.sub
	}
	help := c.help
	if help == "" {
		help = "a setting"
	}
	s.printf("%s - %s\n\nUsage: %s ", path, help, path)
	if c.sub == nil {
		s.printf("\n")
		return
	}
	s.println("<subcommand>\nAvailable subcommands:")
	s.list(c.sub)
}

func (s *consoleSession) list(commands []consoleCommand) {
	for i := range commands {
		if c := &commands[i]; !c.hidden {
			s.printf("%-15s\t%s\n", c.word, c.help)
		}
	}
	s.printf("\n")
}
