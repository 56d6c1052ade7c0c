// Package record holds a match as it was played: games as sequences of actions, with what is
// known of the players, the rules and the event, whatever file it came from.
//
// A [Match] has [Game]s, and a game has [Action]s: a roll with its play, a double, a take and so
// on. Readers of file formats, packages mat, sgf and xg, fill in what the file says and call
// [Match.Complete], which replays everything: it notes hits, flags plays that break the rules,
// adds the resignation that a file only implies, and warns where the file contradicts itself. It
// changes nothing silently: what the file says of scores and points stays, beside a [Warning].
//
// [Match.Replay] then gives the state before every action.
//
// # Players
//
// Player 0 is the one named first: the left column of a match text, White in SGF, player 1 of
// eXtreme Gammon. It is the seat 0 of [kotra/bg.State].
package record
