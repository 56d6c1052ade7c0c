package kernel

import "math"

func oneHotGeneric(dst []uint8, counts *[Slots]uint8, bias, table []int16) {
	var sums [WidthUnit]int16
	width := len(dst)
	for from := 0; from < width; from += WidthUnit {
		copy(sums[:], bias[from:])
		for slot, c := range counts {
			if c == 0 {
				continue
			}
			row := table[(slot*Levels+int(c))*width+from:][:WidthUnit]
			for i := range sums {
				sums[i] = saturate(int32(sums[i]) + int32(row[i]))
			}
		}
		for i, s := range sums {
			x := uint32(min(max(s, 0), One))
			dst[from+i] = uint8(2 * x * x >> 16)
		}
	}
}

func saturate(x int32) int16 { return int16(min(max(x, math.MinInt16), math.MaxInt16)) }

func affine8Generic(dst []int32, act []uint8, w []int8) {
	for j := 0; j < len(dst); {
		out := dst[j:][:block(len(dst), j)]
		clear(out)
		for i := 0; i < len(act); i += 4 {
			for o := range out {
				out[o] += int32(act[i])*int32(w[0]) + int32(act[i+1])*int32(w[1]) +
					int32(act[i+2])*int32(w[2]) + int32(act[i+3])*int32(w[3])
				w = w[4:]
			}
		}
		j += len(out)
	}
}

func affine16Generic(dst []int32, act []int16, w []int16) {
	for j := 0; j < len(dst); {
		out := dst[j:][:block(len(dst), j)]
		clear(out)
		for i := 0; i < len(act); i += 2 {
			for o := range out {
				out[o] += int32(act[i])*int32(w[0]) + int32(act[i+1])*int32(w[1])
				w = w[2:]
			}
		}
		j += len(out)
	}
}

func requantizeGeneric(dst []int16, acc []int32, mul, bias []float32, limit float32) {
	for j := range dst {
		x := float32(float32(acc[j])*mul[j]) + bias[j]
		dst[j] = int16(math.RoundToEven(float64(min(max(x, 0), limit))))
	}
}

func sumRowsGeneric(dst, bias, table []float32, rows []uint16) {
	copy(dst, bias)
	for _, r := range rows {
		row := table[int(r)*len(dst):][:len(dst)]
		for i := range dst {
			dst[i] += row[i]
		}
	}
}

func addRowsGeneric(table, grad []float32, rows []uint16) {
	for _, r := range rows {
		row := table[int(r)*len(grad):][:len(grad)]
		for i := range row {
			row[i] += grad[i]
		}
	}
}

func squareClipGeneric(dst, src []float32) {
	for i, x := range src {
		x = min(max(x, 0), 1)
		x = float32(x*x) * ActivationOne
		dst[i] = float32(int32(x)) / ActivationOne
	}
}

func squareClipGradGeneric(grad, src []float32) {
	for i, x := range src {
		if x > 0 && x < 1 {
			grad[i] *= 2 * x
		} else {
			grad[i] = 0
		}
	}
}

func gemmGeneric(c, a, b []float32, m, n, k, aRow, aCol, bRow, cRow int) {
	for i := range m {
		out := c[i*cRow:][:n]
		for p := range k {
			x := a[i*aRow+p*aCol]
			for j, y := range b[p*bRow:][:n] {
				out[j] += float32(x * y)
			}
		}
	}
}

func adamGeneric(w, m, v, g []float32, p AdamStep) {
	for i := range w {
		x := g[i] * p.Scale
		g[i] = 0
		m[i] = float32(p.Beta1*m[i]) + float32((1-p.Beta1)*x)
		v[i] = float32(p.Beta2*v[i]) + float32((1-p.Beta2)*float32(x*x))
		w[i] -= float32(p.Rate*m[i]) / (float32(math.Sqrt(float64(v[i]))) + p.Epsilon)
	}
}

func axpbyGeneric(y, x []float32, a, b float32) {
	for i := range y {
		y[i] = float32(a*x[i]) + float32(b*y[i])
	}
}
