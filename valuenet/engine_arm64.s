//go:build go1.27 && !purego

#include "textflag.h"

// The kernels of a second layer first list the pairs of units with a nonzero one in any row: nine
// of ten units are 0, and mostly the same ones after the moves of one decision. Then they add up
// block after block of 16 units of the second layer over the list, and every loaded weight serves
// all rows. VLD2 parts the weights of the two units of a pair.
//
// Registers:
//
//	R0-R6    dst, units, weights, bias, last, list, groups of rows left
//	R7       bytes in a row           R8      blocks
//	R9, R10  pair in the list, end    R11     weights of the block
//	R12      blocks left              R13     weights of a pair
//	R14, R15 bias and last of the block
//	R19-R21  rows 1 to 3              R22-R25 for a few instructions
//	V0-V15   sums of the rows, 16 units each
//	V16-V19  values of the rows       V20-V23 weights
//	V24-V27  numbers of two rows      V28     minus the shift
//	V29      zeros                    V30     bias of the output

#define PARAMETERS \
	MOVD dst+0(FP), R0        \
	MOVD units+8(FP), R1      \
	MOVD weights+16(FP), R2   \
	MOVD bias+24(FP), R3      \
	MOVD last+32(FP), R4      \
	MOVD list+40(FP), R5      \
	MOVD n+48(FP), R6         \
	MOVD width+56(FP), R7     \
	MOVD blocks+64(FP), R8    \
	MOVW shift+72(FP), R22    \
	NEG  R22, R22             \
	VDUP R22, V28.S4          \
	VEOR V29.B16, V29.B16, V29.B16 \
	VEOR V30.B16, V30.B16, V30.B16 \
	MOVW lastBias+76(FP), R22 \
	VMOV R22, V30.S[0]

// START begins a round: nothing is listed, no value is summed.
#define START \
	ADD  R7, R1, R19     \
	ADD  R7, R19, R20    \
	ADD  R7, R20, R21    \
	MOVD R5, R10         \
	MOVD ZR, R22         \
	MOVD R8, R12         \
	MOVD R2, R11         \
	MOVD R3, R14         \
	MOVD R4, R15

// MASK sets a byte of R23 where one of the eight pairs in V20 and V21 is not 0.
#define MASK \
	VCMEQ V29.S4, V20.S4, V20.S4  \
	VCMEQ V29.S4, V21.S4, V21.S4  \
	VUZP1 V21.H8, V20.H8, V20.H8  \
	VXTN V20.H8, V20.B8           \
	VMOV V20.D[0], R23            \
	MVN  R23, R23                 \
	AND  $0x0101010101010101, R23

// LISTED appends the pairs of a mask, from pair R22 on.
#define LISTED(bits, done) \
	CBZ  R23, done     \
bits:                      \
	RBIT R23, R24      \
	CLZ  R24, R24      \
	ADD  R24>>3, R22, R24 \
	MOVW.P R24, 4(R10) \
	SUB  $1, R23, R24  \
	ANDS R24, R23      \
	BNE  bits          \
done:                      \
	ADD  $8, R22

// ROW adds the products of a row with the weights of a pair to the sums of 16 units.
#define ROW(row, u, v, s0, s1, s2, s3) \
	ADD   R25<<2, row, R24       \
	VLD2R (R24), [u.H8, v.H8]    \
	VSMLAL  V20.H4, u.H4, s0.S4  \
	VSMLAL2 V20.H8, u.H8, s1.S4  \
	VSMLAL  V22.H4, u.H4, s2.S4  \
	VSMLAL2 V22.H8, u.H8, s3.S4  \
	VSMLAL  V21.H4, v.H4, s0.S4  \
	VSMLAL2 V21.H8, v.H8, s1.S4  \
	VSMLAL  V23.H4, v.H4, s2.S4  \
	VSMLAL2 V23.H8, v.H8, s3.S4

// PAIR reads the next pair of the list, and its weights.
#define PAIR \
	MOVWU.P 4(R9), R25                   \
	ADD    R25<<6, R11, R13              \
	VLD2.P 32(R13), [V20.H8, V21.H8]     \
	VLD2   (R13), [V22.H8, V23.H8]

// BIAS begins the sums of a row.
#define BIAS(s0, s1, s2, s3) \
	VLD1 (R14), [s0.S4, s1.S4, s2.S4, s3.S4]

