#include "textflag.h"

// func urRequest(request *[6]uintptr)
// The rotations leave DI unchanged; valgrind recognizes them, as in valgrind/valgrind.h.
TEXT ·urRequest(SB), NOSPLIT, $0-8
	MOVQ request+0(FP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	RET
