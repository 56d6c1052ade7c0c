package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kotra/bg"
)

// ruleOptions are the flags that replace what a position says of the match, the cube and the
// rules. Only flags that are given count.
type ruleOptions struct {
	flags *pflag.FlagSet

	match      int
	score      string
	crawford   bool
	noRule     bool // without the Crawford rule
	automatic  int
	backgammon int // what a backgammon counts
	cube       int
	cubeOwner  string
	maxCube    int
	noCube     bool
	jacoby     bool
	beavers    int
	variant    string
}

// moneyRules are the rules where a notation does not say: money with the Jacoby rule.
var moneyRules = bg.Rules{Jacoby: true}

// bgPoints is what a backgammon counts by the ordinary rules.
const bgPoints = 3

// owners are the owners of the cube by name.
var owners = map[string]bg.Owner{"center": bg.Centered, "player": bg.OnRoll, "opponent": bg.Opponent}

// addFlags adds the flags of o to fs.
func (o *ruleOptions) addFlags(fs *pflag.FlagSet) {
	o.flags = fs
	fs.IntVar(&o.match, "match", 0, "length of the match; 0 is a money game")
	fs.StringVar(&o.score, "score", "0-0", "points won by the player on roll and his opponent, `MINE-THEIRS`")
	fs.BoolVar(&o.crawford, "crawford", false, "it is the Crawford game; with a player 1 away and without this it has been played")
	fs.IntVar(&o.cube, "cube-value", 1, "value of the cube")
	fs.StringVar(&o.cubeOwner, "cube-owner", "center", "owner of the cube: center, player (on roll) or opponent")
	fs.BoolVar(&o.noCube, "no-cube", false, "play without a cube")
	fs.BoolVar(&o.jacoby, "jacoby", true, "money: gammons count only once the cube has been turned")
	o.addGameFlags(fs)
}

// addGameFlags adds the flags of o that say how whole games are played, for [ruleOptions.set].
func (o *ruleOptions) addGameFlags(fs *pflag.FlagSet) {
	o.flags = fs
	fs.BoolVar(&o.noRule, "no-crawford", false, "matches without the Crawford rule")
	fs.IntVar(&o.maxCube, "max-cube", 0, "highest value of the cube; 0 is no limit")
	fs.IntVar(&o.beavers, "beavers", 0, "money: how often in a row a cube may be redoubled at once; 3 is no limit")
	fs.IntVar(&o.automatic, "automatic-doubles", 0, "money: how many equal opening rolls double the cube")
	fs.IntVar(&o.backgammon, "backgammon", bgPoints, "what a backgammon counts: 3, or 2 as a gammon")
	fs.StringVar(&o.variant, "variant", "backgammon", "backgammon, nackgammon, hypergammon or longgammon")
}

// check reports a flag with a value that no game has.
func (o *ruleOptions) check(cmd *cobra.Command) error {
	if o.flags == nil {
		return nil
	}
	if _, ok := owners[o.cubeOwner]; !ok {
		return usagef(cmd, "--cube-owner: %q is not center, player or opponent", o.cubeOwner)
	}
	if _, _, err := parseScore(o.score); err != nil {
		return usagef(cmd, "--score: %w", err)
	}
	if o.match < 0 {
		return usagef(cmd, "--match: %d is negative", o.match)
	}
	if o.crawford && o.noRule {
		return usagef(cmd, "--crawford, --no-crawford: there is no Crawford game without the rule")
	}
	return o.checkGame(cmd)
}

// checkGame reports a flag of addGameFlags with a value that no game has.
func (o *ruleOptions) checkGame(cmd *cobra.Command) error {
	if _, err := bg.ParseVariant(o.variant); err != nil {
		return usagef(cmd, "--variant: %w", err)
	}
	for _, value := range []int{o.maxCube, o.beavers, o.automatic} {
		if value < 0 {
			return usagef(cmd, "--max-cube, --beavers, --automatic-doubles: %d is negative", value)
		}
	}
	if o.backgammon != bgPoints && o.backgammon != bgPoints-1 {
		return usagef(cmd, "--backgammon: %d is neither 3 nor 2", o.backgammon)
	}
	return nil
}

// rules returns the rules for what a notation does not say.
func (o *ruleOptions) rules() bg.Rules {
	rules := moneyRules
	if o.flags != nil {
		rules.Variant, _ = bg.ParseVariant(o.variant) // checked before
	}
	return rules
}

// apply changes s as the flags say and checks that such a game can be.
func (o *ruleOptions) apply(s *bg.State) error {
	if o.flags == nil || !o.anyGiven() {
		return nil
	}
	given := o.flags.Changed
	if given("match") {
		s.Score = bg.Score{Length: o.match}
		s.Rules.Jacoby = s.Rules.Jacoby && s.Score.Money()
	}
	if given("score") {
		s.Score.OnRoll, s.Score.Opponent, _ = parseScore(o.score) // checked before
	}
	if given("crawford") {
		s.Score.Crawford = o.crawford
	}
	o.set(&s.Rules)
	if given("no-crawford") {
		s.Score.Crawford = s.Score.Crawford && !o.noRule
	}
	if given("cube-value") {
		s.Cube.Value = o.cube
	}
	if given("cube-owner") {
		s.Cube.Owner = owners[o.cubeOwner]
	}
	if given("no-cube") {
		s.Rules.NoCube = o.noCube
	}
	if given("jacoby") {
		s.Rules.Jacoby = o.jacoby && s.Score.Money()
	}
	return s.Validate()
}

// set changes r as the flags of addGameFlags say, the variant excepted.
func (o *ruleOptions) set(r *bg.Rules) {
	given := o.flags.Changed
	if given("no-crawford") {
		r.NoCrawford = o.noRule
	}
	if given("max-cube") {
		r.MaxCube = o.maxCube
	}
	if given("beavers") {
		r.Beavers = o.beavers
	}
	if given("automatic-doubles") {
		r.AutomaticDoubles = o.automatic
	}
	if given("backgammon") {
		r.DoubleBackgammon = o.backgammon < bgPoints
	}
}

func (o *ruleOptions) anyGiven() bool {
	for _, name := range []string{
		"match", "score", "crawford", "no-crawford", "cube-value", "cube-owner", "max-cube", "no-cube", "jacoby", "beavers",
		"automatic-doubles", "backgammon",
	} {
		if o.flags.Changed(name) {
			return true
		}
	}
	return false
}

// parseScore reads two numbers of points, such as 3-5.
func parseScore(text string) (mine, theirs int, err error) {
	first, second, ok := strings.Cut(text, "-")
	mine, err = strconv.Atoi(first)
	theirs, err2 := strconv.Atoi(second)
	if !ok || err != nil || err2 != nil || mine < 0 || theirs < 0 {
		return 0, 0, fmt.Errorf("%q is not two numbers of points, such as 3-5", text)
	}
	return mine, theirs, nil
}
