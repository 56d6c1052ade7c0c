package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kotra/bg"
	"kotra/internal/report"
	"kotra/movegen"
)

type boardOptions struct {
	positionOptions
	svg, png  string
	width     int
	clockwise bool
	opponent  bool
	move      string
	names     []string
}

func newBoardCommand(e *env) *cobra.Command {
	o := &boardOptions{}
	cmd := &cobra.Command{
		Use:     "board <position> [--svg FILE | --png FILE]",
		Short:   "Draw a position as text or as a picture",
		GroupID: groupPosition,
		Long: `Draw a position: as text on standard output, or as a picture with --svg or --png. The player on
roll is at the bottom, unless --opponent-view turns the board; player 0 has the light checkers. With
--move arrows show a move of the roll, which must be legal.
` + positionHelp,
		Example: `  kotra board 4HPwATDgc/ABMA --svg start.svg
  kotra board 4HPwATDgc/ABMA --dice 31 --move "8/5 6/5" --png move.png --width 1200`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.input != "" || o.json || o.jsonl {
				return usagef(cmd, "a board is drawn for one position")
			}
			if o.width < 100 || o.width > 10000 {
				return usagef(cmd, "--width: %d is not in the range from 100 to 10000", o.width)
			}
			if len(o.names) != 0 && len(o.names) != 2 {
				return usagef(cmd, "--names: want two names with a comma between, not %d", len(o.names))
			}
			return o.checkPosition(cmd, args)
		},
		RunE: func(*cobra.Command, []string) error { return runBoard(e, o) },
	}
	fs := cmd.Flags()
	o.rules.addFlags(fs)
	o.addDiceFlag(fs)
	fs.StringVar(&o.svg, "svg", "", "write an SVG picture to `FILE`")
	fs.StringVar(&o.png, "png", "", "write a PNG picture to `FILE`")
	fs.IntVar(&o.width, "width", 900, "width of a PNG picture in pixels")
	fs.BoolVar(&o.clockwise, "clockwise", false, "bear off at the left")
	fs.BoolVar(&o.opponent, "opponent-view", false, "draw the opponent of the player on roll at the bottom")
	fs.StringVar(&o.move, "move", "", "show a move of the roll with arrows")
	fs.StringSliceVar(&o.names, "names", nil, "names of the players 0 and 1, `A,B`")
	return cmd
}

func runBoard(e *env, o *boardOptions) error {
	state, err := o.positionOptions.read(e, o.args[0])
	if err != nil {
		return err
	}
	if o.dice != "" {
		if state.Dice, err = bg.ParseDice(o.dice); err != nil {
			return err
		}
	}
	opts := report.BoardOptions{Clockwise: o.clockwise, Opponent: o.opponent}
	copy(opts.Names[:], o.names)
	if o.move != "" {
		steps, err := bg.ParseSteps(o.move)
		if err != nil {
			return fmt.Errorf("--move: %w", err)
		}
		play, err := movegen.Find(&state.Position, state.Dice, steps)
		if err != nil {
			return fmt.Errorf("--move: %w", err)
		}
		opts.Move = &play.Move
	}
	if o.svg == "" && o.png == "" {
		_, err := fmt.Fprintln(e.out, report.Board(&state))
		return err
	}
	if o.svg != "" {
		if err := writeFile(e, o.svg, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, report.BoardSVG(&state, opts))
			return err
		}); err != nil {
			return err
		}
	}
	if o.png != "" {
		return writeFile(e, o.png, func(w io.Writer) error { return report.BoardPNG(w, &state, opts, o.width) })
	}
	return nil
}
