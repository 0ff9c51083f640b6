//go:build go1.27 && !purego

#include "textflag.h"

// With y[i] = sum over j <= i < 32 of B[i][j]*x[j], plus B[32][i] when Dark is to move, V = sum
// of x[i]*y[i], plus B[32][32] when Dark is to move. A step takes one number of the board in
// every lane and one column of the brain; rows above the diagonal have no weights there.
//
// Registers, for boards 0 and 1:
//
//	R0       next value              R1, R2    numbers of the boards
//	R3       boards left             R4, R5    weights: all, and the next
//	V0-V7    y of board 0            V8-V15    y of board 1
//	V16-V19  x of board 0            V20-V23   x of board 1
//	V24-V27  rows of a column        V28, V29  number of each board, in all lanes
//	V30, V31 turn, then the sum of x[i]*y[i]

// LOAD reads the numbers at p, the turn last.
#define LOAD(p, x0, x1, x2, x3, turn) \
	VLD1 (p), [x0.H8, x1.H8, x2.H8, x3.H8] \
	ADD $64, p, R6                         \
	VLD1R (R6), [turn.H8]

// START begins y of eight rows with the turn's row, and MORE adds eight rows of a column.
#define START(rows, turn, low, high) \
	VSMULL rows.H4, turn.H4, low.S4 \
	VSMULL2 rows.H8, turn.H8, high.S4

#define MORE(rows, x, low, high) \
	VSMLAL rows.H4, x.H4, low.S4 \
	VSMLAL2 rows.H8, x.H8, high.S4

// ROWS4 to ROWS1 read the rows 0, 8, 16 or 24 to 31 of the next column.
#define ROWS4 VLD1.P 64(R5), [V24.H8, V25.H8, V26.H8, V27.H8]
#define ROWS3 VLD1.P 48(R5), [V25.H8, V26.H8, V27.H8]
#define ROWS2 VLD1.P 32(R5), [V26.H8, V27.H8]
#define ROWS1 VLD1.P 16(R5), [V27.H8]

// FIRST4 to FIRST1 add a column to y of board 0, SECOND4 to SECOND1 to y of board 1.
#define FIRST1(x) \
	VDUP x, V28.H8          \
	MORE(V27, V28, V6, V7)

#define FIRST2(x) \
	FIRST1(x)               \
	MORE(V26, V28, V4, V5)

#define FIRST3(x) \
	FIRST2(x)               \
	MORE(V25, V28, V2, V3)

#define FIRST4(x) \
	FIRST3(x)               \
	MORE(V24, V28, V0, V1)

#define SECOND1(x) \
	VDUP x, V29.H8          \
	MORE(V27, V29, V14, V15)

#define SECOND2(x) \
	SECOND1(x)              \
	MORE(V26, V29, V12, V13)

#define SECOND3(x) \
	SECOND2(x)              \
	MORE(V25, V29, V10, V11)

#define SECOND4(x) \
	SECOND3(x)              \
	MORE(V24, V29, V8, V9)

// EIGHT does eight columns of one board or of two, whose numbers lie in x and z.
#define EIGHT1(rows, add, x) \
	rows        \
	add(x.H[0]) \
	rows        \
	add(x.H[1]) \
	rows        \
	add(x.H[2]) \
	rows        \
	add(x.H[3]) \
	rows        \
	add(x.H[4]) \
	rows        \
	add(x.H[5]) \
	rows        \
	add(x.H[6]) \
	rows        \
	add(x.H[7])

#define EIGHT2(rows, add, x, more, z) \
	rows         \
	add(x.H[0])  \
	more(z.H[0]) \
	rows         \
	add(x.H[1])  \
	more(z.H[1]) \
	rows         \
	add(x.H[2])  \
	more(z.H[2]) \
	rows         \
	add(x.H[3])  \
	more(z.H[3]) \
	rows         \
	add(x.H[4])  \
	more(z.H[4]) \
	rows         \
	add(x.H[5])  \
	more(z.H[5]) \
	rows         \
	add(x.H[6])  \
	more(z.H[6]) \
	rows         \
	add(x.H[7])  \
	more(z.H[7])

// PRODUCT adds eight x[i]*y[i] to a sum of four lanes.
#define PRODUCT(x, low, high, sum) \
	VSXTL x.H4, V24.S4            \
	VSXTL2 x.H8, V25.S4           \
	VMLA V24.S4, low.S4, sum.S4   \
	VMLA V25.S4, high.S4, sum.S4

// func valuesArray16NEON(dst *int32, boards *int16, n int, weights *array16NEON)
TEXT ·valuesArray16NEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD boards+8(FP), R1
	MOVD n+16(FP), R3
	MOVD weights+24(FP), R4

	// Two boards a round, so every column is loaded once for both.
	SUBS $2, R3
	BLT  single

pair:
	ADD  $66, R1, R2
	MOVD R4, R5
	LOAD(R1, V16, V17, V18, V19, V30)
	LOAD(R2, V20, V21, V22, V23, V31)
	ROWS4
	START(V24, V30, V0, V1)
	START(V25, V30, V2, V3)
	START(V26, V30, V4, V5)
	START(V27, V30, V6, V7)
	START(V24, V31, V8, V9)
	START(V25, V31, V10, V11)
	START(V26, V31, V12, V13)
	START(V27, V31, V14, V15)
	ROWS1
	VSMULL V27.H4, V30.H4, V30.S4
	VSMULL V27.H4, V31.H4, V31.S4
	EIGHT2(ROWS4, FIRST4, V16, SECOND4, V20)
	EIGHT2(ROWS3, FIRST3, V17, SECOND3, V21)
	EIGHT2(ROWS2, FIRST2, V18, SECOND2, V22)
	EIGHT2(ROWS1, FIRST1, V19, SECOND1, V23)
	PRODUCT(V16, V0, V1, V30)
	PRODUCT(V20, V8, V9, V31)
	PRODUCT(V17, V2, V3, V30)
	PRODUCT(V21, V10, V11, V31)
	PRODUCT(V18, V4, V5, V30)
	PRODUCT(V22, V12, V13, V31)
	PRODUCT(V19, V6, V7, V30)
	PRODUCT(V23, V14, V15, V31)

	// Fold both sums to one number each.
	VADDP V31.S4, V30.S4, V30.S4
	VADDP V30.S4, V30.S4, V30.S4
	FMOVD.P F30, 8(R0)
	ADD   $132, R1
	SUBS  $2, R3
	BGE   pair

	// The last board of an odd number.
single:
	ADDS $2, R3
	BEQ  done
	LOAD(R1, V16, V17, V18, V19, V30)
	MOVD R4, R5
	ROWS4
	START(V24, V30, V0, V1)
	START(V25, V30, V2, V3)
	START(V26, V30, V4, V5)
	START(V27, V30, V6, V7)
	ROWS1
	VSMULL V27.H4, V30.H4, V30.S4
	EIGHT1(ROWS4, FIRST4, V16)
	EIGHT1(ROWS3, FIRST3, V17)
	EIGHT1(ROWS2, FIRST2, V18)
	EIGHT1(ROWS1, FIRST1, V19)
	PRODUCT(V16, V0, V1, V30)
	PRODUCT(V17, V2, V3, V30)
	PRODUCT(V18, V4, V5, V30)
	PRODUCT(V19, V6, V7, V30)
	VADDV V30.S4, V30
	FMOVS F30, (R0)

done:
	RET
