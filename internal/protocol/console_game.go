package protocol

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kotra/bg"
	"kotra/cube/met"
	"kotra/movegen"
	"kotra/record"
)

// newMatch begins a match, or a session if length is 0.
func (s *consoleSession) newMatch(length int) {
	if length > 0 {
		for i := range s.players {
			s.players[i].name = s.defaults[i]
		}
	}
	s.game = consoleGame{match: &record.Match{Program: s.Identity.Name, Length: length}}
	s.game.state.Rules = s.options.rules
	s.game.state.Score = bg.Score{Length: length}
	if length > 0 {
		s.game.state.Rules.Jacoby, s.game.state.Rules.Beavers = false, 0
		s.printf("A new %s match has been started.\n", plural(length, "point"))
	} else {
		s.println("A new session has been started.")
	}
	s.game.match.Rules = s.game.state.Rules
	s.game.match.SetTag("EventDate", time.Now().Format("2006.01.02"))
	s.newGame()
}

// newGame begins a game of the match and lets the computer play if it is on roll.
func (s *consoleSession) newGame() {
	old := s.game.state
	score := old.Score
	if old.Seat == 1 {
		score = score.Flip()
	}
	state := bg.NewGame(old.Rules)
	state.Score, state.Seat = score, 0
	for {
		state.Dice = s.dice.roll()
		if !s.options.noDisplay {
			s.printf("%s rolls %d, %s rolls %d.\n", s.players[0].name, state.Dice[0], s.players[1].name, state.Dice[1])
		}
		if !state.Dice.Double() {
			break
		}
		if state.Score.Money() && state.Cube.Value < 1<<state.Rules.AutomaticDoubles {
			state.Cube.Value *= 2
			s.printf("The cube is now at %d.\n", state.Cube.Value)
		}
	}
	dice := state.Dice.Sorted()
	if state.Dice[1] > state.Dice[0] {
		passTurn(&state)
	}
	state.Dice = dice
	s.game.cut()
	s.game.declined = bg.Unfinished
	s.game.match.Games = append(s.game.match.Games, &record.Game{
		Number: len(s.game.match.Games) + 1, Score: seatScore(&state), Crawford: state.Score.Crawford, Cube: state.Cube.Value,
	})
	s.game.set(state)
	if !s.options.noDisplay {
		s.showBoard()
	}
	s.turn()
}

// passTurn gives the turn to the other player.
func passTurn(s *bg.State) {
	s.Position = s.Position.Flip()
	s.Cube.Owner = s.Cube.Owner.Flip()
	s.Score = s.Score.Flip()
	s.Seat = 1 - s.Seat
	s.Dice = bg.Dice{}
}

// turn shows the board to a human player, or has the computer play until one is to act.
func (s *consoleSession) turn() {
	for s.game.state.Status == bg.Playing && s.ctx.Err() == nil {
		p := &s.players[s.game.state.Decider()]
		if !p.computer {
			s.humanTurn()
			return
		}
		if !s.computerTurn(p) {
			return
		}
	}
}

// humanTurn shows the board to a human player and does what is automatic for him.
func (s *consoleSession) humanTurn() {
	if !s.options.noDisplay || !s.players[1-s.game.state.Decider()].computer {
		s.showBoard()
	}
	state := &s.game.state
	if s.options.autoRoll && !state.Dice.Rolled() && !state.Doubled && state.Resigned == bg.Unfinished && !mayDouble(state) {
		s.roll()
	}
}

