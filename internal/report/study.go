package report

import (
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
)

// WriteStudy writes errors for other tools, in the form that the ending of a file name asks for:
// .csv a table, .tsv cards for Anki (front, back), else one XGID a line with a comment.
func WriteStudy(w io.Writer, extension string, matches []*MatchReport) error {
	switch strings.ToLower(extension) {
	case ".csv":
		return writeStudyCSV(w, matches)
	case ".tsv":
		return writeCards(w, matches)
	}
	for _, m := range matches {
		for _, e := range m.Errors {
			if _, err := fmt.Fprintf(w, "%s # %s, game %d, %s: %s; best %s\n", e.XGID, m.File, e.Game, m.Players[e.Player], e.headline(), e.Best); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeStudyCSV(w io.Writer, matches []*MatchReport) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"file", "game", "turn", "player", "decision", "xgid", "dice", "played", "best", "loss", "loss_mwc", "mark"})
	for _, m := range matches {
		for _, e := range m.Errors {
			dice := ""
			if e.Dice != nil {
				dice = fmt.Sprintf("%d%d", e.Dice[0], e.Dice[1])
			}
			_ = c.Write([]string{
				m.File, strconv.Itoa(e.Game), strconv.Itoa(e.Turn), m.Players[e.Player], e.Decision, e.XGID, dice, e.Played, e.Best,
				fmt.Sprintf("%.4f", e.Loss), fmt.Sprintf("%.5f", e.LossMWC), e.Mark,
			})
		}
	}
	c.Flush()
	return c.Error()
}

// writeCards writes two columns: the position with the question, and the answer, both as HTML on
// one line.
func writeCards(w io.Writer, matches []*MatchReport) error {
	if _, err := io.WriteString(w, "#separator:tab\n#html:true\n#columns:Front\tBack\n"); err != nil {
		return err
	}
	for _, m := range matches {
		for i := range m.Errors {
			e := &m.Errors[i]
			state, err := parseState(e.XGID)
			if err != nil {
				return err
			}
			question := map[string]string{"checker": "What is the best play?", "double": "Should you double?", "take": "Should you take?"}[e.Decision]
			front := BoardSVG(&state, BoardOptions{}) + "<p>" + question + "</p>"
			back := fmt.Sprintf("<p><b>%s</b></p><p>%s: %s</p><pre>%s</pre>", html.EscapeString(e.Best), html.EscapeString(m.Players[e.Player]),
				html.EscapeString(e.headline()), html.EscapeString(strings.Join(e.details(), "\n")))
			line := oneLineHTML(front) + "\t" + strings.ReplaceAll(strings.ReplaceAll(back, "\t", " "), "\n", "<br>") + "\n"
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

func oneLineHTML(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\t", " "), "\n", " ")
}
