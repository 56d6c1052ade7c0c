package protocol

import (
	"fmt"
	"strings"

	"kotra/bg"
	"kotra/bg/notation"
	"kotra/cube/met"
	"kotra/record"
	"kotra/search"
)

func (s *consoleSession) showBoardAs(args string) {
	if args == "" {
		if s.game.state.Status == bg.NotStarted {
			s.println("No position specified and no game in progress.")
			return
		}
		s.showBoard()
		return
	}
	pos, ok := s.position(strings.Fields(args)[0])
	if !ok {
		s.println("Illegal position.")
		return
	}
	state := s.game.state
	state.Position = pos
	s.printf("%s", notation.Draw(state, notation.DrawOptions{Clockwise: s.options.clockwise, Names: s.names()}))
}

func (s *consoleSession) showPipCount(string) {
	state := &s.game.state
	if state.Status == bg.NotStarted {
		s.println("No position specified and no game in progress.")
		return
	}
	s.printf("The pip counts are: %s %d, %s %d.\n", s.players[state.Seat].name, state.Position.OnRoll.Pips(),
		s.players[1-state.Seat].name, state.Position.Opponent.Pips())
}

func (s *consoleSession) showDice(string) {
	state := &s.game.state
	if !s.inGame() {
		return
	}
	name := s.players[state.Seat].name
	if !state.Dice.Rolled() {
		s.printf("%s has not yet rolled the dice.\n", name)
		return
	}
	s.printf("%s has rolled %d and %d.\n", name, state.Dice[0], state.Dice[1])
}

// inGame reports whether there is a game to tell about, and says so if not.
func (s *consoleSession) inGame() bool {
	if s.game.state.Status != bg.Playing {
		s.println("No game is being played.")
		return false
	}
	return true
}

// showCube writes where the cube is, without an end of line.
func (s *consoleSession) showCube(string) {
	state := &s.game.state
	switch {
	case state.Status != bg.Playing:
		s.println("There is no game in progress.")
	case state.Score.Crawford:
		s.println("The cube is disabled during the Crawford game.")
	case state.Rules.NoCube:
		s.println("The doubling cube is disabled.")
	case state.Cube.Owner == bg.Centered:
		s.printf("The cube is at %d, and is centred.", state.Cube.Value)
	default:
		owner := state.Seat
		if state.Cube.Owner == bg.Opponent {
			owner = 1 - owner
		}
		s.printf("The cube is at %d, and is owned by %s.", state.Cube.Value, s.players[owner].name)
	}
}

func (s *consoleSession) showTurn(string) {
	state := &s.game.state
	if !s.inGame() {
		return
	}
	name := s.players[state.Seat].name
	if state.Dice.Rolled() {
		s.printf("%s in on move.\n", name)
	} else {
		s.printf("%s in on roll.\n", name)
	}
	if state.Resigned != bg.Unfinished {
		s.printf("%s has offered to resign a %s.\n", name, resultNames[state.Resigned])
	}
}

func (s *consoleSession) showCrawford(string) {
	state := &s.game.state
	switch {
	case state.Status == bg.NotStarted:
		s.println("There is no match in progress.")
	case state.Score.Money():
		s.println("Crawford rule is not used in money sessions.")
	case state.Score.Crawford:
		s.println("This game is the Crawford game.")
	default:
		s.println("This game is not the Crawford game")
	}
}

func (s *consoleSession) showPostCrawford(string) {
	state := &s.game.state
	switch {
	case state.Status == bg.NotStarted:
		s.println("There is no match in progress.")
	case state.Score.Money():
		s.println("Crawford rule is not used in money sessions.")
	case state.Score.PostCrawford():
		s.println("This is post-Crawford play.")
	default:
		s.println("This is not post-Crawford play.")
	}
}

func (s *consoleSession) showJacoby(string) {
	if s.options.rules.Jacoby {
		s.println("New money sessions are played with the Jacoby rule.")
	} else {
		s.println("New money sessions are played without the Jacoby rule.")
	}
}