// computerTurn makes one decision of the computer and reports whether it could.
func (s *consoleSession) computerTurn(p *consolePlayer) bool {
	state := s.game.state
	show := !s.options.noDisplay
	switch {
	case state.Resigned != bg.Unfinished:
		accepts, err := s.Engine.Accepts(s.ctx, state)
		if s.failed(err) {
			return false
		}
		if accepts {
			s.acceptResignation()
		} else {
			s.declineResignation()
		}
	case state.Doubled:
		answer, err := s.answer(state, &p.cube)
		if s.failed(err) {
			return false
		}
		switch {
		case answer == Pass:
			s.drop()
		case answer == Beaver && state.Score.Money() && state.Beavers < state.Rules.Beavers:
			s.beaver()
		default:
			s.take()
		}
	case !state.Dice.Rolled():
		if show {
			s.showBoard()
		}
		if !s.NoResign {
			r, err := s.Engine.Resigns(s.ctx, state)
			if s.failed(err) {
				return false
			}
			if r > s.game.declined {
				s.game.declined = r
				s.offerResignation(r)
				return true
			}
		}
		if mayDouble(&state) {
			d, _, err := s.decide(state, &p.cube)
			if s.failed(err) {
				return false
			}
			if d.Action.Doubles() {
				s.double()
				return true
			}
		}
		state.Dice = s.dice.roll()
		s.game.set(state)
		if show {
			s.showBoard()
		}
	default:
		candidates, err := s.rank(state, &p.checker)
		if s.failed(err) {
			return false
		}
		play := candidates[0].Play
		if show {
			if play.Move.Len() == 0 {
				s.printf("%s cannot move.\n", p.name)
			} else {
				s.printf("%s moves %s.\n", p.name, play.Move.String())
			}
		}
		s.play(play)
	}
	return true
}

// play makes a move.
func (s *consoleSession) play(play movegen.Play) {
	state := s.game.state
	action := record.Action{Kind: record.Play, Player: state.Seat, Dice: state.Dice, Move: play.Move}
	passTurn(&state)
	state.Position = play.Result
	if r, won := state.Position.Result(); r != bg.Unfinished && !won {
		s.win(state, 1-state.Seat, r, record.BorneOff, action)
		return
	}
	s.game.set(state, action)
}

// resultNames are results as they are spoken of.
var resultNames = map[bg.Result]string{bg.Single: "single game", bg.Gammon: "gammon", bg.Backgammon: "backgammon"}

// win ends the game in state, to which the given actions have led, for the given player.
func (s *consoleSession) win(state bg.State, winner int, r bg.Result, end record.End, actions ...record.Action) {
	state.Status = [...]bg.Status{record.BorneOff: bg.Over, record.Passed: bg.Dropped, record.Resigned: bg.Resigned}[end]
	state.Doubled, state.Beavers, state.Resigned = false, 0, bg.Unfinished
	worth := int(r)
	if state.Rules.Jacoby && state.Score.Money() && state.Cube.Owner == bg.Centered {
		r, worth = bg.Single, 1
	}
	points := worth * state.Cube.Value
	onRollWon := winner == state.Seat
	if state.Score.Money() {
		if onRollWon {
			state.Score.OnRoll += points
		} else {
			state.Score.Opponent += points
		}
	} else {
		rules := state.Rules
		rules.NoCrawford = !s.options.autoCrawford
		state.Score = met.Next(state.Score, rules, points, onRollWon)
	}
	s.game.cut()
	s.game.finished++
	if last := s.game.last(); last != nil {
		last.Outcome = &record.Outcome{Winner: winner, Points: points, Kind: r, End: end}
	}
	s.game.set(state, actions...)
	s.printf("%s wins a %s and %s.\n", s.players[winner].name, resultNames[r], plural(points, "point"))
	s.showScore()
	if mine, theirs := state.Score.Away(); !state.Score.Money() && (mine <= 0 || theirs <= 0) {
		s.printf("%s has won the match.\n", s.players[winner].name)
		s.showBoard()
		return
	}
	if s.options.autoGame {
		s.newGame()
	}
}

// points returns the points of both players.
func (s *consoleSession) points() [2]int { return seatScore(&s.game.state) }

