//go:build arm64 && !purego

#include "textflag.h"

// Instructions that the assembler does not know; see kernel_arm64.s.
#define SMAX_H8(m, n, d) WORD $(0x4e606400 | (m)<<16 | (n)<<5 | (d))
#define SMIN_H8(m, n, d) WORD $(0x4e606c00 | (m)<<16 | (n)<<5 | (d))
#define SQDMULH_H8(m, n, d) WORD $(0x4e60b400 | (m)<<16 | (n)<<5 | (d))
#define SMLAL_H4(m, n, d) WORD $(0x0e608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2_H8(m, n, d) WORD $(0x4e608000 | (m)<<16 | (n)<<5 | (d))

// Load 128 sums from the given register on, which is moved, to V0 to V15, or store them.
#define LOADSUMS(r) \
	VLD1.P 64(r), [V0.H8, V1.H8, V2.H8, V3.H8]     \
	VLD1.P 64(r), [V4.H8, V5.H8, V6.H8, V7.H8]     \
	VLD1.P 64(r), [V8.H8, V9.H8, V10.H8, V11.H8]   \
	VLD1.P 64(r), [V12.H8, V13.H8, V14.H8, V15.H8]

#define STORESUMS(r) \
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(r)     \
	VST1.P [V4.H8, V5.H8, V6.H8, V7.H8], 64(r)     \
	VST1.P [V8.H8, V9.H8, V10.H8, V11.H8], 64(r)   \
	VST1.P [V12.H8, V13.H8, V14.H8, V15.H8], 64(r)

// Do op, VADD or VSUB, to four registers of sums and the next 32 numbers at R9.
#define FOUR(op, a, b, c, d) \
	VLD1.P 64(R9), [V16.H8, V17.H8, V18.H8, V19.H8] \
	op V16.H8, a.H8, a.H8                           \
	op V17.H8, b.H8, b.H8                           \
	op V18.H8, c.H8, c.H8                           \
	op V19.H8, d.H8, d.H8

#define ROW(op) \
	FOUR(op, V0, V1, V2, V3)     \
	FOUR(op, V4, V5, V6, V7)     \
	FOUR(op, V8, V9, V10, V11)   \
	FOUR(op, V12, V13, V14, V15)

// func diffsNEON(dst *uint64, counts *uint8, ref *uint8, n int)
//
// Counts are read as three times 16, and the last 16 of them, of which the last four are new.
TEXT ·diffsNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD counts+8(FP), R1
	MOVD ref+16(FP), R2
	MOVD n+24(FP), R3
	ADD  $36, R2, R4
	VLD1 (R2), [V0.B16, V1.B16, V2.B16]
	VLD1 (R4), [V3.B16]
	MOVD $0x8040201008040201, R5
	VDUP R5, V16.D2            // the bit of each count in its byte of the mask
	MOVD $0xffffffffffff, R6

each:
	ADD   $36, R1, R4
	VLD1  (R1), [V4.B16, V5.B16, V6.B16]
	VLD1  (R4), [V7.B16]
	VCMEQ V0.B16, V4.B16, V4.B16
	VCMEQ V1.B16, V5.B16, V5.B16
	VCMEQ V2.B16, V6.B16, V6.B16
	VCMEQ V3.B16, V7.B16, V7.B16
	VAND  V16.B16, V4.B16, V4.B16
	VAND  V16.B16, V5.B16, V5.B16
	VAND  V16.B16, V6.B16, V6.B16
	VAND  V16.B16, V7.B16, V7.B16
	VADDP V5.B16, V4.B16, V4.B16
	VADDP V7.B16, V6.B16, V6.B16
	VADDP V6.B16, V4.B16, V4.B16
	VADDP V4.B16, V4.B16, V4.B16
	VMOV  V4.D[0], R7
	MVN   R7, R7
	LSR   $60, R7, R8
	AND   R6, R7
	ORR   R8<<48, R7
	MOVD.P R7, 8(R0)
	ADD   $52, R1
	SUBS  $1, R3
	BNE   each
	RET

// func changeRowsNEON(dst *int16, base *int16, table *int16, width int, rows *uint32, plus int, all int)
TEXT ·changeRowsNEON(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD base+8(FP), R1
	MOVD table+16(FP), R2
	MOVD width+24(FP), R3
	MOVD rows+32(FP), R4
	MOVD plus+40(FP), R5
	MOVD all+48(FP), R6
	ADD  R5<<2, R4, R5
	ADD  R6<<2, R4, R6

chunk:
	LOADSUMS(R1)
	MOVD R4, R7
	CMP  R7, R5
	BEQ  added

add:
	MOVWU.P 4(R7), R9
	ADD  R9<<1, R2, R9
	ROW(VADD)
	CMP  R7, R5
	BNE  add

added:
	CMP  R7, R6
	BEQ  subtracted

subtract:
	MOVWU.P 4(R7), R9
	ADD  R9<<1, R2, R9
	ROW(VSUB)
	CMP  R7, R6
	BNE  subtract

subtracted:
	STORESUMS(R0)
	ADD  $256, R2
	SUBS $128, R3
	BNE  chunk
	RET

// The activation of the sums in register d: 2*(8*x)*(4*x)>>16 for x between 0 and 2048; times the
// gradient in register g, added to registers s and s+1.
#define RATE(d, D, g, s) \
	SMAX_H8(30, d, d)       \
	SMIN_H8(31, d, d)       \
	VSHL $2, D.H8, V20.H8   \
	VSHL $3, D.H8, V21.H8   \
	SQDMULH_H8(20, 21, d)   \
	SMLAL_H4(g, d, s)       \
	SMLAL2_H8(g, d, s+1)

#define RATEFOUR(a, A, b, B, c, C, d, D) \
	VLD1.P 64(R5), [V16.H8, V17.H8, V18.H8, V19.H8] \
	RATE(a, A, 16, 24)                              \
	RATE(b, B, 17, 26)                              \
	RATE(c, C, 18, 24)                              \
	RATE(d, D, 19, 26)

// func rateRowsNEON(base *int16, table *int16, width int, rows *uint32, all int, gradient *int16) int32
TEXT ·rateRowsNEON(SB), NOSPLIT, $0-52
	MOVD base+0(FP), R1
	MOVD table+8(FP), R2
	MOVD width+16(FP), R3
	MOVD rows+24(FP), R4
	MOVD all+32(FP), R6
	MOVD gradient+40(FP), R5
	ADD  R6<<2, R4, R6
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V30.B16, V30.B16, V30.B16
	MOVD $2048, R9
	VDUP R9, V31.H8

chunk:
	LOADSUMS(R1)
	MOVD R4, R7
	CMP  R7, R6
	BEQ  added

add:
	MOVWU.P 4(R7), R9
	ADD  R9<<1, R2, R9
	ROW(VADD)
	CMP  R7, R6
	BNE  add

added:
	RATEFOUR(0, V0, 1, V1, 2, V2, 3, V3)
	RATEFOUR(4, V4, 5, V5, 6, V6, 7, V7)
	RATEFOUR(8, V8, 9, V9, 10, V10, 11, V11)
	RATEFOUR(12, V12, 13, V13, 14, V14, 15, V15)
	ADD  $256, R2
	SUBS $128, R3
	BNE  chunk
	VADD V25.S4, V24.S4, V24.S4
	VADD V27.S4, V26.S4, V26.S4
	VADD V26.S4, V24.S4, V24.S4
	VADDV V24.S4, V24
	VMOV V24.S[0], R0
	MOVW R0, ret+48(FP)
	RET
