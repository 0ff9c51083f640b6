#include "textflag.h"

// func urRequest(request *[6]uintptr)
// The rotations leave R12 unchanged; valgrind recognizes them, as in valgrind/valgrind.h.
TEXT ·urRequest(SB), NOSPLIT, $0-8
	MOVD request+0(FP), R4
	MOVD $0, R3
	ROR $3, R12, R12
	ROR $13, R12, R12
	ROR $51, R12, R12
	ROR $61, R12, R12
	ORR R10, R10, R10
	RET
