package report_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/analysis"
	"kotra/bg"
	"kotra/bg/notation"
	"kotra/internal/bgtest"
	"kotra/internal/report"
	"kotra/movegen"
	"kotra/record/mat"
	"kotra/search"
)

func analyzed(t *testing.T, name string) *analysis.Match {
	t.Helper()
	f, err := os.Open("../../record/mat/testdata/" + name + ".mat")
	require.NoError(t, err)
	defer f.Close()
	matches, err := mat.Read(f)
	require.NoError(t, err)
	a := analysis.Analyzer{Searcher: search.New(bgtest.Pips{}, search.Options{Threads: 1})}
	m, err := a.Match(t.Context(), matches[0])
	require.NoError(t, err)
	return m
}

// wellFormed checks that text is XML, as SVG must be.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

func TestPageOfAMatchNeedsNothingElse(t *testing.T) {
	m := analyzed(t, "m3a")
	m.Record.Players[0] = `A<li>ce & "co"`
	r := report.NewMatch(m, report.MatchOptions{File: "m3a.mat", Threshold: .1})
	var b bytes.Buffer
	require.NoError(t, report.WriteMatchHTML(&b, []*report.MatchReport{r}, []*analysis.Match{m}))
	page := b.String()
	assert.NotContains(t, page, "A<li>ce")
	for _, address := range []string{"src=", "url(", "@import", "<link"} {
		assert.NotContains(t, page, address)
	}
	assert.Equal(t, len(m.Decisions), strings.Count(page, "<details id="))
	require.NotEmpty(t, r.Errors)
	assert.Contains(t, page, `<a href="#m1-g1-t`)
	for _, e := range strings.Split(page, `<a href="#`)[1:] {
		id, _, _ := strings.Cut(e, `"`)
		assert.Contains(t, page, `id="`+id+`"`, "a link leads nowhere")
	}
}

func TestGamesOfTheSameNumberHaveAnchorsOfTheirOwn(t *testing.T) {
	m := analyzed(t, "m3a")
	require.Greater(t, len(m.Games), 1)
	for i := range m.Games {
		m.Games[i].Record.Number = 1
	}
	r := report.NewMatch(m, report.MatchOptions{File: "m3a.mat"})
	var b bytes.Buffer
	require.NoError(t, report.WriteMatchHTML(&b, []*report.MatchReport{r, r}, []*analysis.Match{m, m}))
	seen := map[string]bool{}
	for _, found := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(b.String(), -1) {
		assert.False(t, seen[found[1]], "two places are called %s", found[1])
		seen[found[1]] = true
	}
	links := regexp.MustCompile(`<a href="#([^"]+)"`).FindAllStringSubmatch(b.String(), -1)
	games := map[string]bool{}
	for _, link := range links {
		assert.True(t, seen[link[1]], "%s leads nowhere", link[1])
		games[strings.Join(strings.Split(link[1], "-")[:2], "-")] = true
	}
	assert.Greater(t, len(games), 2, "errors of both games are linked to")
}

func TestBoardsAreWellFormedPictures(t *testing.T) {
	for _, xgid := range []string{
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "XGID=bBBBBBB--------------bbbbB:1:1:-1:D:2:3:0:7:10", "XGID=-------------------------A:0:0:1:00:0:0:0:0:10",
		"XGID=aBaB-BC-----dE---c-e----B-:0:0:1:52:2:3:1:5:10",
	} {
		s, err := notation.ParseXGID(xgid, bg.Rules{})
		if err != nil {
			continue // not all of them are legal
		}
		for _, o := range []report.BoardOptions{{}, {Clockwise: true, Names: [2]string{"A & B", "<C>"}}, {Opponent: true}} {
			if s.Dice.Rolled() {
				o.Move = &movegen.Plays(nil, &s.Position, s.Dice)[0].Move
			}
			wellFormed(t, report.BoardSVG(&s, o))
			var b bytes.Buffer
			require.NoError(t, report.BoardPNG(&b, &s, o, 200))
			img, err := png.Decode(&b)
			require.NoError(t, err)
			assert.Equal(t, 200, img.Bounds().Dx())
		}
	}
}

