// Package bgf reads match files of BGBlitz (.bgf).
//
// The first line of a file is a small JSON object; what follows is a document in JSON or SMILE, a
// binary form of it, and may be compressed with gzip. The layout is known from public descriptions
// only, so every field is optional, and what is not known becomes a warning.
package bgf
