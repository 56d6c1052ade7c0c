//go:build amd64 && !purego

package search

// The stores of a cache. An atomic store of Go waits until all stores before it are seen by the other
// cores, and with it the processor: hundreds of cycles for a line that is not in its own cache. Nothing
// here needs that order: a word is written whole, and an entry with words of two writers identifies
// nothing.

// store4 sets to.
//
//go:noescape
func store4(to *[4]uint64, w0, w1, w2, w3 uint64)

// store8 copies from to to.
//
//go:noescape
func store8(to, from *line)