func TestStudyFilesHaveALineForEachError(t *testing.T) {
	m := analyzed(t, "m3a")
	r := report.NewMatch(m, report.MatchOptions{File: "m3a.mat", Threshold: .2})
	require.NotEmpty(t, r.Errors)
	for ext, heads := range map[string]int{".txt": 0, ".csv": 1, ".tsv": 3} {
		var b bytes.Buffer
		require.NoError(t, report.WriteStudy(&b, ext, []*report.MatchReport{r}))
		assert.Equal(t, heads+len(r.Errors), strings.Count(b.String(), "\n"), ext)
	}
	for i := range r.Errors {
		e := &r.Errors[i]
		assert.GreaterOrEqual(t, e.Loss, .2)
		if i > 0 {
			assert.LessOrEqual(t, e.Loss, r.Errors[i-1].Loss)
		}
		s, err := notation.ParseXGID(e.XGID, bg.Rules{})
		require.NoError(t, err)
		assert.Equal(t, e.Decision == "take", s.Doubled)
	}
}

func TestPageLooksLikeSomethingInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium is installed")
	}
	dir := t.TempDir()
	m := analyzed(t, "m1a")
	r := report.NewMatch(m, report.MatchOptions{File: "m1a.mat", Threshold: .5})
	var b bytes.Buffer
	require.NoError(t, report.WriteMatchHTML(&b, []*report.MatchReport{r}, []*analysis.Match{m}))
	page := filepath.Join(dir, "page.html")
	// Some boards are opened, so that they are drawn too.
	require.NoError(t, os.WriteFile(page, bytes.Replace(b.Bytes(), []byte("<details "), []byte("<details open "), 5), 0o600))
	run := func(args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + filepath.Join(dir, "profile")}, args...)
		out, err := exec.CommandContext(ctx, browser, append(args, "file://"+page)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	picture := filepath.Join(dir, "phone.png")
	const width = 500
	run("--hide-scrollbars", fmt.Sprintf("--window-size=%d,3600", width), "--screenshot="+picture)
	f, err := os.Open(picture)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, width, img.Bounds().Dx())
	colors := map[color.Color]int{}
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < width; x += 3 {
			colors[img.At(x, y)]++
		}
	}
	assert.Greater(t, len(colors), 100, "text, a graph and boards have many colors")
	edge := img.At(width-2, 2)
	for y := range img.Bounds().Dy() {
		assert.Equal(t, edge, img.At(width-2, y), "line %d: something is wider than the phone", y)
	}

	paper := filepath.Join(dir, "paper.pdf")
	run("--no-pdf-header-footer", "--print-to-pdf="+paper)
	text, err := os.ReadFile(paper)
	require.NoError(t, err)
	pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(text, -1))
	assert.Greater(t, pages, 1)
	assert.Less(t, pages, 6, "a game of 50 plays with some boards takes a few pages")
}

func TestEveryDecisionHasItsLossAndEveryRollItsLuck(t *testing.T) {
	m := analyzed(t, "m3a")
	r := report.NewMatch(m, report.MatchOptions{})
	var losses, lucks [2]float64
	n := 0
	for _, g := range r.Games {
		for _, d := range g.Decisions {
			n++
			losses[d.Player] += d.Loss
			if assert.Equal(t, d.Decision == "checker", d.Luck != nil) && d.Luck != nil {
				lucks[d.Player] += *d.Luck
				assert.NotNil(t, d.Dice)
			}
		}
	}
	assert.Len(t, m.Decisions, n)
	for i := range r.Summary {
		assert.InDelta(t, *r.Summary[i].Error, losses[i], 1e-9)
		assert.InDelta(t, *r.Summary[i].Luck, lucks[i], 1e-9)
	}
}
