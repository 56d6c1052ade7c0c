package notation_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"kotra/bg/notation"
)

func TestPositionsAreFoundInExportedTexts(t *testing.T) {
	const xgid = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8"
	tests := []struct{ name, text, want string }{
		{"XGID above a board", xgid + "\n\nX:Spieler 1   O:Spieler 2\n    1. 3-ply  13/4   eq:+0,123\n", xgid},
		{"XGID twice", xgid + "\n" + xgid + "\n", xgid},
		{"two XGIDs", xgid + "\nXGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n", ""},
		{"Position ID and Match ID in German", "Stellung\nPosition-ID: 4HPwATDgc/ABMA Match-ID: cAkAAAAAAAAA\nSiegchancen 55,4 %\n", "4HPwATDgc/ABMA:cAkAAAAAAAAA"},
		{"on two lines", "Position ID: 4HPwATDgc/ABMA\n   Match ID   : cAkAAAAAAAAA\n", "4HPwATDgc/ABMA:cAkAAAAAAAAA"},
		{"lone Position ID", "Position ID: 4HPwATDgc/ABMA\n", "4HPwATDgc/ABMA"},
		{"nothing", "Gewinnchancen abcdefghijklmn abcdefghijkl\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := notation.Find(tt.text)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.want != "", ok)
		})
	}
}
