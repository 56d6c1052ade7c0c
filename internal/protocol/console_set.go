package protocol

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/cube/met"
	"kotra/record"
)

// setBoard puts checkers on the board.
func (s *consoleSession) setBoard(args string) {
	word, rest := cutWord(args)
	var pos bg.Position
	var err error
	switch {
	case word == "":
		s.println("You must specify a position (see `help set board').")
		return
	case hasPrefixFold("simple", word):
		fields := strings.Fields(rest)
		if len(fields) < 26 {
			s.printf("`simple' must be followed by 26 integers; found only %d\n", len(fields))
			return
		}
		var board [26]int
		for i := range board {
			if board[i], err = strconv.Atoi(fields[i]); err != nil {
				s.println("Illegal position.")
				return
			}
		}
		pos, err = bg.FromBoard(board, 15)
	default:
		var ok bool
		if pos, ok = s.position(word); !ok {
			err = bg.ErrPosition
		}
	}
	if err != nil {
		s.println("Illegal position.")
		return
	}
	if !s.settable("set the board") {
		return
	}
	state := s.game.state
	state.Position = pos
	s.game.setUp(state)
	s.showBoard()
}

// settable reports whether there is a game to change, and says so if not.
func (s *consoleSession) settable(what string) bool {
	if s.game.state.Status != bg.Playing {
		s.printf("There must be a game in progress to %s.\n", what)
		return false
	}
	return true
}

// setID takes a Match ID, a GNU Backgammon ID or an XGID and draws the board as often as gnubg.
func (s *consoleSession) setMatchID(args string) {
	word, _ := cutWord(args)
	state, err := bg.ParseGNUID(s.game.state.Position.ID() + ":" + word)
	if word == "" || err != nil {
		return
	}
	s.adopt(state)
	s.showBoard()
	s.showBoard()
}

func (s *consoleSession) setGNUID(args string) {
	var position, match string
	for part := range strings.FieldsFuncSeq(args, func(r rune) bool { return r == ':' || r == ' ' || r == '\t' }) {
		switch len(part) {
		case 14:
			if _, err := bg.ParsePositionID(part); err == nil {
				position = part
			}
		case 12:
			match = part
		}
	}
	state := s.game.state
	switch {
	case position != "" && match != "":
		var err error
		if state, err = bg.ParseGNUID(position + ":" + match); err != nil {
			s.println("No valid IDs found")
			return
		}
	case position != "":
		state.Position, _ = bg.ParsePositionID(position)
	case match != "":
		s.setMatchID(match)
		s.printf("Setting GNUbg ID :%s\n", match)
		return
	default:
		s.println("No valid IDs found")
		return
	}
	s.adopt(state)
	boards := 3
	if match == "" {
		boards = 1
	}
	for range boards {
		s.showBoard()
	}
	s.printf("Setting GNUbg ID %s:%s\n", position, match)
}

func (s *consoleSession) setXGID(args string) {
	text := strings.TrimSpace(args)
	full := text
	if !hasPrefixFold(full, "XGID=") {
		full = "XGID=" + full
	}
	state, _, err := notation.Parse(full)
	if err != nil {
		s.printf("Not a valid XGID '%s'\n", text)
		return
	}
	if state.Dice.Rolled() {
		s.printf("The dice have been set to %d and %d.\n", state.Dice[0], state.Dice[1])
	}
	s.adopt(state)
	if state.Cube.Value > 1 {
		s.printf("The cube has been set to %d.\n", state.Cube.Value)
	}
	for range 3 {
		s.showBoard()
	}
}

// adopt makes state the game in progress. An offer is stepped back from, as in gnubg.
func (s *consoleSession) adopt(state bg.State) {
	if state.Doubled || state.Resigned != bg.Unfinished {
		if state.Doubled {
			s.printf("SetMatchID cannot handle positions where a double has been offered.\nStepping back to the offering of the cube. ")
		}
		state.Doubled, state.Beavers, state.Resigned = false, 0, bg.Unfinished
	}
	if state.Status == bg.NotStarted {
		state.Status = bg.Playing
	}
	length := state.Score.Length
	if !s.game.started() || length != s.game.match.Length {
		s.game = consoleGame{match: &record.Match{Program: s.Identity.Name, Length: length, Rules: state.Rules}}
	}
	s.game.cut()
	s.game.match.Games = append(s.game.match.Games, &record.Game{
		Number: len(s.game.match.Games) + 1, Score: seatScore(&state), Crawford: state.Score.Crawford, Cube: 1,
	})
	s.game.setUp(state)
}

