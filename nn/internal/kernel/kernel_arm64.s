//go:build arm64 && !purego

#include "textflag.h"

// Instructions that the assembler does not know. The arguments are register numbers in the order
// of Go's assembler: sources, the second operand first, then the destination.
#define SQADD_H8(m, n, d) WORD $(0x4e600c00 | (m)<<16 | (n)<<5 | (d))
#define SMAX_H8(m, n, d) WORD $(0x4e606400 | (m)<<16 | (n)<<5 | (d))
#define SMIN_H8(m, n, d) WORD $(0x4e606c00 | (m)<<16 | (n)<<5 | (d))
#define SQDMULH_H8(m, n, d) WORD $(0x4e60b400 | (m)<<16 | (n)<<5 | (d))
#define SMULL_B8(m, n, d) WORD $(0x0e20c000 | (m)<<16 | (n)<<5 | (d))
#define SMULL2_B16(m, n, d) WORD $(0x4e20c000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL_B8(m, n, d) WORD $(0x0e208000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2_B16(m, n, d) WORD $(0x4e208000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL_H4(m, n, d) WORD $(0x0e608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2_H8(m, n, d) WORD $(0x4e608000 | (m)<<16 | (n)<<5 | (d))
#define SCVTF_S4(n, d) WORD $(0x4e21d800 | (n)<<5 | (d))
#define FMUL_S4(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))
#define FADD_S4(m, n, d) WORD $(0x4e20d400 | (m)<<16 | (n)<<5 | (d))
#define FMAX_S4(m, n, d) WORD $(0x4e20f400 | (m)<<16 | (n)<<5 | (d))
#define FMIN_S4(m, n, d) WORD $(0x4ea0f400 | (m)<<16 | (n)<<5 | (d))
#define FCVTNS_S4(n, d) WORD $(0x4e21a800 | (n)<<5 | (d))
#define XTN_H4(n, d) WORD $(0x0e612800 | (n)<<5 | (d))
#define XTN2_H8(n, d) WORD $(0x4e612800 | (n)<<5 | (d))
#define SADALP_H8(n, d) WORD $(0x4e606800 | (n)<<5 | (d))
#define SDOT_B16(m, n, d) WORD $(0x4e809400 | (m)<<16 | (n)<<5 | (d))
#define NEG_B16(n, d) WORD $(0x6e20b800 | (n)<<5 | (d))
#define NEG_S4(n, d) WORD $(0x6ea0b800 | (n)<<5 | (d))

// Add eight columns of 16 bits each of four registers from R9 on to the sums in registers d to d+3.
#define ADDROW(d) \
	VLD1.P 64(R9), [V16.H8, V17.H8, V18.H8, V19.H8] \
	SQADD_H8(16, d+0, d+0)                          \
	SQADD_H8(17, d+1, d+1)                          \
	SQADD_H8(18, d+2, d+2)                          \
	SQADD_H8(19, d+3, d+3)

// The activation of the sums in register d: 2*x*x>>16 for x between 0 and 2048.
#define ACTIVATE(d) \
	SMAX_H8(30, d, d)   \
	SMIN_H8(31, d, d)   \
	SQDMULH_H8(d, d, d)

// func oneHotNEON(dst *uint8, counts *uint8, bias *int16, table *int16, width int)
TEXT ·oneHotNEON(SB), NOSPLIT, $416-40
	MOVD dst+0(FP), R0
	MOVD counts+8(FP), R1
	MOVD bias+16(FP), R2
	MOVD table+24(FP), R3
	MOVD width+32(FP), R4
	LSL  $1, R4                // bytes of a row

	// Find the offsets of the active rows, from R5 to R6; R7 is the first slot of the word R8.
	MOVD $offsets-416(SP), R5
	MOVD R5, R6
	MOVD $0, R7

word:
	CMP  $48, R7
	BEQ  last
	MOVD (R1)(R7), R8
	B    scan

last:
	MOVWU 48(R1), R8

scan:
	CBZ  R8, nextword
	RBIT R8, R9
	CLZ  R9, R9
	AND  $0x38, R9             // the lowest byte that is not 0 begins at this bit
	LSR  R9, R8, R10
	AND  $0xff, R10
	ADD  R9>>3, R7, R11
	ADD  R11<<4, R10
	MUL  R4, R10
	MOVD.P R10, 8(R6)
	MOVD $0xff, R11
	LSL  R9, R11
	BIC  R11, R8
	B    scan

nextword:
	ADD  $8, R7
	CMP  $56, R7
	BNE  word

	VEOR V30.B16, V30.B16, V30.B16
	MOVD $2048, R9
	VDUP R9, V31.H8

	// 128 sums at a time are held in V0 to V15.
