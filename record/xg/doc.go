// Package xg reads the binary files of eXtreme Gammon: matches (.xg) and positions (.xgp).
//
// A file is a header with a picture, and an archive of zlib streams: temp.xg holds the match as
// records of 2560 bytes, temp.xgr rollouts, temp.xgc comments. All numbers are little-endian.
//
//	offset 0              header, 8232 bytes, beginning with RGMH
//	8232                  picture, of the size in the header
//	then                  file data, file registry, trailer of 36 bytes at the end of the file
//
// What does not fit together within a match becomes a warning. Analyses become those of the
// actions; levels are named as our plies, one less than the program's. It does not write.
package xg
