package notation

import (
	"regexp"

	"kotra/bg"
)

var (
	findXGID  = regexp.MustCompile(`XGID=[-A-Oa-o]{26}(?::-?\d+|:[0-6DBR]{1,2}){9}`)
	findIDs   = regexp.MustCompile(`(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{14})(?:[^A-Za-z0-9+/]+|[^A-Za-z0-9+/][^\n]{0,24}[^A-Za-z0-9+/])([A-Za-z0-9+/]{12})(?:[^A-Za-z0-9+/=]|$)`)
	findPosID = regexp.MustCompile(`(?i)position[- ]?id\W{1,4}([A-Za-z0-9+/]{14})(?:[^A-Za-z0-9+/=]|$)`)
)

// findMost is how much of a text is searched.
const findMost = 1 << 20

// Find returns the ID of the one position in a text that programs export, in whatever language:
// an XGID, or a Position ID with a Match ID near behind it, or a Position ID that is called one. ok
// is false if there is none, or if there are several different ones.
func Find(text string) (id string, ok bool) {
	text = text[:min(len(text), findMost)]
	if found := findXGID.FindAllString(text, -1); len(found) > 0 {
		return same(found)
	}
	var pairs []string
	for _, m := range findIDs.FindAllStringSubmatch(text, -1) {
		if _, err := bg.ParseGNUID(m[1] + ":" + m[2]); err == nil {
			pairs = append(pairs, m[1]+":"+m[2])
		}
	}
	if len(pairs) > 0 {
		return same(pairs)
	}
	var single []string
	for _, m := range findPosID.FindAllStringSubmatch(text, -1) {
		single = append(single, m[1])
	}
	if len(single) == 0 {
		return "", false
	}
	return same(single)
}

// same returns the element of a list if all are equal.
func same(list []string) (string, bool) {
	for _, s := range list {
		if s != list[0] {
			return "", false
		}
	}
	return list[0], true
}