chunk:
	VLD1.P 64(R2), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R2), [V4.H8, V5.H8, V6.H8, V7.H8]
	VLD1.P 64(R2), [V8.H8, V9.H8, V10.H8, V11.H8]
	VLD1.P 64(R2), [V12.H8, V13.H8, V14.H8, V15.H8]
	MOVD R5, R8
	CMP  R5, R6
	BEQ  activate

rows:
	MOVD.P 8(R8), R9
	ADD  R3, R9
	ADDROW(0)
	ADDROW(4)
	ADDROW(8)
	ADDROW(12)
	CMP  R8, R6
	BNE  rows

activate:
	ACTIVATE(0)
	ACTIVATE(1)
	ACTIVATE(2)
	ACTIVATE(3)
	ACTIVATE(4)
	ACTIVATE(5)
	ACTIVATE(6)
	ACTIVATE(7)
	ACTIVATE(8)
	ACTIVATE(9)
	ACTIVATE(10)
	ACTIVATE(11)
	ACTIVATE(12)
	ACTIVATE(13)
	ACTIVATE(14)
	ACTIVATE(15)
	VUZP1 V1.B16, V0.B16, V16.B16
	VUZP1 V3.B16, V2.B16, V17.B16
	VUZP1 V5.B16, V4.B16, V18.B16
	VUZP1 V7.B16, V6.B16, V19.B16
	VUZP1 V9.B16, V8.B16, V20.B16
	VUZP1 V11.B16, V10.B16, V21.B16
	VUZP1 V13.B16, V12.B16, V22.B16
	VUZP1 V15.B16, V14.B16, V23.B16
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R0)
	VST1.P [V20.B16, V21.B16, V22.B16, V23.B16], 64(R0)
	ADD  $256, R3
	SUBS $256, R4
	BNE  chunk
	RET

// Multiply the inputs of two groups, in V16 and V17, by weights of four outputs, in registers a
// and b, and add to the sums in d and d+1, two for each output. Two products and two more fit in
// 16 bits.
#define MULTIPLY(a, b, d) \
	SMULL_B8(16, a, 26)    \
	SMULL2_B16(16, a, 27)  \
	SMLAL_B8(17, b, 26)    \
	SMLAL2_B16(17, b, 27)  \
	SADALP_H8(26, d)       \
	SADALP_H8(27, d+1)

// func affine8x32NEON(dst *int32, act *uint8, w *int8, n int)
//
// The activations are negated, for 128 is not a signed byte and -128 is, and so are the sums.
TEXT ·affine8x32NEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD act+8(FP), R1
	MOVD w+16(FP), R2
	MOVD n+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16

loop:
	ADD $128, R2, R4
	VLD1R.P 4(R1), [V16.S4]
	VLD1R.P 4(R1), [V17.S4]
	NEG_B16(16, 16)
	NEG_B16(17, 17)
	VLD1.P 64(R2), [V18.B16, V19.B16, V20.B16, V21.B16]
	VLD1.P 64(R4), [V22.B16, V23.B16, V24.B16, V25.B16]
	MULTIPLY(18, 22, 0)
	MULTIPLY(19, 23, 2)
	MULTIPLY(20, 24, 4)
	MULTIPLY(21, 25, 6)
	VLD1.P 64(R2), [V18.B16, V19.B16, V20.B16, V21.B16]
	VLD1.P 64(R4), [V22.B16, V23.B16, V24.B16, V25.B16]
	MULTIPLY(18, 22, 8)
	MULTIPLY(19, 23, 10)
	MULTIPLY(20, 24, 12)
	MULTIPLY(21, 25, 14)
	MOVD R4, R2
	SUBS $8, R3
	BNE  loop

	VADDP V1.S4, V0.S4, V16.S4
	VADDP V3.S4, V2.S4, V17.S4
	VADDP V5.S4, V4.S4, V18.S4
	VADDP V7.S4, V6.S4, V19.S4
	VADDP V9.S4, V8.S4, V20.S4
	VADDP V11.S4, V10.S4, V21.S4
	VADDP V13.S4, V12.S4, V22.S4
	VADDP V15.S4, V14.S4, V23.S4
	NEG_S4(16, 16)
	NEG_S4(17, 17)
	NEG_S4(18, 18)
	NEG_S4(19, 19)
	NEG_S4(20, 20)
	NEG_S4(21, 21)
	NEG_S4(22, 22)
	NEG_S4(23, 23)
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	RET