func (s *consoleSession) showBeavers(string) {
	switch n := s.options.rules.Beavers; n {
	case 0:
		s.println("No beavers allowed in money sessions.")
	case 1:
		s.println("1 beaver allowed in money sessions.")
	default:
		s.printf("%d beavers/raccoons allowed in money sessions.\n", n)
	}
}

func (s *consoleSession) showPlayers(string) {
	for i := range s.players {
		p := &s.players[i]
		s.printf("Player %d:\n  Name: %s\n  Type: ", i, p.name)
		if !p.computer {
			s.printf("human\n\n")
			continue
		}
		s.printf("gnubg:\n")
		s.evaluation(&p.checker, &p.cube, true)
		s.printf("\n")
	}
}

func (s *consoleSession) showEvaluation(string) {
	s.printf("`eval' and `hint' will use:\n")
	s.evaluation(&s.options.checker, &s.options.cube, true)
}

// evaluation describes how decisions are made, with the move filters under a heading of their own
// if wanted.
func (s *consoleSession) evaluation(checker, cube *strength, heading bool) {
	s.printf("    Chequer play:\n%s", s.howText(checker))
	if heading {
		s.printf("    Move filters:\n")
	}
	s.printf("%s\n    Cube decisions:\n%s", s.filterText(), s.howText(cube))
}

// howText describes an evaluation or a rollout.
func (s *consoleSession) howText(x *strength) string {
	if x.rollout {
		return "      Rollout:\n" + s.rolloutText()
	}
	return "      Neural net evaluation:\n" + strengthText(x)
}

// shownFilters is up to which depth move filters are shown.
const shownFilters = 4

// filterText describes the move filters.
func (s *consoleSession) filterText() string {
	filter := search.Normal()
	if s.Filter != nil {
		filter = *s.Filter
	}
	var b strings.Builder
	for n := 1; n <= shownFilters; n++ {
		fmt.Fprintf(&b, "      Move filter for %d ply:\n", n)
		cuts := map[int]search.Cut{}
		for _, cut := range filter[n] {
			cuts[cut.Ply] = cut
		}
		for ply := range n {
			if cut, ok := cuts[ply]; ok {
				fmt.Fprintf(&b, "        keep the first 0 %d-ply moves and up to %d more moves within equity %g\n", ply, cut.Keep, cut.Within)
			} else {
				fmt.Fprintf(&b, "        Skip pruning for %d-ply moves.\n", ply)
			}
		}
	}
	return b.String()
}

func (s *consoleSession) showAnalysis(string) {
	s.printf("Cube action will be analysed.\nDice rolls will be analysed.\nChequer play will be analysed.\n\n")
	for i := range s.players {
		s.printf("Analyse %s's chequerplay and cube decisions: yes\n", s.players[i].name)
	}
	s.printf("\nAnalysis thresholds:\n  %+.3f doubtful\n  %+.3f bad\n  %+.3f very bad\n\n", -record.DoubtfulLoss, -record.BadLoss, -record.VeryBadLoss)
	s.printf("  %+.3f very lucky\n  %+.3f lucky\n  %+.3f unlucky\n  %+.3f very unlucky\n\n",
		record.VeryLuckyRoll, record.LuckyRoll, -record.LuckyRoll, -record.VeryLuckyRoll)
	s.printf("Analysis will be performed with the following evaluation parameters:\n")
	s.evaluation(&s.options.analysisChecker, &s.options.analysisCube, false)
	s.printf("    Luck analysis:\n%s", strengthText(&strength{}))
}

func (s *consoleSession) showConfirm(string) {
	not := func(on bool) string { return map[bool]string{false: "not "}[on] }
	s.printf("GNU Backgammon will not ask for confirmation.\nGNU Backgammon will %sask for confirmation before aborting games in progress.\n"+
		"GNU Backgammon will %sask for confirmation overwriting existing files.\n", not(s.options.confirmNew), not(s.options.confirmSave))
}

