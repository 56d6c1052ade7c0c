package met_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/cube/met"
)

// explicit writes n points of a table in GNU Backgammon's form.
func explicit(table *met.Table, n int) string {
	var b strings.Builder
	b.WriteString(`<?xml version = "1.0" encoding = "UTF-8"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!-- made by a test -->
<met><info><name>Somebody &amp; Co</name><description> Two
  lines </description><length>`)
	fmt.Fprintf(&b, "%d</length></info>\n<pre-crawford-table type=\"explicit\">\n", n)
	for i := 1; i <= n; i++ {
		b.WriteString("<row>")
		for j := 1; j <= n; j++ {
			fmt.Fprintf(&b, " <me> %.6f </me>", table.PreCrawford(i, j))
		}
		b.WriteString("</row>\n")
	}
	b.WriteString("</pre-crawford-table>\n<post-crawford-table player=\"both\" type=\"explicit\"><row>")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "<me>%.6f</me>", table.PostCrawford(i, 1))
	}
	b.WriteString("</row></post-crawford-table></met>\n")
	return b.String()
}

const zadeh = `<met><info><name>Z</name></info>
<pre-crawford-table type="zadeh"><parameters>
 <parameter name="gammon-rate-leader">0.25</parameter><parameter name="gammon-rate-trailer">0.15</parameter>
 <parameter name="delta">0.08</parameter><parameter name="delta-bar">0.06</parameter></parameters></pre-crawford-table>
<post-crawford-table type="zadeh" player="both"><parameters>
 <parameter name="gammon-rate-trailer">0.25</parameter><parameter name="free-drop-2-away">0.015</parameter>
 <parameter name="free-drop-4-away">0.004</parameter></parameters></post-crawford-table></met>`

const handicap = `<met><pre-crawford-table><row><me>.51</me><me>.702</me></row><row><me>.321</me><me>.51</me></row></pre-crawford-table>
<post-crawford-table player="0"><row><me>.51</me><me>.499</me></row></post-crawford-table>
<post-crawford-table player="1"><row><me>.49</me><me>.479</me></row></post-crawford-table></met>`

func TestExplicitTableIsReadBack(t *testing.T) {
	want := met.KazarossXG2()
	got, err := met.ReadXML(strings.NewReader(explicit(want, 25)))
	require.NoError(t, err)
	assert.Equal(t, "Somebody & Co", got.Name())
	assert.Equal(t, "Two lines", got.Description())
	assert.Equal(t, 25, got.Size())
	assert.Same(t, got, got.Flip())
	for i := 1; i <= met.MaxAway; i++ {
		for j := 1; j <= met.MaxAway; j++ {
			assert.InDelta(t, float64(want.PreCrawford(i, j)), float64(got.PreCrawford(i, j)), 1e-6)
		}
		assert.InDelta(t, float64(want.PostCrawford(i, 1)), float64(got.PostCrawford(i, 1)), 1e-6)
	}
}

func TestHandicapTableHasTwoViews(t *testing.T) {
	table, err := met.ReadXML(strings.NewReader(handicap))
	require.NoError(t, err)
	assert.Equal(t, met.MWC(.702), table.PreCrawford(1, 2))
	assert.InDelta(t, 1-.702, float64(table.Flip().PreCrawford(2, 1)), 1e-12)
	assert.InDelta(t, .479, float64(table.Flip().PostCrawford(2, 1)), 1e-12)
	assert.InDelta(t, 1-.479, float64(table.PostCrawford(1, 2)), 1e-12)
	assert.Same(t, table, table.Flip().Flip())
}

func TestZadehPostCrawfordEqualsGnubg(t *testing.T) {
	table, err := met.ReadXML(strings.NewReader(zadeh))
	require.NoError(t, err)
	// "show met" of GNU Backgammon 1.07.001 with its zadeh.xml, in percent.
	for i, percent := range []float64{50, 48.5, 31.25, 30.2875, 17.9688, 17.4203, 10.6445, 10.3186, 6.2378, 6.0470, 3.6697, 3.5574} {
		assert.InDelta(t, percent, 100*float64(table.PostCrawford(i+1, 1)), .00006)
	}
}

func TestBadTablesAreRefusedWithTheirPlace(t *testing.T) {
	good := explicit(met.KazarossXG2(), 3)
	tests := []struct{ name, text, message string }{
		{"nothing", "", "EOF"},
		{"another document", "<catalog/>", "met"},
		{"no table", "<met/>", "no pre-crawford-table"},
		{"no post-Crawford table", good[:strings.Index(good, "<post")] + "</met>", "no post-crawford-table"},
		{"an entry too large", strings.Replace(good, "0.249240", "1.249240", 1), `row 3: entry 1: "1.249240" is not a chance`},
		{"an entry that is no number", strings.Replace(good, "0.249240", "NaN", 1), `row 3: entry 1: "NaN" is not a chance`},
		{"a short row", strings.Replace(good, "<me> 0.249240 </me>", "", 1), "row 3: 2 entries, want 3"},
		{"an unknown type", strings.Replace(good, `type="explicit"`, `type="mec"`, 1), `type "mec"`},
		{"an unknown player", strings.Replace(good, `player="both"`, `player="2"`, 1), `player "2"`},
		{"one player missing", strings.Replace(good, `player="both"`, `player="1"`, 1), "player 0"},
		{"a missing parameter", strings.Replace(zadeh, "delta-bar", "delta-foo", 1), "delta-bar is missing"},
		{"a bad parameter", strings.Replace(zadeh, "0.015", "x", 1), `free-drop-2-away: "x"`},
		{"an unknown encoding", `<?xml version="1.0" encoding="EBCDIC"?><met/>`, "EBCDIC"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := met.ReadXML(strings.NewReader(tt.text))
			require.ErrorIs(t, err, met.ErrXML)
			assert.ErrorContains(t, err, tt.message)
		})
	}
}

func FuzzReadXML(f *testing.F) {
	f.Add(explicit(met.KazarossXG2(), 3))
	f.Add(zadeh)
	f.Add(handicap)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := met.ReadXML(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := 1; i <= met.MaxAway; i++ {
			for j := 1; j <= met.MaxAway; j++ {
				if m := table.PreCrawford(i, j); !(m >= -1e-9 && m <= 1+1e-9) {
					t.Fatalf("%d-away %d-away: %v", i, j, m)
				}
			}
		}
	})
}
