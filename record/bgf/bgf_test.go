package bgf_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"kotra/record"
	"kotra/record/bgf"
)

// document is a match written from the public description of the format; it is not from BGBlitz.
const document = `{"matchlen":5,"nameGreen":"Ada","nameRed":"Bö","date":"Nov 2, 2025","event":"Club","useCrawford":true,"useCube":true,
"games":[{"scoreGreen":0,"scoreRed":0,"wonPoints":1,"moves":[
{"type":"amove","player":1,"red":3,"green":1,"from":[8,6,-1,-1],"to":[5,5,-1,-1],"luck":0.1,
 "moveAnalysis":[{"move":{"from":[8,6,-1,-1],"to":[5,5,-1,-1]},"eq":{"equity":0.16,"myWins":0.55,"oppWins":0.45,"myGammon":0.17},"played":true,"ply":2}]},
{"type":"amove","player":-1,"red":6,"green":6,"from":[24,24,13,13],"to":[18,18,7,7]},
{"type":"adouble","player":1},{"type":"apass","player":-1},{"type":"what","player":1}]},
{"scoreGreen":1,"scoreRed":0,"moves":[{"type":"amove","player":1,"red":2,"green":1,"from":[13,6,-1,-1],"to":[11,5,-1,-1]}]}]}`

func file(t testing.TB, header string, body []byte, zipped bool) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(header + "\n")
	if !zipped {
		b.Write(body)
		return b.Bytes()
	}
	z := gzip.NewWriter(&b)
	_, err := z.Write(body)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// smile encodes v with shared names, as far as the test needs it.
func smile(v any) []byte {
	var b bytes.Buffer
	b.WriteString(":)\n\x01")
	names := map[string]int{}
	var put func(v any)
	put = func(v any) {
		switch v := v.(type) {
		case nil:
			b.WriteByte(0x21)
		case bool:
			b.WriteByte(map[bool]byte{false: 0x22, true: 0x23}[v])
		case float64:
			if n := int64(v); float64(n) == v {
				z := uint64(n<<1) ^ uint64(n>>63)
				if z < 32 {
					b.WriteByte(0xc0 | byte(z))
					return
				}
				b.WriteByte(0x24)
				if z >= 64 {
					b.WriteByte(byte(z >> 6))
				}
				b.WriteByte(0x80 | byte(z&0x3f))
				return
			}
			b.WriteString("\x28\x00\x00\x00\x00\x00") // other numbers do not matter here
		case string:
			switch {
			case v == "":
				b.WriteByte(0x20)
			case len(v) > 32 || strings.ContainsFunc(v, func(r rune) bool { return r > 127 }):
				b.WriteByte(0xe4)
				b.WriteString(v)
				b.WriteByte(0xfc)
			default:
				b.WriteByte(0x40 + byte(len(v)-1))
				b.WriteString(v)
			}
		case []any:
			b.WriteByte(0xf8)
			for _, e := range v {
				put(e)
			}
			b.WriteByte(0xf9)
		case map[string]any:
			b.WriteByte(0xfa)
			for name, e := range v {
				if i, ok := names[name]; ok {
					b.WriteByte(0x40 + byte(i))
				} else {
					names[name] = len(names)
					b.WriteByte(0x80 + byte(len(name)-1))
					b.WriteString(name)
				}
				put(e)
			}
			b.WriteByte(0xfb)
		}
	}
	put(v)
	return b.Bytes()
}

func TestAllLayersAreRead(t *testing.T) {
	var doc any
	require.NoError(t, json.Unmarshal([]byte(document), &doc))
	const header = `{"format":"BGF","version":"1.0","compress":true,"useSmile":true}`
	for name, data := range map[string][]byte{
		"JSON":             file(t, header, []byte(document), false),
		"compressed JSON":  file(t, header, []byte(document), true),
		"SMILE":            file(t, header, smile(doc), false),
		"compressed SMILE": file(t, header, smile(doc), true),
		"wrapped":          file(t, header, []byte(`{"match":`+document+`}`), true),
	} {
		t.Run(name, func(t *testing.T) {
			m, err := bgf.Read(bytes.NewReader(data))
			require.NoError(t, err)
			assert.Equal(t, [2]string{"Ada", "Bö"}, m.Players)
			assert.Equal(t, 5, m.Length)
			assert.Equal(t, [2]int{1, 0}, m.Score())
			require.Len(t, m.Games, 2)
			g := m.Games[0]
			require.Len(t, g.Actions, 4)
			assert.Equal(t, "24/18(2) 13/7(2)", g.Actions[1].Move.String())
			assert.Equal(t, record.Passed, g.Outcome.End)
			require.Len(t, m.Warnings, 1)
			assert.Contains(t, m.Warnings[0].Text, `"what"`)
			assert.Equal(t, 0, g.Actions[0].Analysis.Played)
		})
	}
}

func TestOtherFilesAreErrors(t *testing.T) {
	for _, data := range []string{"", "{}", "{}\n", "{\"format\":1}\n", "{\"format\":1}\n{}", "{\"format\":1}\n:)\n\x01\xfa", "{\"format\":1}\n\x1f\x8b\x08"} {
		_, err := bgf.Read(strings.NewReader(data))
		assert.Error(t, err, "%q", data)
	}
}

func FuzzRead(f *testing.F) {
	var doc any
	require.NoError(f, json.Unmarshal([]byte(document), &doc))
	f.Add([]byte(document))
	f.Add(smile(doc))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := bgf.Read(bytes.NewReader(file(t, `{"format":"BGF"}`, data, false)))
		if err != nil {
			return
		}
		for _, g := range m.Games {
			m.Replay(g)
		}
	})
}