func (s *consoleSession) showAutomatic(string) {
	o := &s.options
	word := map[bool]string{true: "On", false: "Off"}
	s.printf("bearoff \t(Play certain non-contact bearoff moves):      \t%s\n", word[o.autoBearoff])
	s.printf("crawford\t(Enable the Crawford rule as appropriate):     \t%s\n", word[o.autoCrawford])
	s.printf("doubles \t(Turn the cube when opening roll is a double): \t%d\n", o.rules.AutomaticDoubles)
	s.printf("game    \t(Start a new game after each one is completed):\t%s\n", word[o.autoGame])
	s.printf("move    \t(Play the forced move when there is no choice):\t%s\n", word[o.autoMove])
	s.printf("roll    \t(Roll the dice if no double is possible):      \t%s\n", word[o.autoRoll])
}

func (s *consoleSession) showMET(string) {
	t := s.table()
	s.printf("Match equity table: %s\n%s\n\nPre-Crawford table:\n\n", t.Name(), t.Description())
	n := 3
	if length := s.game.state.Score.Length; length > 0 {
		n = length
	}
	s.header(n)
	for mine := 1; mine <= n; mine++ {
		s.row(mine, n, func(theirs int) met.MWC { return t.PreCrawford(mine, theirs) })
	}
	for i := range s.players {
		s.printf("\nPost-Crawford table for player %d (%s):\n\n", i, s.players[i].name)
		s.header(n)
		s.row(1, n, func(theirs int) met.MWC { return t.PostCrawford(theirs, 1) })
	}
	s.printf("\n")
}

func (s *consoleSession) header(n int) {
	s.printf("         ")
	for i := 1; i <= n; i++ {
		s.printf(" %4d-away", i)
	}
	s.printf(" \n")
}

func (s *consoleSession) row(mine, n int, chance func(theirs int) met.MWC) {
	s.printf("%4d-away", mine)
	for theirs := 1; theirs <= n; theirs++ {
		s.printf(" %9.4f", 100*chance(theirs))
	}
	s.printf(" \n")
}

func (s *consoleSession) showSeed(string) { s.printf("The current seed is %d\n", s.seed) }

func (s *consoleSession) showClockwise(string) { s.println(clockwiseText(s.options.clockwise)) }

func clockwiseText(on bool) string {
	if on {
		return "Player 1 moves clockwise (and player 0 moves anticlockwise)."
	}
	return "Player 1 moves anticlockwise (and player 0 moves clockwise)."
}

func (s *consoleSession) showMatchInfo(string) {
	m := s.game.match
	if m == nil {
		m = &record.Match{}
	}
	var who [2]string
	for i := range who {
		rating := m.Ratings[i]
		if rating == "" {
			rating = "unknown rating"
		}
		who[i] = s.players[i].name + " (" + rating + ")"
	}
	s.printf("%s vs. %s", who[0], who[1])
	if date := m.Tag("EventDate"); date != "" {
		s.printf(", %s", strings.ReplaceAll(date, ".", "-"))
	}
	s.printf("\n")
	for _, tag := range matchTags {
		if value := m.Tag(tag.name); value != "" {
			s.printf("%s: %s\n", tag.label, value)
		}
	}
	if m.Comment != "" {
		s.printf("\n%s\n", m.Comment)
	}
}

func (s *consoleSession) showVersion(string) {
	s.printf("%s %s\n", s.Identity.Name, s.Identity.Version)
}

func (s *consoleSession) showOutput(string) {
	as := map[bool]string{true: "percentages", false: "probabilities"}
	s.printf("Match winning chances will be shown as %s.\n", as[s.options.matchPercent])
	if s.options.mwc {
		s.println("Match equities shown in MWC (match winning chance) (match play only).")
	} else {
		s.println("Match equities shown in EMG (normalized money game equity) (match play only).")
	}
	s.printf("Game winning chances will be shown as %s.\nBoards will be shown in ASCII.\n", as[s.options.winPercent])
}

func (s *consoleSession) showScoreSheet(string) {
	points := s.points()
	if length := s.game.state.Score.Length; length > 0 {
		s.printf("Score Sheet - Match to %s\n\n", plural(length, "point"))
	} else {
		s.printf("Score Sheet - Money Session\n\n")
	}
	width := max(len(s.players[0].name), len(s.players[1].name), 5)
	s.printf("%*s | %s\n%s\n%*d | %d\n\n", width, s.players[0].name, s.players[1].name, strings.Repeat("-", 2*width+1), width, points[0], points[1])
}
