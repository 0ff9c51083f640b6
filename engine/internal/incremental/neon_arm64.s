//go:build go1.27 && !purego

#include "go_asm.h"
#include "textflag.h"

// ADD64 adds 64 bytes of fields, two of 32 bits and their borrows in every 64, so the additions
// are of 64 bits as in Go.
#define ADD64 \
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2] \
	VLD1 (R2), [V4.D2, V5.D2, V6.D2, V7.D2]     \
	VADD V0.D2, V4.D2, V4.D2                    \
	VADD V1.D2, V5.D2, V5.D2                    \
	VADD V2.D2, V6.D2, V6.D2                    \
	VADD V3.D2, V7.D2, V7.D2                    \
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R2)

// func addRow(s *state, row *row)
TEXT ·addRow(SB), NOSPLIT, $0-16
	MOVD s+0(FP), R0
	MOVD row+8(FP), R1

	// Position and counts.
	LDP  row_position(R1), (R3, R4)
	LDP  state_position(R0), (R5, R6)
	ADD  R3, R5
	ADD  R4, R6
	STP  (R5, R6), state_position(R0)

	// The fields of both sides.
	ADD  $row_fields, R1
	ADD  $state_fields, R0, R2
	ADD64
	ADD64
	ADD64
	ADD64
	RET
