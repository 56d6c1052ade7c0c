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
		{word: "annotate", help: "Record notes about a game", sub: missing("accept", "clear", "cube", "double", "drop", "move", "pass", "reject", "resign", "roll", "take")},
		{word: "end", help: "Automatically make plays", sub: []consoleCommand{{word: "game", help: "Let the computer play to the end of the game", run: (*consoleSession).endGame}}},
		{word: "beaver", help: "Synonym for `redouble'", run: (*consoleSession).answerBeaver},
		{word: "calibrate", help: "Measure evaluation speed", run: (*consoleSession).calibrate},
		{word: "clear", help: "Clear information", sub: []consoleCommand{
			{word: "analysis", run: say("")},
			{word: "cache", help: "Clear the evaluation cache", run: say("")},
			{word: "hint", help: "Clear analysis used for `hint'", run: say("Analysis used for `hint' has been cleared")},
		}},
		{word: "cmark", help: "Mark candidates", sub: missing("cube", "game", "match", "move")},
		{word: "copy", help: "Copy current position to clipboard"},
		{word: "decline", help: "Decline a resignation", run: (*consoleSession).decline},
		{word: "dicerolls", help: "Generate a list of rolls", run: (*consoleSession).diceRolls},
		{word: "double", help: "Offer a double", run: func(s *consoleSession, _ string) { s.offerDouble() }},
		{word: "drop", help: "Decline an offered double", run: (*consoleSession).answerDrop},
		{word: "eq2mwc", help: "Convert normalised money equity to match winning chance", run: func(s *consoleSession, args string) { s.convert(args, true) }},
		{word: "eval", help: "Display evaluation of a position", run: (*consoleSession).eval},
		{word: "exit", help: "Leave kotra", run: (*consoleSession).leave},
		{word: "export", help: "Write data for use by other programs", sub: exportCommands()},
		{word: "external", help: "Make moves for an external controller"},
		{word: "first", help: "Goto first move or game", run: func(s *consoleSession, args string) { s.navigate(args, len(s.game.past)) }},
		{word: "help", help: "Describe commands", run: (*consoleSession).help},
		{word: "hint", help: "Give hints on cube action or best legal moves", run: (*consoleSession).hint},
		{word: "history", help: "Display current history", run: say("")},
		{word: "invert", help: "Invert match equity table", sub: missing("matchequitytable", "met")},
		{word: "import", help: "Import matches, games or positions from other programs", sub: []consoleCommand{
			{word: "auto", help: "Import from any known format", run: (*consoleSession).importFile},
			{word: "bga"},
			{word: "bgroom"},
			{word: "bkg"},
			{word: "empire"},
			{word: "gam", help: "Import a game in Jellyfish's text format", run: (*consoleSession).importFile},
			{word: "mat", help: "Import a Jellyfish match", run: (*consoleSession).importFile},
			{word: "oldmoves", help: "Import a FIBS oldmoves file", run: (*consoleSession).importFile},
			{word: "party"},
			{word: "pos"},
			{word: "sgg"},
			{word: "snowietxt", help: "Import a Snowie .txt match", run: (*consoleSession).importFile},
			{word: "tmg"},
			{word: "xg", help: "Import an eXtreme Gammon match", run: (*consoleSession).importFile},
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
		{word: "move", help: "Make a backgammon move", args: "<from> <to> ...", run: (*consoleSession).move},
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
		{word: "relational", help: "Log matches to an external relational database", sub: []consoleCommand{
			{word: "add", run: say("Error opening database")},
			{word: "erase", run: say("Error opening database")},
			{word: "select", run: say("Error opening database")},
			{word: "setup"},
			{word: "show", run: say("")},
			{word: "test", run: say("Database connection test failed, installation problem!")},
		}},
		{word: "resign", help: "Offer to end the current game", run: (*consoleSession).resign},
		{word: "roll", help: "Roll the dice", run: func(s *consoleSession, _ string) { s.roll() }},
		{word: "rollout", help: "Have kotra perform rollouts of the current position.", run: (*consoleSession).rollOut},
		{word: "save", help: "Write data to a file", sub: []consoleCommand{
			{word: "game", run: func(s *consoleSession, args string) { s.save("game", args, true) }},
			{word: "match", run: func(s *consoleSession, args string) { s.save("match", args, false) }},
			{word: "position", run: (*consoleSession).savePosition},
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

func analyzeCommands() []consoleCommand {
	return []consoleCommand{
		{word: "clear", run: func(s *consoleSession, _ string) { s.analysis = nil }},
		{word: "game", run: (*consoleSession).analyze},
		{word: "match", run: (*consoleSession).analyze},
		{word: "move", run: say("Please use `hint' on unfinished moves")},
		{word: "session", run: (*consoleSession).analyze},
	}
}

// alwaysOn returns a command for a switch that cannot be turned off.
func alwaysOn(name, text string) func(*consoleSession, string) {
	return func(s *consoleSession, args string) {
		if on, ok := s.switchArg("analysis "+name, args); ok && on {
			s.println(text)
		} else if ok {
			s.printf("kotra does not have the command `%s off'.\n", name)
		}
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

// setCommands follow "set".
func setCommands() []consoleCommand {
	ignored := func(text string) func(*consoleSession, string) { return say(text) }
	return []consoleCommand{
		{word: "analysis", help: "How matches are analysed", sub: []consoleCommand{
			{word: "chequerplay", run: func(s *consoleSession, args string) {
				s.setStrength("Analysis chequerplay", &s.options.analysisChecker, args)
			}},
			{word: "cubedecision", run: func(s *consoleSession, args string) {
				s.setStrength("Analysis cubedecision", &s.options.analysisCube, args)
			}},
			{word: "cube", run: alwaysOn("cube", "Cube action will be analysed.")},
			{word: "luck", run: alwaysOn("luck", "Dice rolls will be analysed.")},
			{word: "luckanalysis"},
			{word: "movefilter", run: ignored("")},
			{word: "moves", run: alwaysOn("moves", "Chequer play will be analysed.")},
			{word: "player"},
			{word: "threshold"},
		}},
		{word: "automatic", help: "Perform certain functions without user input", sub: []consoleCommand{
			{word: "bearoff", help: "Automatically bear off as many chequers as possible", run: choose("automatic bearoff", func(s *consoleSession) *bool { return &s.options.autoBearoff }, "Will automatically bear off as many chequers as possible.", "Will not automatically bear off chequers.")},
			{word: "crawford", help: "Enable the Crawford game based on match score", run: choose("automatic crawford", func(s *consoleSession) *bool { return &s.options.autoCrawford }, "Will enable the Crawford game according to match score.", "Will not enable the Crawford game according to match score.")},
			{word: "doubles", help: "Control automatic doubles during (money) session play", run: (*consoleSession).setAutomaticDoubles},
			{word: "game", help: "Select whether to start new games after wins", run: choose("automatic game", func(s *consoleSession) *bool { return &s.options.autoGame }, "Will automatically start games after wins.", "Will not automatically start games.")},
			{word: "move", help: "Select whether forced moves will be made automatically", run: choose("automatic move", func(s *consoleSession) *bool { return &s.options.autoMove }, "Forced moves will be made automatically.", "Forced moves will not be made automatically.")},
			{word: "roll", help: "Control whether dice will be rolled automatically", run: choose("automatic roll", func(s *consoleSession) *bool { return &s.options.autoRoll }, "Will automatically roll the dice when no cube action is possible.", "Will not automatically roll the dice.")},
		}},
		{word: "beavers", help: "How often a double may be turned on at once", run: (*consoleSession).setBeavers},
		{word: "board", help: "Set up a position: a Position ID, `simple' and 26 integers, =N from the last hint", run: (*consoleSession).setBoard},
		{word: "cache", help: "Size of the evaluation cache", run: (*consoleSession).setCache},
		{word: "clockwise", help: "Direction in which boards are drawn", run: func(s *consoleSession, args string) {
			choose("clockwise", func(s *consoleSession) *bool { return &s.options.clockwise }, clockwiseText(true), clockwiseText(false))(s, args)
		}},
		{word: "confirm", help: "Questions before games or files are lost", sub: []consoleCommand{
			{word: "default", run: ignored("")},
			{word: "new", run: choose("confirm new", func(s *consoleSession) *bool { return &s.options.confirmNew }, "Will ask for confirmation before aborting games in progress.", "Will not ask for confirmation before aborting games in progress.")},
			{word: "save", run: choose("confirm save", func(s *consoleSession) *bool { return &s.options.confirmSave }, "Will ask for confirmation before overwriting existing files.", "Will not ask for confirmation overwriting existing files.")},
		}},
		{word: "crawford", help: "Whether this is the Crawford game", run: func(s *consoleSession, args string) { s.setCrawford(args, false) }},
		{word: "cube", help: "Value, owner and use of the cube", sub: []consoleCommand{
			{word: "center", run: (*consoleSession).setCubeCenter},
			{word: "centre", run: (*consoleSession).setCubeCenter},
			{word: "owner", run: (*consoleSession).setCubeOwner},
			{word: "use", run: (*consoleSession).setCubeUse},
			{word: "value", run: (*consoleSession).setCubeValue},
		}},
		{word: "defaultnames", help: "Names of the players in new matches", run: (*consoleSession).setDefaultNames},
		{word: "delay", help: "Delay between moves", run: ignored("The `set delay' command applies only when using a window system.")},
		{word: "dice", help: "Roll of the player on roll", run: (*consoleSession).setDice},
		{word: "display", help: "Whether boards are shown for computer moves", run: func(s *consoleSession, args string) {
			on := !s.options.noDisplay
			choose("display", func(*consoleSession) *bool { return &on }, "Will display boards for computer moves.", "Will not display boards for computer moves.")(s, args)
			s.options.noDisplay = !on
		}},
		{word: "evaluation", help: "Strength of hint and eval", sub: []consoleCommand{
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
		{word: "gnubgid", help: "Set up a GNU Backgammon ID", run: (*consoleSession).setGNUID},
		{word: "gotofirstgame", help: "Where a loaded match is shown first", run: choose("gotofirstgame", nil, "Goto first game when loading matches or sessions.", "Goto last game when loading matches or sessions.")},
		{word: "jacoby", help: "Whether the Jacoby rule is used in money games", run: (*consoleSession).setJacoby},
		{word: "lang", help: "Language", run: ignored("Locale is now '%s'")},
		{word: "matchequitytable", help: "Match equity table, from an XML file", run: (*consoleSession).setMET},
		{word: "matchid", help: "Set up a Match ID", run: (*consoleSession).setMatchID},
		{word: "matchinfo", help: "Event, date, ratings and the like", sub: []consoleCommand{
			{word: "annotator", run: func(s *consoleSession, args string) { s.setTag("Annotator", args) }},
			{word: "comment", run: func(s *consoleSession, args string) { s.setTag("", args) }},
			{word: "date", run: func(s *consoleSession, args string) { s.setTag("EventDate", strings.Join(strings.Fields(args), ".")) }},
			{word: "event", run: func(s *consoleSession, args string) { s.setTag("Event", args) }},
			{word: "place", run: func(s *consoleSession, args string) { s.setTag("Site", args) }},
			{word: "rating", run: (*consoleSession).setRating},
			{word: "round", run: func(s *consoleSession, args string) { s.setTag("Round", args) }},
		}},
		{word: "matchlength", help: "Length of new matches", run: (*consoleSession).setMatchLength},
		{word: "met", help: "Synonym for `set matchequitytable'", run: (*consoleSession).setMET},
		{word: "output", help: "Form of numbers", sub: []consoleCommand{
			{word: "digits", run: (*consoleSession).setDigits},
			{word: "matchpc", run: choose("output matchpc", func(s *consoleSession) *bool { return &s.options.matchPercent }, "Match winning chances will be shown as percentages.", "Match winning chances will be shown as probabilities.")},
			{word: "mwc", run: choose("output mwc", func(s *consoleSession) *bool { return &s.options.mwc }, "Match evaluations will be shown as match winning chances.", "Match evaluations will be shown as equivalent money equity.")},
			{word: "rawboard", run: ignored("kotra draws boards in ASCII only.")},
			{word: "winpc", run: choose("output winpc", func(s *consoleSession) *bool { return &s.options.winPercent }, "Game winning chances will be shown as percentages.", "Game winning chances will be shown as probabilities.")},
		}},
		{word: "player", help: "Who plays, and how well", run: (*consoleSession).setPlayer},
		{word: "postcrawford", help: "Whether the Crawford game is over", run: func(s *consoleSession, args string) { s.setCrawford(args, true) }},
		{word: "priority"},
		{word: "prompt", help: "Prompt on a terminal", run: (*consoleSession).setPrompt},
		{word: "rng", help: "Dice generator", sub: append(missing("bbs", "file", "isaac", "manual", "md5"),
			consoleCommand{word: "mersenne", help: "Use the Mersenne Twister generator", run: say("You are already using the Mersenne Twister generator.")},
			consoleCommand{word: "random.org"})},
		{word: "rollout", help: "How rollouts are made", sub: rolloutCommands()},
		{word: "score", help: "Score of the match or session", run: (*consoleSession).setScore},
		{word: "seed", help: "Seed of the dice", run: (*consoleSession).setSeed},
		{word: "sound", help: "Sounds", run: ignored("")},
		{word: "threads", help: "Number of calculation threads", run: (*consoleSession).setThreads},
		{word: "turn", help: "Who is on roll", run: (*consoleSession).setTurn},
		{word: "tutor", help: "Warnings", sub: []consoleCommand{{word: "mode", run: ignored("No warnings for possibly bad play.")}}},
		{word: "variation", help: "Variant of the game", sub: []consoleCommand{
			{word: "standard", run: (*consoleSession).setVariation},
			{word: "nackgammon"},
		}},
		{word: "xgid", help: "Set up an XGID", run: (*consoleSession).setXGID},
	}
}

// showCommands follow "show".
func showCommands() []consoleCommand {
	return []consoleCommand{
		{word: "8912", help: "What the rule of 8, 9 and 12 says", run: (*consoleSession).show8912},
		{word: "analysis", help: "How matches are analysed", run: (*consoleSession).showAnalysis},
		{word: "automatic", help: "What is done without user input", run: (*consoleSession).showAutomatic},
		{word: "beavers", help: "How often a double may be turned on at once", run: (*consoleSession).showBeavers},
		{word: "board", help: "The board, or that of a Position ID", run: (*consoleSession).showBoardAs},
		{word: "bearoff"},
		{word: "buildinfo", help: "The program", run: (*consoleSession).showVersion},
		{word: "calibration", help: "Speed that calibrate has measured", run: (*consoleSession).showCalibration},
		{word: "clockwise", help: "Direction in which boards are drawn", run: (*consoleSession).showClockwise},
		{word: "commands", help: "All commands", run: func(s *consoleSession, _ string) { s.listAll("", s.language.commands) }},
		{word: "confirm", help: "What is confirmed", run: (*consoleSession).showConfirm},
		{word: "crawford", help: "Whether this is the Crawford game", run: (*consoleSession).showCrawford},
		{word: "cube", help: "Value and owner of the cube", run: (*consoleSession).showCube},
		{word: "delay", help: "Delay between moves", run: say("The delay is set to 0 ms.")},
		{word: "dice", help: "The roll", run: (*consoleSession).showDice},
		{word: "display", help: "Whether boards are shown for computer moves", run: func(s *consoleSession, _ string) {
			s.printf("GNU Backgammon will %sdisplay boards for computer moves.\n", map[bool]string{true: "not "}[s.options.noDisplay])
		}},
		{word: "engine", help: "What evaluates positions", run: func(s *consoleSession, _ string) {
			if s.About != nil {
				s.printf("%s", s.About())
			}
		}},
		{word: "evaluation", help: "Strength of hint and eval", run: (*consoleSession).showEvaluation},
		{word: "fullboard", help: "The board", run: (*consoleSession).showBoardAs},
		{word: "gammonvalues", help: "What gammons are worth at the score", run: (*consoleSession).showGammonValues},
		{word: "isight", help: "Isight count of the race", run: (*consoleSession).showIsight},
		{word: "jacoby", help: "Whether the Jacoby rule is used", run: (*consoleSession).showJacoby},
		{word: "keith", help: "Keith count of the race", run: (*consoleSession).showKeith},
		{word: "kleinman", help: "Kleinman count of the race", run: (*consoleSession).showKleinman},
		{word: "lang", help: "Language", run: say("Your language preference is set to C.")},
		{word: "marketwindow", help: "Doubling window of both players", run: (*consoleSession).showMarketWindow},
		{word: "matchequitytable", help: "Match equity table", run: (*consoleSession).showMET},
		{word: "matchinfo", help: "Event, date, ratings and the like", run: (*consoleSession).showMatchInfo},
		{word: "matchlength", help: "Length of new matches", run: func(s *consoleSession, _ string) {
			s.printf("New matches default to %s.\n", plural(s.options.length, "point"))
		}},
		{word: "met", help: "Synonym for `show matchequitytable'", run: (*consoleSession).showMET},
		{word: "onesidedrollout"},
		{word: "output", help: "Form of numbers", run: (*consoleSession).showOutput},
		{word: "pipcount", help: "Pip counts of both players", run: (*consoleSession).showPipCount},
		{word: "player", help: "Who plays, and how well", run: (*consoleSession).showPlayers},
		{word: "postcrawford", help: "Whether the Crawford game is over", run: (*consoleSession).showPostCrawford},
		{word: "prompt", help: "Prompt on a terminal", run: func(s *consoleSession, _ string) { s.printf("The prompt is set to `%s'.\n", s.prompt) }},
		{word: "ratingoffset"},
		{word: "rng", help: "Dice generator", run: say("You are using the Mersenne Twister generator.")},
		{word: "rolls", run: say("That command is not yet implemented.")},
		{word: "rollout", help: "How rollouts are made", run: (*consoleSession).showRollout},
		{word: "score", help: "Score of the match or session", run: func(s *consoleSession, _ string) {
			if !s.game.started() {
				s.println("No match in progress.")
				return
			}
			s.showScore()
		}},
		{word: "scoresheet", help: "Points of both players", run: (*consoleSession).showScoreSheet},
		{word: "seed", help: "Seed of the dice", run: (*consoleSession).showSeed},
		{word: "statistics", help: "Errors and luck", sub: []consoleCommand{
			{word: "game", run: func(s *consoleSession, _ string) { s.statistics(true) }},
			{word: "match", run: func(s *consoleSession, _ string) { s.statistics(false) }},
			{word: "session", run: func(s *consoleSession, _ string) { s.statistics(false) }},
		}},
		{word: "temperaturemap", run: say("That command is not yet implemented.")},
		{word: "thorp", help: "Thorp count of the race", run: (*consoleSession).showThorp},
		{word: "threads", help: "Number of calculation threads", run: say("1 calculation thread.")},
		{word: "turn", help: "Who is on roll", run: (*consoleSession).showTurn},
		{word: "tutor", help: "Warnings", run: say("No warnings are given for chequer moves.\nNo warnings are given for cube decisions.")},
		{word: "variation", help: "Variant of the game", run: say("You are playing: Standard backgammon\nDefault variation is: Standard backgammon")},
		{word: "version", help: "The program", run: (*consoleSession).showVersion},
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
			s.printf("\n")
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
		s.printf("%s\n", c.args)
		return
	}
	s.println("<subcommand>\nAvailable subcommands:")
	s.list(c.sub)
}

// listAll writes every command in full, one a line.
func (s *consoleSession) listAll(path string, commands []consoleCommand) {
	for i := range commands {
		switch c := &commands[i]; {
		case c.hidden:
		case c.sub != nil:
			s.listAll(path+c.word+" ", c.sub)
		case c.run != nil:
			s.println(path + c.word)
		}
	}
}

func (s *consoleSession) list(commands []consoleCommand) {
	for i := range commands {
		if c := &commands[i]; !c.hidden {
			s.printf("%-15s\t%s\n", c.word, c.help)
		}
	}
	s.printf("\n")
}
