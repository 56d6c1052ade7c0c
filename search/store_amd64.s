//go:build amd64 && !purego

#include "textflag.h"

// func store4(to *[4]uint64, w0, w1, w2, w3 uint64)
TEXT ·store4(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), AX
	MOVQ w0+8(FP), BX
	MOVQ w1+16(FP), CX
	MOVQ w2+24(FP), DX
	MOVQ w3+32(FP), SI
	MOVQ BX, (AX)
	MOVQ CX, 8(AX)
	MOVQ DX, 16(AX)
	MOVQ SI, 24(AX)
	RET

// func store8(to, from *line)
TEXT ·store8(SB), NOSPLIT, $0-16
	MOVQ to+0(FP), AX
	MOVQ from+8(FP), BX
	MOVQ (BX), CX
	MOVQ 8(BX), DX
	MOVQ 16(BX), SI
	MOVQ 24(BX), DI
	MOVQ CX, (AX)
	MOVQ DX, 8(AX)
	MOVQ SI, 16(AX)
	MOVQ DI, 24(AX)
	MOVQ 32(BX), CX
	MOVQ 40(BX), DX
	MOVQ 48(BX), SI
	MOVQ 56(BX), DI
	MOVQ CX, 32(AX)
	MOVQ DX, 40(AX)
	MOVQ SI, 48(AX)
	MOVQ DI, 56(AX)
	RET