// func affine8x32DotProd(dst *int32, act *uint8, w *int8, n int)
//
// As affine8x32NEON; an instruction adds the four products of an output.
TEXT ·affine8x32DotProd(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD act+8(FP), R1
	MOVD w+16(FP), R2
	MOVD n+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

loop:
	VLD1R.P 4(R1), [V16.S4]
	NEG_B16(16, 16)
	VLD1.P 64(R2), [V18.B16, V19.B16, V20.B16, V21.B16]
	VLD1.P 64(R2), [V22.B16, V23.B16, V24.B16, V25.B16]
	SDOT_B16(16, 18, 0)
	SDOT_B16(16, 19, 1)
	SDOT_B16(16, 20, 2)
	SDOT_B16(16, 21, 3)
	SDOT_B16(16, 22, 4)
	SDOT_B16(16, 23, 5)
	SDOT_B16(16, 24, 6)
	SDOT_B16(16, 25, 7)
	SUBS $4, R3
	BNE  loop

	NEG_S4(0, 0)
	NEG_S4(1, 1)
	NEG_S4(2, 2)
	NEG_S4(3, 3)
	NEG_S4(4, 4)
	NEG_S4(5, 5)
	NEG_S4(6, 6)
	NEG_S4(7, 7)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R0)
	RET

// Multiply the two inputs in V16, again and again, by weights of four outputs in register w, and add
// to the sums in d and d+1, two for each output.
#define MULTIPLY16(w, d) \
	SMLAL_H4(w, 16, d)    \
	SMLAL2_H8(w, 16, d+1)

// func affine16x32NEON(dst *int32, act *int16, w *int16, n int)
TEXT ·affine16x32NEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD act+8(FP), R1
	MOVD w+16(FP), R2
	MOVD n+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16

loop:
	VLD1R.P 4(R1), [V16.S4]
	VLD1.P 64(R2), [V18.H8, V19.H8, V20.H8, V21.H8]
	VLD1.P 64(R2), [V22.H8, V23.H8, V24.H8, V25.H8]
	MULTIPLY16(18, 0)
	MULTIPLY16(19, 2)
	MULTIPLY16(20, 4)
	MULTIPLY16(21, 6)
	MULTIPLY16(22, 8)
	MULTIPLY16(23, 10)
	MULTIPLY16(24, 12)
	MULTIPLY16(25, 14)
	SUBS $2, R3
	BNE  loop

	VADDP V1.S4, V0.S4, V16.S4
	VADDP V3.S4, V2.S4, V17.S4
	VADDP V5.S4, V4.S4, V18.S4
	VADDP V7.S4, V6.S4, V19.S4
	VADDP V9.S4, V8.S4, V20.S4
	VADDP V11.S4, V10.S4, V21.S4
	VADDP V13.S4, V12.S4, V22.S4
	VADDP V15.S4, V14.S4, V23.S4
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], 64(R0)
	RET

// func affine16x8NEON(dst *int32, act *int16, w *int16, n int)
TEXT ·affine16x8NEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD act+8(FP), R1
	MOVD w+16(FP), R2
	MOVD n+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16

loop:
	VLD1R.P 4(R1), [V16.S4]
	VLD1.P 32(R2), [V18.H8, V19.H8]
	MULTIPLY16(18, 0)
	MULTIPLY16(19, 2)
	SUBS $2, R3
	BNE  loop

	VADDP V1.S4, V0.S4, V16.S4
	VADDP V3.S4, V2.S4, V17.S4
	VST1 [V16.S4, V17.S4], (R0)
	RET

// The four sums in register x times those in m, plus those in b, as integers between 0 and the limit.
#define REQUANTIZE(x, m, b) \
	SCVTF_S4(x, x)   \
	FMUL_S4(m, x, x) \
	FADD_S4(b, x, x) \
	FMAX_S4(30, x, x) \
	FMIN_S4(31, x, x) \
	FCVTNS_S4(x, x)

// func requantizeNEON(dst *int16, acc *int32, mul *float32, bias *float32, limit float32, n int)
TEXT ·requantizeNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R0
	MOVD acc+8(FP), R1
	MOVD mul+16(FP), R2
	MOVD bias+24(FP), R3
	MOVWU limit+32(FP), R4
	MOVD n+40(FP), R5
	VDUP R4, V31.S4
	VEOR V30.B16, V30.B16, V30.B16

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1.P 64(R3), [V8.S4, V9.S4, V10.S4, V11.S4]
	REQUANTIZE(0, 4, 8)
	REQUANTIZE(1, 5, 9)
	REQUANTIZE(2, 6, 10)
	REQUANTIZE(3, 7, 11)
	XTN_H4(0, 0)
	XTN2_H8(1, 0)
	XTN_H4(2, 1)
	XTN2_H8(3, 1)
	VST1.P [V0.H8, V1.H8], 32(R0)
	SUBS $16, R5
	BNE  loop
	RET
