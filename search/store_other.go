//go:build !amd64 || purego

package search

import "sync/atomic"

func store4(to *[4]uint64, w0, w1, w2, w3 uint64) {
	atomic.StoreUint64(&to[0], w0)
	atomic.StoreUint64(&to[1], w1)
	atomic.StoreUint64(&to[2], w2)
	atomic.StoreUint64(&to[3], w3)
}

func store8(to, from *line) {
	for i := range to {
		atomic.StoreUint64(&to[i], from[i])
	}
}