// VALUE cuts off and shifts the sums of a row, and adds their products with the weights of the
// output to its value.
#define VALUE(s0, s1, s2, s3, value) \
	VSMAX V29.S4, s0.S4, s0.S4      \
	VSMAX V29.S4, s1.S4, s1.S4      \
	VSMAX V29.S4, s2.S4, s2.S4      \
	VSMAX V29.S4, s3.S4, s3.S4      \
	VUSHL V28.S4, s0.S4, s0.S4      \
	VUSHL V28.S4, s1.S4, s1.S4      \
	VUSHL V28.S4, s2.S4, s2.S4      \
	VUSHL V28.S4, s3.S4, s3.S4      \
	VMLA V20.S4, s0.S4, value.S4    \
	VMLA V21.S4, s1.S4, value.S4    \
	VMLA V22.S4, s2.S4, value.S4    \
	VMLA V23.S4, s3.S4, value.S4

// NEXT goes on to the next block: 16 sums, 16 weights of the output, and 16 units a row of weights.
#define NEXT \
	ADD  R7<<4, R11, R11 \
	ADD  $64, R14        \
	SUBS $1, R12

// func setsNEON(dst, bias, table *int16, sets *uint64, n, width uintptr, low uint32)
//
// Registers:
//
//	R0-R5    parameters, up to the width
//	R6       next column in bytes     R7      set
//	R8       inputs left of the set   R9      a row's columns
//	R10, R11 for a few instructions   V8      low
//	V0-V3    sums of 32 units         V4-V7   weights
TEXT ·setsNEON(SB), NOSPLIT, $0-52
	MOVD dst+0(FP), R0
	MOVD bias+8(FP), R1
	MOVD table+16(FP), R2
	MOVD sets+24(FP), R3
	MOVD n+32(FP), R4
	MOVD width+40(FP), R5
	MOVW low+48(FP), R10
	VDUP R10, V8.H8

set:
	MOVD.P 8(R3), R7
	MOVD ZR, R6

columns:
	ADD  R6, R1, R9
	VLD1 (R9), [V0.H8, V1.H8, V2.H8, V3.H8]
	ADD  R6, R2, R9
	CBZ  R7, stored
	MOVD R7, R8

input:
	RBIT R8, R10
	CLZ  R10, R10
	MADD R5, R9, R10, R11
	SUB  $1, R8, R10
	VLD1 (R11), [V4.H8, V5.H8, V6.H8, V7.H8]
	VADD V4.H8, V0.H8, V0.H8
	VADD V5.H8, V1.H8, V1.H8
	VADD V6.H8, V2.H8, V2.H8
	VADD V7.H8, V3.H8, V3.H8
	ANDS R10, R8
	BNE  input

stored:
	VSMAX V8.H8, V0.H8, V0.H8
	VSMAX V8.H8, V1.H8, V1.H8
	VSMAX V8.H8, V2.H8, V2.H8
	VSMAX V8.H8, V3.H8, V3.H8
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	ADD   $64, R6
	CMP   R5, R6
	BLO   columns
	SUBS  $1, R4
	BNE   set
	RET

// func outputsNEON(dst *int32, units, weights *int16, n, width uintptr, bias int32)
//
// Registers:
//
//	R0-R5    parameters               R6, R7  weights and bytes left in this row
//	V0-V3    units                    V4-V7   weights
//	V8, V9   sums of the products
TEXT ·outputsNEON(SB), NOSPLIT, $0-44
	MOVD dst+0(FP), R0
	MOVD units+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD n+24(FP), R3
	MOVD width+32(FP), R4
	MOVW bias+40(FP), R5

row:
	VEOR V8.B16, V8.B16, V8.B16
	VMOV R5, V8.S[0]
	VEOR V9.B16, V9.B16, V9.B16
	MOVD R2, R6
	MOVD R4, R7

products:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R6), [V4.H8, V5.H8, V6.H8, V7.H8]
	VSMLAL  V0.H4, V4.H4, V8.S4
	VSMLAL2 V0.H8, V4.H8, V9.S4
	VSMLAL  V1.H4, V5.H4, V8.S4
	VSMLAL2 V1.H8, V5.H8, V9.S4
	VSMLAL  V2.H4, V6.H4, V8.S4
	VSMLAL2 V2.H8, V6.H8, V9.S4
	VSMLAL  V3.H4, V7.H4, V8.S4
	VSMLAL2 V3.H8, V7.H8, V9.S4
	SUBS $64, R7
	BNE  products
	VADD  V9.S4, V8.S4, V8.S4
	VADDV V8.S4, V8
	FMOVS.P F8, 4(R0)
	SUBS $1, R3
	BNE  row
	RET