func (s *consoleSession) setDice(args string) {
	dice, err := bg.ParseDice(strings.Join(strings.Fields(args), ""))
	if err != nil {
		s.println("You must specify two numbers from 1 to 6 for the dice.")
		return
	}
	if !s.settable("set the dice") {
		return
	}
	state := s.game.state
	state.Dice = dice
	s.game.set(state)
	s.printf("The dice have been set to %d and %d.\n", dice[0], dice[1])
}

func (s *consoleSession) setTurn(args string) {
	args = strings.TrimSpace(args)
	if args == "" {
		s.println("Which player do you want to set on roll?")
		return
	}
	player, ok := s.player(args)
	if !ok || player == 2 {
		s.printf("Unknown player `%s' (see `help set turn').\n", args)
		return
	}
	if !s.settable("set a player on roll") {
		return
	}
	state := s.game.state
	state.Doubled, state.Beavers, state.Resigned = false, 0, bg.Unfinished
	if state.Seat != player {
		passTurn(&state)
	}
	state.Dice = bg.Dice{}
	s.game.setUp(state)
	s.printf("`%s' is now on roll.\n", s.players[player].name)
}

func (s *consoleSession) setCubeValue(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 1 || n > 1<<15 || n&(n-1) != 0 {
		s.println("You must specify a legal cube value (see `help set cube value').")
		return
	}
	if s.settable("set the cube") {
		state := s.game.state
		state.Cube.Value = n
		s.game.setUp(state)
		s.printf("The cube has been set to %d.\n", n)
	}
}

func (s *consoleSession) setCubeOwner(args string) {
	player, ok := s.player(strings.TrimSpace(args))
	if !ok {
		s.println("You must specify which player owns the cube (see `help set cube owner').")
		return
	}
	if !s.settable("set the cube") {
		return
	}
	state := s.game.state
	switch player {
	case 2:
		s.setCubeCenter("")
		return
	case state.Seat:
		state.Cube.Owner = bg.OnRoll
	default:
		state.Cube.Owner = bg.Opponent
	}
	s.game.setUp(state)
	s.printf("%s now owns the cube.\n", s.players[player].name)
}

func (s *consoleSession) setCubeCenter(string) {
	if s.settable("set the cube") {
		state := s.game.state
		state.Cube.Owner = bg.Centered
		s.game.setUp(state)
		s.println("The cube has been centred.")
	}
}

func (s *consoleSession) setCubeUse(args string) {
	on, ok := s.switchArg("cube use", args)
	if !ok {
		return
	}
	s.options.rules.NoCube = !on
	state := s.game.state
	state.Rules.NoCube = !on
	s.game.set(state)
	s.println("Use of the doubling cube is " + map[bool]string{true: "permitted.", false: "disabled."}[on])
}

func (s *consoleSession) setScore(args string) {
	fields := strings.Fields(args)
	state := s.game.state
	length := state.Score.Length
	var points [2]int
	ok := len(fields) >= 2
	for i := range points {
		if !ok {
			break
		}
		var err error
		points[i], err = strconv.Atoi(fields[i])
		if length > 0 && points[i] < 0 {
			points[i] += length
		}
		ok = err == nil && points[i] >= 0 && points[i] < 1<<15
	}
	switch {
	case !ok:
		s.println("You must specify two valid scores.")
		return
	case length > 0 && (points[0] >= length || points[1] >= length):
		s.println("You cannot set a score where the match is already over.")
		return
	case !s.playing():
		return
	}
	score := bg.Score{Length: length, OnRoll: points[0], Opponent: points[1]}
	// Where the trailer has won nothing yet, the Crawford game cannot be over.
	score.Crawford = length > 1 && s.options.autoCrawford && max(points[0], points[1]) == length-1 && min(points[0], points[1]) == 0
	if state.Seat == 1 {
		score = score.Flip()
	}
	state.Score = score
	s.game.set(state)
	s.rescore()
	s.showScore()
}

// rescore puts the score in the record of the game in progress.
func (s *consoleSession) rescore() {
	if last := s.game.last(); last != nil {
		last.Score, last.Crawford = s.points(), s.game.state.Score.Crawford
	}
}

func (s *consoleSession) setCrawford(args string, post bool) {
	name := "crawford"
	if post {
		name = "postcrawford"
	}
	on, ok := s.switchArg(name, args)
	if !ok {
		return
	}
	state := s.game.state
	mine, theirs := state.Score.Away()
	switch {
	case state.Score.Money() && post:
		s.println("Cannot set post-Crawford play for money sessions.")
		return
	case state.Score.Money():
		s.println("Cannot set Crawford play for money sessions.")
		return
	case mine != 1 && theirs != 1:
		s.println("Cannot set whether this is the Crawford game\nas none of the players are 1-away from winning.")
		return
	}
	crawford := on != post
	state.Score.Crawford = crawford
	s.game.set(state)
	s.rescore()
	switch {
	case post && on:
		s.println("This is post-Crawford play (doubling allowed).")
	case post:
		s.println("This is not post-Crawford play.")
	case on:
		s.println("This game is the Crawford game (no doubling allowed).")
	default:
		s.println("This game is not the Crawford game.")
	}
}

