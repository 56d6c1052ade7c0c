package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kotra/internal/report"
	"kotra/nn"
	"kotra/weights"
)

func newWeightsCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "weights {info | verify | export}",
		Short:   "Show, check and export weights files",
		GroupID: groupEngine,
		Long: `Show, check and export weights files. Without a file they work on the embedded weights that are the
default, or on those of KOTRA_WEIGHTS; small, large, second, third and fourth are the embedded ones.
Of a mean, such as quad or a.knn+b.knn, info and verify take all networks.`,
		Example: `  kotra weights info
  kotra weights verify`,
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef(cmd, "missing argument info, verify or export")
		},
	}
	cmd.AddCommand(newWeightsInfoCommand(e), newWeightsVerifyCommand(e), newWeightsExportCommand(e))
	return cmd
}

func newWeightsInfoCommand(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info [file]",
		Short: "Show what a weights file holds",
		Long: `Show what a weights file holds: the shape of the network, the features it wants, how it was
trained, its size and checksum.`,
		Example: `  kotra weights info
  kotra weights info --json
  kotra weights info quad`,
		Args: argRange(0, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			var all []*report.Weights
			for _, name := range networkNames(e, args) {
				file, err := readWeights(name)
				if err != nil {
					return err
				}
				all = append(all, report.NewWeights(file.name, file.network, len(file.content)))
			}
			if asJSON && len(all) == 1 {
				return writeJSON(e.out, all[0])
			}
			if asJSON {
				return writeJSON(e.out, all)
			}
			for i, info := range all {
				if i > 0 {
					fmt.Fprintln(e.out)
				}
				if err := info.WriteText(e.out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, an array for a mean of several networks")
	return cmd
}

func newWeightsVerifyCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [file]...",
		Short: "Check that weights files are complete and fit this program",
		Long: `Check that weights files are complete, unchanged (by their checksum), of a version that this
program reads, and made for the features that it computes. The exit status is 1 if one is not.`,
		Example: `  kotra weights verify
  kotra weights verify *.knn`,
		RunE: func(_ *cobra.Command, args []string) error {
			failed := false
			for _, name := range networkNames(e, args) {
				file, err := readWeights(name)
				if err != nil {
					printError(e.err, err)
					failed = true
					continue
				}
				fmt.Fprintf(e.out, "%s: ok, %s\n", file.name, file.network.Checksum())
			}
			if failed {
				return errReported
			}
			return nil
		},
	}
}

func newWeightsExportCommand(e *env) *cobra.Command {
	var name string
	var round bool
	cmd := &cobra.Command{
		Use:   "export <file>",
		Short: "Write the embedded weights to a file, or round others",
		Long: `Write weights to a file, to be given to --weights or trained further: the embedded ones, or those
of another file. With --round the numbers are rounded to those that the program calculates with:
the file has less than half the size, and answers are the same. "-" is standard output.`,
		Example: `  kotra weights export default.knn
  kotra weights export --weights large - > large.knn
  kotra weights export --weights default.knn --round small.knn`,
		Args: argRange(1, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			from, err := readWeights(name)
			if err != nil {
				return err
			}
			return writeFile(e, args[0], func(w io.Writer) error {
				if round {
					return from.network.Round().Write(w)
				}
				_, err := w.Write(from.content)
				return err
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "weights", weights.Small, "which weights: small, large, second, third, fourth or a `FILE`")
	fs.BoolVar(&round, "round", false, "round the numbers to those that the program calculates with")
	return cmd
}

// A weightsFile is a weights file that has been read and checked.
type weightsFile struct {
	name    string
	content []byte
	network *nn.Network
}

// networkNames returns the names of all networks that args name, or of those in use.
func networkNames(e *env, args []string) []string {
	if len(args) == 0 {
		args = []string{e.getenv("KOTRA_WEIGHTS")}
	}
	var names []string
	for _, name := range args {
		names = append(names, weights.Parts(name)...)
	}
	return names
}

// readWeights reads the weights file of one network.
func readWeights(name string) (*weightsFile, error) {
	content, err := weights.File(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	if weights.Embedded(name) {
		network, err := weights.Read(name)
		return &weightsFile{strings.TrimSpace("embedded " + name), content, network}, err
	}
	if _, err = nn.Read(bytes.NewReader(content)); err != nil {
		return nil, fmt.Errorf("weights %q: %w", name, err)
	}
	network, err := weights.Read(name)
	if err != nil {
		return nil, fmt.Errorf("weights %q: %w", name, err)
	}
	return &weightsFile{name, content, network}, nil
}

// weightsName describes the weights in use for reports: embedded or the file, and a checksum.
func (o *engineOptions) weightsName(e *env) string {
	if e.evaluator != nil {
		return "none"
	}
	var names []string
	for _, part := range weights.Parts(o.weightsFile(e)) {
		file, err := readWeights(part)
		if err != nil {
			return "unknown"
		}
		names = append(names, fmt.Sprintf("%s %.12s", file.name, file.network.Checksum()))
	}
	return strings.Join(names, " + ")
}
