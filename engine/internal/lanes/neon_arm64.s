//go:build go1.27 && !purego

#include "go_asm.h"
#include "textflag.h"

// ADD64 adds 64 bytes of fields, four of 16 bits and their borrows in every 64, so the additions
// are of 64 bits as in Go.
#define ADD64 \
	VLD1.P 64(R4), [V0.D2, V1.D2, V2.D2, V3.D2] \
	VLD1 (R5), [V4.D2, V5.D2, V6.D2, V7.D2]     \
	VADD V0.D2, V4.D2, V4.D2                    \
	VADD V1.D2, V5.D2, V5.D2                    \
	VADD V2.D2, V6.D2, V6.D2                    \
	VADD V3.D2, V7.D2, V7.D2                    \
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R5)

// func addRows(lanes *goLane, rows **narrowRow, n int)
TEXT ·addRows(SB), NOSPLIT, $0-24
	MOVD lanes+0(FP), R0
	MOVD rows+8(FP), R1
	MOVD n+16(FP), R2

lane:
	MOVD.P 8(R1), R3

	// Position and counts.
	LDP  narrowRow_position(R3), (R6, R7)
	LDP  narrowGame_position(R0), (R8, R9)
	ADD  R6, R8
	ADD  R7, R9
	STP  (R8, R9), narrowGame_position(R0)

	// The fields of both sides.
	ADD  $narrowRow_fields, R3, R4
	ADD  $narrowGame_fields, R0, R5
	ADD64
	ADD64
	ADD  $goLane__size, R0
	SUBS $1, R2
	BNE  lane
	RET