func (s *consoleSession) setMatchLength(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 0 || n > maxLength {
		s.printf("Match length must be between 0 (unlimited session) and %d\n", maxLength)
		return
	}
	s.options.length = n
	s.printf("New matches default to %s.\n", plural(n, "point"))
}

func (s *consoleSession) setJacoby(args string) {
	on, ok := s.switchArg("jacoby", args)
	if !ok {
		return
	}
	s.options.rules.Jacoby = on
	if state := &s.game.state; state.Score.Money() {
		state.Rules.Jacoby = on
	}
	s.println("Will " + map[bool]string{true: "", false: "not "}[on] + "use the Jacoby rule for money sessions.")
}

func (s *consoleSession) setBeavers(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	switch {
	case err != nil || n < 0 || n > 1000:
		s.println("You must specify the number of beavers to allow.")
		return
	case n == 0:
		s.println("No beavers allowed in money sessions.")
	case n == 1:
		s.println("1 beaver allowed in money sessions.")
	default:
		s.printf("%d beavers/raccoons allowed in money sessions.\n", n)
	}
	s.options.rules.Beavers = n
	if state := &s.game.state; state.Score.Money() {
		state.Rules.Beavers = n
	}
}

func (s *consoleSession) setAutomaticDoubles(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	switch {
	case err != nil || n < 0 || n > 12:
		s.println("You must specify how many automatic doubles to use (0-12).")
		return
	case n == 0:
		s.println("Automatic doubles will not be used.")
	case n == 1:
		s.println("A single automatic double will be permitted.")
	default:
		s.printf("Automatic doubles will be used (up to a limit of %d).\n", n)
	}
	s.options.rules.AutomaticDoubles = n
	s.game.state.Rules.AutomaticDoubles = n
	if n > 0 && !s.game.state.Score.Money() {
		s.println("(Note that automatic doubles will have no effect until you start session play.)")
	}
}

func (s *consoleSession) setSeed(args string) {
	word, _ := cutWord(args)
	if word == "" {
		s.randomSeed()
		s.println("Seed initialised from system random data.")
		return
	}
	n, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		s.println("You must specify a valid seed (see `help set seed').")
		return
	}
	s.seedDice(uint32(n))
	s.printf("Seed set to %s.\n", word)
}

// setPlayer reads "PLAYER COMMAND ...".
func (s *consoleSession) setPlayer(args string) {
	word, rest := cutWord(args)
	if word == "" {
		s.println("You must specify a player (see `help set player').")
		return
	}
	player, ok := s.player(word)
	if !ok {
		s.printf("Unknown player `%s' (see `help set player').\n", word)
		return
	}
	for i := range s.players {
		if player == i || player == 2 {
			s.target = i
			s.run(s.language.player, rest)
		}
	}
}

func (s *consoleSession) setPlayerName(args string) {
	if args == "" {
		s.println("You must specify a name to use.")
		return
	}
	s.players[s.target].name = args
	s.printf("Player %d is now known as `%s'.\n", s.target, args)
}

// setRating reads "PLAYER TEXT".
func (s *consoleSession) setRating(args string) {
	word, rating := cutWord(args)
	player, ok := s.player(word)
	m := s.game.match
	switch {
	case word == "" || !ok || player == 2:
		s.println("You must specify which player's rating to set (see `help set matchinfo rating').")
	case m == nil:
		s.println("No match in progress (type `new match n' to start one).")
	default:
		m.Ratings[player] = rating
		if rating == "" {
			s.printf("Rating for %s cleared.\n", s.players[player].name)
		} else {
			s.printf("Rating for %s set to: %s\n", s.players[player].name, rating)
		}
	}
}

func (s *consoleSession) setPlayerHuman(string) {
	s.players[s.target].computer = false
	s.printf("Moves for %s must now be entered manually.\n", s.players[s.target].name)
}

func (s *consoleSession) setPlayerGNU(string) {
	s.players[s.target].computer = true
	s.printf("Moves for %s will now be played by GNU Backgammon.\n", s.players[s.target].name)
}

func (s *consoleSession) setDefaultNames(args string) {
	fields := strings.Fields(args)
	if len(fields) < 2 {
		s.println("You must specify two player names.")
		return
	}
	s.defaults = [2]string{fields[0], fields[1]}
	s.printf("Players will be known as `%s' and `%s'.\n This setting will take effect when a new match is started.\n", fields[0], fields[1])
}