// func hidden4NEON(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)
TEXT ·hidden4NEON(SB), NOSPLIT, $0-80
	PARAMETERS

round:
	START
	MOVD R1, R9

list:
	ADD  R7, R9, R24
	VLD1.P 32(R9), [V20.B16, V21.B16]
	VLD1 (R24), [V22.B16, V23.B16]
	ADD  R7, R24
	VLD1 (R24), [V24.B16, V25.B16]
	ADD  R7, R24
	VLD1 (R24), [V26.B16, V27.B16]
	VORR V22.B16, V20.B16, V20.B16
	VORR V23.B16, V21.B16, V21.B16
	VORR V24.B16, V26.B16, V26.B16
	VORR V25.B16, V27.B16, V27.B16
	VORR V26.B16, V20.B16, V20.B16
	VORR V27.B16, V21.B16, V21.B16
	MASK
	LISTED(bits, listed)
	CMP  R19, R9
	BLO  list
	VMOV V30.B16, V16.B16
	VMOV V30.B16, V17.B16
	VMOV V30.B16, V18.B16
	VMOV V30.B16, V19.B16

block:
	BIAS(V0, V1, V2, V3)
	BIAS(V4, V5, V6, V7)
	BIAS(V8, V9, V10, V11)
	BIAS(V12, V13, V14, V15)
	MOVD R5, R9
	CMP  R10, R9
	BHS  summed

pair:
	PAIR
	ROW(R1, V24, V25, V0, V1, V2, V3)
	ROW(R19, V26, V27, V4, V5, V6, V7)
	ROW(R20, V24, V25, V8, V9, V10, V11)
	ROW(R21, V26, V27, V12, V13, V14, V15)
	CMP  R10, R9
	BLO  pair

summed:
	VLD1.P 64(R15), [V20.S4, V21.S4, V22.S4, V23.S4]
	VALUE(V0, V1, V2, V3, V16)
	VALUE(V4, V5, V6, V7, V17)
	VALUE(V8, V9, V10, V11, V18)
	VALUE(V12, V13, V14, V15, V19)
	NEXT
	BNE  block

	// Fold the values of the rows to one number each.
	VADDP V17.S4, V16.S4, V16.S4
	VADDP V19.S4, V18.S4, V18.S4
	VADDP V18.S4, V16.S4, V16.S4
	VST1.P [V16.S4], 16(R0)
	ADD  R7<<2, R1, R1
	SUBS $1, R6
	BNE  round
	RET

// func hidden2NEON(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)
TEXT ·hidden2NEON(SB), NOSPLIT, $0-80
	PARAMETERS

round:
	START
	MOVD R1, R9

list:
	ADD  R7, R9, R24
	VLD1.P 32(R9), [V20.B16, V21.B16]
	VLD1 (R24), [V22.B16, V23.B16]
	VORR V22.B16, V20.B16, V20.B16
	VORR V23.B16, V21.B16, V21.B16
	MASK
	LISTED(bits, listed)
	CMP  R19, R9
	BLO  list
	VMOV V30.B16, V16.B16
	VMOV V30.B16, V17.B16

block:
	BIAS(V0, V1, V2, V3)
	BIAS(V4, V5, V6, V7)
	MOVD R5, R9
	CMP  R10, R9
	BHS  summed

pair:
	PAIR
	ROW(R1, V24, V25, V0, V1, V2, V3)
	ROW(R19, V26, V27, V4, V5, V6, V7)
	CMP  R10, R9
	BLO  pair

summed:
	VLD1.P 64(R15), [V20.S4, V21.S4, V22.S4, V23.S4]
	VALUE(V0, V1, V2, V3, V16)
	VALUE(V4, V5, V6, V7, V17)
	NEXT
	BNE  block
	VADDP V17.S4, V16.S4, V16.S4
	VADDP V16.S4, V16.S4, V16.S4
	FMOVD.P F16, 8(R0)
	ADD  R7<<1, R1, R1
	SUBS $1, R6
	BNE  round
	RET
