//go:build go1.27 && !purego

#include "go_asm.h"
#include "textflag.h"

// A kernel plays one game to a pair of registers; games take turns, and the move of one is chosen
// before that of the game before is made.
//
// Registers:
//
//	R0, R1, R2   state, tables, winners
//	R3, R4       the game whose move is chosen, and where the games end
//	R5, R6       turns taken of the 16 whose dice are thrown; captures, rosettes and passes
//	R7, R8       the game whose move is made, and the row of that move
//	R9           row of the chosen move
//	R10-R15      for a few instructions
//	R19-R22      gamma and the factors of the dice, the size of a block
//	V16-V21      blockers, takes and expand of the tables, two each
//	V22-V24      all ones; nibbles and fifteen of the tables
//	V0-V7        for a few instructions, squares 0 to 7 in the first of two

#define GAME_OVER (1<<27 | 1<<31)

// MIX is SplitMix64's finalizer.
#define MIX(z) \
	EOR z>>30, z, z  \
	MUL R20, z, z    \
	EOR z>>27, z, z  \
	MUL R21, z, z    \
	EOR z>>31, z, z

// ROLLS stores 4 - roll for the 16 nibbles of a dice word, the lowest first.
#define ROLLS(word, game, shift) \
	FMOVD word, F0                       \
	VUSHR $4, V0.B16, V1.B16             \
	VZIP1 V1.B16, V0.B16, V0.B16         \
	VAND V24.B16, V0.B16, V0.B16         \
	VTBL V0.B16, [V23.B16], V0.B16       \
	ADD  shift, game, R15                \
	FMOVQ F0, oneGame_rolls(R15)

// CHOOSE sets R9 to the row of the best move of the game R3.
#define CHOOSE \
	/* 4 - roll, 4 * side to move, the block of the tables for both, the accumulators. */ \
	ADD  R5, R3, R10                                 \
	MOVBU oneGame_rolls(R10), R10                    \
	MOVBU (oneGame_board+7)(R3), R11                 \
	ADD  R11<<1, R10, R12                            \
	MADD R22, R1, R12, R12                           \
	ADD  R11<<3, R3, R13                             \
	ADD  R11, R3, R14                                \
	ADD  R11<<2, R3, R15                             \
	/* Legal destinations: the mover's field has the bit of the source and none that closes it. */ \
	ADD  $(oneGame_board+1), R14, R11                \
	VLD1R (R11), [V6.H8]                             \
	ADD  $(oneGame_board+5), R14, R14                \
	VLD1R (R14), [V7.H8]                             \
	FLDPQ block_source(R12), (F0, F1)                \
	VORR V16.B16, V0.B16, V2.B16                     \
	VORR V17.B16, V1.B16, V3.B16                     \
	VAND V6.B16, V2.B16, V2.B16                      \
	VAND V6.B16, V3.B16, V3.B16                      \
	VCMEQ V0.H8, V2.H8, V2.H8                        \
	VCMEQ V1.H8, V3.H8, V3.H8                        \
	/* Captures where the opponent stands, and the turn on rosettes. */ \
	VAND V7.B16, V18.B16, V4.B16                     \
	VAND V7.B16, V19.B16, V5.B16                     \
	VCMEQ V18.H8, V4.H8, V4.H8                       \
	VCMEQ V19.H8, V5.H8, V5.H8                       \
	FMOVQ (oneGame_sums+sums_extra)(R15), F6         \
	VTBL V20.B16, [V6.B16], V25.B16                  \
	VTBL V21.B16, [V6.B16], V26.B16                  \
	FLDPQ block_take(R12), (F0, F1)                  \
	VADD V0.H8, V25.H8, V25.H8                       \
	VADD V1.H8, V26.H8, V26.H8                       \
	VAND V4.B16, V25.B16, V25.B16                    \
	VAND V5.B16, V26.B16, V26.B16                    \
	/* Candidates: accumulators of the destinations less those of the sources, roll words lower. */ \
	FLDPQ oneGame_sums(R13), (F0, F1)                \
	ADD  R10<<1, R13, R14                            \
	ADD  $(oneGame_sums-8), R14                      \
	FLDPQ (R14), (F6, F7)                            \
	VSUB V6.H8, V0.H8, V0.H8                         \
	VSUB V7.H8, V1.H8, V1.H8                         \
	FLDPQ block_constant(R12), (F6, F7)              \
	VADD V6.H8, V0.H8, V0.H8                         \
	VADD V7.H8, V1.H8, V1.H8                         \
	VADD V25.H8, V0.H8, V0.H8                        \
	VADD V26.H8, V1.H8, V1.H8                        \
	VBSL V22.B16, V0.B16, V2.B16                     \
	VBSL V22.B16, V1.B16, V3.B16                     \
	VORR V2.B16, V2.B16, V0.B16                      \
	VORR V3.B16, V3.B16, V1.B16                      \
	BEST                                             \
	ADD  $block_rows, R12                            \
	ADD  R9<<7, R12, R9