func (s *consoleSession) setDigits(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 0 || n > 6 {
		s.println("You must specify a number of digits from 0 to 6.")
		return
	}
	s.options.digits = n
	s.printf("Probabilities and equities will be shown with %s after the decimal separator\n", plural(n, "digit"))
}

// setMET replaces the match equity table by the named one, or by that of an XML file.
func (s *consoleSession) setMET(args string) {
	name, ok := strings.TrimSpace(args), s.WithMET != nil
	switch {
	case name == "":
		s.println("You must specify a filename (see `help set met').")
		return
	case !ok:
		s.printf("kotra reads match equity tables with its flag --met, not `%s'.\n", name)
		return
	}
	var table *met.Table
	switch name {
	case "kazaross-xg2":
		table = met.KazarossXG2()
	case "rockwell-kazaross":
		table = met.RockwellKazaross()
	default:
		if name, ok = s.fileName(args, ""); !ok {
			return
		}
		var err error
		if table, err = readTable(name); err != nil {
			s.fileFailed(name, err)
			return
		}
	}
	engine, err := s.WithMET(table)
	if s.failed(err) {
		return
	}
	c := *s.Console // other sessions keep theirs
	c.Table, c.Engine = table, engine
	s.Console = &c
	s.printf("Analysis used for `hint' has been cleared\nGNU Backgammon will now use the %s match equity table.\n", table.Name())
}

func readTable(name string) (*met.Table, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return met.ReadXML(f)
}

func (s *consoleSession) setPrompt(args string) {
	s.prompt = args + " "
	s.printf("The prompt has been set to `%s'.\n", args)
}

func (s *consoleSession) setCache(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 0 || n > 1<<40 {
		s.println("You must specify the number of cache entries to use.")
		return
	}
	size := 1
	for size < n {
		size *= 2
	}
	s.printf("The position cache has been sized to %d entries.\n", size)
}

func (s *consoleSession) setVariation(string) {
	s.println("You are playing: Standard backgammon\nDefault variation is: Standard backgammon")
	if s.game.started() {
		s.println("The current match or session is being played as `Standard backgammon'.")
		s.println("Please start a new match or session to play `Standard backgammon'")
	}
}

func (s *consoleSession) setThreads(args string) {
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 1 {
		s.println("You must specify the number of threads.")
		return
	}
	s.printf("The number of threads has been set to %d.\n", n)
}

// swap lets the players change seats, in all that has been played too.
func (s *consoleSession) swap(string) {
	s.players[0], s.players[1] = s.players[1], s.players[0]
	g := &s.game
	g.state.Seat = 1 - g.state.Seat
	for _, moments := range [][]consoleMoment{g.past, g.future} {
		for i := range moments {
			moments[i].state.Seat = 1 - moments[i].state.Seat
		}
	}
	s.analysis, s.hints = nil, nil
	if g.match == nil {
		return
	}
	g.match.Ratings[0], g.match.Ratings[1] = g.match.Ratings[1], g.match.Ratings[0]
	for _, game := range g.match.Games {
		swapGame(game)
	}
	s.showBoard()
	s.showBoard()
}

func swapGame(g *record.Game) {
	g.Score[0], g.Score[1] = g.Score[1], g.Score[0]
	if g.Outcome != nil {
		won := *g.Outcome
		won.Winner = 1 - won.Winner
		g.Outcome = &won
	}
	for i := range g.Actions {
		a := &g.Actions[i]
		a.Player = 1 - a.Player
		if a.Setup == nil {
			continue
		}
		setup := *a.Setup
		if setup.Sides != nil {
			setup.Sides = &[2]bg.Side{setup.Sides[1], setup.Sides[0]}
		}
		if setup.OnRoll != nil {
			player := 1 - *setup.OnRoll
			setup.OnRoll = &player
		}
		if setup.Owner != nil && *setup.Owner >= 0 {
			owner := 1 - *setup.Owner
			setup.Owner = &owner
		}
		a.Setup = &setup
	}
}

// choose returns a setter of a switch that answers with one of two sentences.
func choose(name string, target func(*consoleSession) *bool, on, off string) func(*consoleSession, string) {
	return func(s *consoleSession, args string) {
		if value, ok := s.switchArg(name, args); ok {
			if target != nil {
				*target(s) = value
			}
			if value {
				s.println(on)
			} else {
				s.println(off)
			}
		}
	}
}

// say returns a command that changes nothing and says so in the words of gnubg.
func say(format string) func(*consoleSession, string) {
	return func(s *consoleSession, args string) {
		if strings.Contains(format, "%s") {
			s.println(fmt.Sprintf(format, strings.TrimSpace(args)))
		} else if format != "" {
			s.println(format)
		}
	}
}
