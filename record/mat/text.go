package mat

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns data as text: UTF-8, UTF-16 with a byte order mark, or else Windows-1252.
func decode(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decode16(data[2:], 1)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decode16(data[2:], 0)
	}
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	for _, c := range data {
		switch {
		case 0x80 <= c && c < 0xa0 && windows1252[c-0x80] != 0:
			b.WriteRune(windows1252[c-0x80])
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// decode16 decodes UTF-16 whose high byte comes at index high of each pair.
func decode16(data []byte, high int) string {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, uint16(data[i+high])<<8|uint16(data[i+1-high]))
	}
	return string(utf16.Decode(units))
}

// windows1252 holds the characters 0x80 to 0x9f of Windows-1252, 0 where there is none.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// lines splits text at CR LF, LF and CR.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// expand replaces tabs by blanks up to the next multiple of eight columns, and other blanks that
// take no part in ASCII by plain ones.
func expand(line string) string {
	line = strings.NewReplacer("\u00a0", " ", "\u2007", " ", "\u202f", " ", "\ufeff", "").Replace(line)
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for _, r := range line {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		for {
			b.WriteByte(' ')
			column++
			if column%8 == 0 {
				break
			}
		}
	}
	return b.String()
}
