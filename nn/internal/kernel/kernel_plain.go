//go:build (!amd64 && !arm64) || purego

package kernel

func levels() []level { return []level{generic} }

func oneHot(dst []uint8, counts *[Slots]uint8, bias, table []int16) {
	oneHotGeneric(dst, counts, bias, table)
}

func affine8(dst []int32, act []uint8, w []int8) {
	affine8Generic(dst, act, w)
}

func affine16(dst []int32, act, w []int16) { affine16Generic(dst, act, w) }

func requantize(dst []int16, acc []int32, mul, bias []float32, limit float32) {
	requantizeGeneric(dst, acc, mul, bias, limit)
}