// seatScore returns the points of the players 0 and 1.
func seatScore(s *bg.State) [2]int {
	if s.Seat == 0 {
		return [2]int{s.Score.OnRoll, s.Score.Opponent}
	}
	return [2]int{s.Score.Opponent, s.Score.OnRoll}
}

// showScore writes the score, without an end of line in a match.
func (s *consoleSession) showScore() {
	score, points := s.game.state.Score, s.points()
	s.printf("The score (after %s) is: %s %d, %s %d", plural(s.game.finished, "game"),
		s.players[0].name, points[0], s.players[1].name, points[1])
	switch {
	case score.Money() && s.game.state.Rules.Jacoby:
		s.printf(" (money session, with Jacoby rule).\n")
	case score.Money():
		s.printf(" (money session, without Jacoby rule).\n")
	default:
		s.printf("%s", matchLength(score))
	}
}

// matchLength returns what follows the score in a match.
func matchLength(score bg.Score) string {
	kind := ""
	switch {
	case score.Crawford:
		kind = ", Crawford game"
	case score.PostCrawford():
		kind = ", post-Crawford play"
	}
	return fmt.Sprintf(" (match to %s%s)", plural(score.Length, "point"), kind)
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// playing reports whether there is a game to act in, and says so if not.
func (s *consoleSession) playing() bool {
	if s.game.state.Status != bg.Playing {
		s.println("No game in progress (type `new game' to start one).")
		return false
	}
	return true
}

// decider returns the name of the player who has to act.
func (s *consoleSession) decider() string { return s.players[s.game.state.Decider()].name }

func (s *consoleSession) roll() {
	state := s.game.state
	switch {
	case !s.playing():
		return
	case state.Doubled:
		s.printf("Please wait for %s to consider the cube before moving.\n", s.decider())
		return
	case state.Resigned != bg.Unfinished:
		s.println("Please resolve the resignation first.")
		return
	case state.Dice.Rolled():
		s.println("You have already rolled the dice.")
		return
	}
	state.Dice = s.dice.roll()
	s.game.set(state)
	s.showBoard()
	plays := movegen.Plays(nil, &state.Position, state.Dice)
	if s.options.autoMove && len(plays) == 1 {
		if plays[0].Move.Len() == 0 {
			s.printf("%s cannot move.\n", s.decider())
		}
		s.play(plays[0])
		s.turn()
	}
}

func (s *consoleSession) move(args string) {
	state := s.game.state
	switch {
	case !s.playing():
		return
	case state.Doubled:
		s.printf("Please wait for %s to consider the cube before moving.\n", s.decider())
		return
	case state.Resigned != bg.Unfinished:
		s.printf("Please wait for %s to consider the resignation before moving.\n", s.decider())
		return
	case !state.Dice.Rolled():
		s.println("You must roll the dice before you can move.")
		return
	}
	if args == "" {
		plays := movegen.Plays(nil, &state.Position, state.Dice)
		switch {
		case plays[0].Move.Len() == 0:
			s.printf("%s cannot move.\n", s.decider())
		case len(plays) > 1:
			s.println("You must specify a move (type `help move' for instructions).")
			return
		}
		s.play(plays[0])
		s.turn()
		return
	}
	steps, err := bg.ParseSteps(strings.ReplaceAll(args, "-", "/"))
	if err == nil {
		var play movegen.Play
		if play, err = movegen.Find(&state.Position, state.Dice, steps); err == nil {
			s.play(play)
			s.turn()
			return
		}
	}
	s.println("Illegal or unparsable move.")
}

func (s *consoleSession) offerDouble() {
	state := s.game.state
	switch {
	case !s.playing():
	case state.Doubled:
		s.println("Your opponent has already offered you the cube.")
	case state.Dice.Rolled():
		s.println("You can't double after rolling the dice -- wait until your next turn.")
	case state.Score.Crawford:
		s.println("Doubling is forbidden by the Crawford rule (see `help set crawford').")
	case state.Rules.NoCube:
		s.println("The doubling cube has been disabled (see `help set cube use').")
	case !mayDouble(&state):
		s.println("You do not own the cube.")
	default:
		s.double()
		s.turn()
	}
}

func (s *consoleSession) double() {
	state := s.game.state
	s.printf("%s doubles.\n", s.players[state.Seat].name)
	state.Doubled = true
	s.game.set(state, record.Action{Kind: record.Double, Player: state.Seat, Cube: 2 * state.Cube.Value})
}

func (s *consoleSession) take() {
	state := s.game.state
	taker := state.Decider()
	state.Cube = bg.Cube{Value: 2 * state.Cube.Value, Owner: bg.Opponent}
	state.Doubled, state.Beavers = false, 0
	s.printf("%s accepts the cube at %d.\n", s.players[taker].name, state.Cube.Value)
	s.game.set(state, record.Action{Kind: record.Take, Player: taker})
}

func (s *consoleSession) drop() {
	state := s.game.state
	loser := state.Decider()
	s.printf("%s refuses the cube and gives up %s.\n", s.players[loser].name, plural(state.Cube.Value, "point"))
	s.win(state, 1-loser, bg.Single, record.Passed, record.Action{Kind: record.Pass, Player: loser})
}

func (s *consoleSession) beaver() {
	state := s.game.state
	player := state.Decider()
	state.Cube = bg.Cube{Value: 2 * state.Cube.Value, Owner: bg.Opponent}
	state.Beavers++
	s.printf("%s accepts and immediately redoubles to %d.\n", s.players[player].name, 2*state.Cube.Value)
	s.game.set(state, record.Action{Kind: record.Beaver, Player: player, Cube: 2 * state.Cube.Value})
}

// offered reports whether there is a cube to answer, and says so if not.
func (s *consoleSession) offered(verb string) bool {
	if !s.playing() {
		return false
	}
	if !s.game.state.Doubled {
		s.printf("The cube must have been offered before you can %s it.\n", verb)
		return false
	}
	return true
}

func (s *consoleSession) answerTake(string) {
	if s.offered("take") {
		s.take()
		s.turn()
	}
}

func (s *consoleSession) answerDrop(string) {
	if s.offered("drop") {
		s.drop()
		s.turn()
	}
}

func (s *consoleSession) answerBeaver(string) {
	state := &s.game.state
	switch {
	case !s.playing():
	case !state.Score.Money():
		s.println("Beavers and Raccoons are not permitted during match play.")
	case !state.Doubled:
		s.println("The cube must have been offered before you can redouble it.")
	case state.Rules.Beavers == 0:
		s.println("Beavers are disabled (see `help set beavers').")
	case state.Beavers >= state.Rules.Beavers:
		s.printf("Only %s permitted (see `help set beavers').\n", map[bool]string{
			true: "1 beaver is", false: fmt.Sprintf("%d beavers are", state.Rules.Beavers),
		}[state.Rules.Beavers == 1])
	default:
		s.beaver()
		s.turn()
	}
}

func (s *consoleSession) resign(args string) {
	state := s.game.state
	if !s.playing() {
		return
	}
	if state.Resigned != bg.Unfinished {
		s.println("You have already offered a resignation.")
		return
	}
	r, ok := readResult(args)
	if !ok {
		word, _ := cutWord(args)
		s.printf("Unknown keyword `%s' (see `help resign').\n", word)
		return
	}
	if state.Doubled { // who is offered a double resigns by passing
		s.answerDrop("")
		return
	}
	s.offerResignation(r)
	s.turn()
}

func (s *consoleSession) offerResignation(r bg.Result) {
	state := s.game.state
	s.printf("%s offers to resign a %s.\n", s.players[state.Seat].name, resultNames[r])
	state.Resigned = r
	s.game.set(state)
}

// readResult reads the words and numbers for the results of a game; nothing is a single game.
func readResult(text string) (bg.Result, bool) {
	word, _ := cutWord(text)
	if word == "" {
		return bg.Single, true
	}
	for i, name := range []string{"normal", "single", "gammon", "backgammon"} {
		r := bg.Result(max(i, 1))
		if hasPrefixFold(name, word) || word == fmt.Sprint(int(r)) {
			return r, true
		}
	}
	return bg.Unfinished, false
}

func (s *consoleSession) acceptResignation() {
	state := s.game.state
	r := state.Resigned
	s.printf("%s accepts and wins a %s.\n", s.decider(), resultNames[r])
	var actions []record.Action
	if state.Dice.Rolled() {
		actions = append(actions, record.Action{Kind: record.Unplayed, Player: state.Seat, Dice: state.Dice})
	}
	actions = append(actions, record.Action{Kind: record.Resign, Player: state.Seat, Amount: r})
	s.win(state, 1-state.Seat, r, record.Resigned, actions...)
}

func (s *consoleSession) declineResignation() {
	state := s.game.state
	s.printf("%s declines the %s.\n", s.decider(), resultNames[state.Resigned])
	state.Resigned = bg.Unfinished
	s.game.set(state)
}

func (s *consoleSession) accept(args string) {
	if s.game.state.Doubled {
		s.answerTake(args)
		return
	}
	s.agree(args)
}

func (s *consoleSession) reject(args string) {
	if s.game.state.Doubled {
		s.answerDrop(args)
		return
	}
	s.decline(args)
}

// resignationOffered reports whether there is a resignation to answer, and says so if not.
func (s *consoleSession) resignationOffered() bool {
	if !s.playing() {
		return false
	}
	if s.game.state.Resigned == bg.Unfinished {
		s.println("No resignation was offered.")
		return false
	}
	return true
}

func (s *consoleSession) agree(string) {
	if s.resignationOffered() {
		s.acceptResignation()
		s.turn()
	}
}

func (s *consoleSession) decline(string) {
	if s.resignationOffered() {
		s.declineResignation()
		s.turn()
	}
}

// playNow lets the computer act.
func (s *consoleSession) playNow(string) {
	switch {
	case !s.playing():
	case !s.players[s.game.state.Decider()].computer:
		s.println("It's not the computer's turn to play.")
	default:
		s.turn()
	}
}

// endGame lets the computer play for both sides to the end of the game.
func (s *consoleSession) endGame(string) {
	if !s.playing() {
		return
	}
	players, game, display := s.players, s.options.autoGame, s.options.noDisplay
	s.players[0].computer, s.players[1].computer = true, true
	s.options.autoGame, s.options.noDisplay = false, true
	s.turn()
	s.players[0].computer, s.players[1].computer = players[0].computer, players[1].computer
	s.options.autoGame, s.options.noDisplay = game, display
	s.showBoard()
}

// previous goes back n states, or forward if n is negative.
func (s *consoleSession) previous(n int) {
	g := &s.game
	moved := false
	for ; n > 0 && len(g.past) > 1; n-- {
		last := len(g.past) - 1
		g.future = append(g.future, g.past[last])
		g.past = g.past[:last]
		moved = true
	}
	for ; n < 0 && len(g.future) > 0; n++ {
		last := len(g.future) - 1
		g.past = append(g.past, g.future[last])
		g.future = g.future[:last]
		moved = true
	}
	if moved {
		g.state = g.past[len(g.past)-1].state
		s.showBoard()
	}
}

// previousGame goes to the first state of an earlier game, or of a later one if n is negative.
func (s *consoleSession) previousGame(n int) {
	g := &s.game
	if len(g.past) == 0 {
		return
	}
	all := append(slices.Clone(g.past), g.future...)
	slices.Reverse(all[len(g.past):])
	here := len(g.past) - 1
	want := max(all[here].games-n, 1)
	for i := range all {
		if all[i].games >= want || i == len(all)-1 {
			s.previous(here - i)
			return
		}
	}
}