// APPLY makes the move of the row R8 in the game R7, and clears the zero flag if the game is over:
// board and counts by one addition each, the accumulators by six.
#define APPLY \
	MOVD row_board(R8), R10                          \
	MOVD oneGame_board(R7), R11                      \
	ADD  R10, R11                                    \
	STP  (R11, R11), oneGame_board(R7)               \
	MOVD row_counts(R8), R10                         \
	ADD  R10, R6                                     \
	FLDPQ (row_sums+0)(R8), (F0, F1)                 \
	FLDPQ (oneGame_sums+0)(R7), (F2, F3)             \
	FLDPQ (row_sums+32)(R8), (F4, F5)                \
	FLDPQ (oneGame_sums+32)(R7), (F6, F7)            \
	FLDPQ (row_sums+64)(R8), (F25, F26)              \
	FLDPQ (oneGame_sums+64)(R7), (F27, F28)          \
	VADD V0.H8, V2.H8, V2.H8                         \
	VADD V1.H8, V3.H8, V3.H8                         \
	VADD V4.H8, V6.H8, V6.H8                         \
	VADD V5.H8, V7.H8, V7.H8                         \
	VADD V25.H8, V27.H8, V27.H8                      \
	VADD V26.H8, V28.H8, V28.H8                      \
	FSTPQ (F2, F3), (oneGame_sums+0)(R7)             \
	FSTPQ (F6, F7), (oneGame_sums+32)(R7)            \
	FSTPQ (F27, F28), (oneGame_sums+64)(R7)          \
	TST  $GAME_OVER, R11

// PACKED and PLAIN set R9 to the number of the lowest of the values in V0 and V1: twice its
// square, and one more for a capture, which V4 and V5 mark.
#define PACKED \
	VUMIN V1.H8, V0.H8, V2.H8 \
	VUMINV V2.H8, V2          \
	VMOV V2.H[0], R9          \
	AND  $31, R9

// PLAIN compares with the lowest: the masks become a nibble a square.
#define PLAIN \
	VUMIN V1.H8, V0.H8, V2.H8     \
	VUMINV V2.H8, V2              \
	VDUP V2.H[0], V2.H8           \
	VCMEQ V2.H8, V0.H8, V0.H8     \
	VCMEQ V2.H8, V1.H8, V1.H8     \
	VUZP1 V1.B16, V0.B16, V0.B16  \
	VUZP1 V5.B16, V4.B16, V4.B16  \
	VSHRN $4, V0.H8, V0.B8        \
	VSHRN $4, V4.H8, V4.B8        \
	FMOVD F0, R9                  \
	FMOVD F4, R10                 \
	RBIT R9, R9                   \
	CLZ  R9, R9                   \
	LSR  R9, R10, R10             \
	AND  $1, R10                  \
	ORR  R9>>1, R10, R9

// func playPacked(state *state, tables *tables, winners *uint8)
TEXT ·playPacked(SB), NOSPLIT, $0-24
	MOVD state+0(FP), R0
	MOVD tables+8(FP), R1
	MOVD winners+16(FP), R2
#define BEST PACKED
#include "squares_arm64.h"
#undef BEST

// func playPlain(state *state, tables *tables, winners *uint8)
TEXT ·playPlain(SB), NOSPLIT, $0-24
	MOVD state+0(FP), R0
	MOVD tables+8(FP), R1
	MOVD winners+16(FP), R2
#define BEST PLAIN
#include "squares_arm64.h"
