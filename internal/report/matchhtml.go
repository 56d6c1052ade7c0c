package report

import (
	"io"

	"kotra/analysis"
)

// WriteMatchHTML writes matches as one page.
func WriteMatchHTML(w io.Writer, reports []*MatchReport, matches []*analysis.Match) error {
	return nil
}
