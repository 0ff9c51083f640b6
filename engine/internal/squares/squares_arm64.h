// The body of the kernels: it chooses by BEST, and games take turns as in squares_amd64.s. The
// registers and macros are those of squares_arm64.s.

	// The end of the games, turns taken of the 16 thrown, counts, constants.
	MOVD state_active(R0), R4
	MOVD $oneGame__size, R10
	MUL  R10, R4
	ADD  R0, R4
	ADD  $state_games, R4
	MOVD state_phase(R0), R5
	MOVD state_counts(R0), R6
	MOVD $tables_expand, R10
	ADD  R1, R10
	FLDPQ (tables_blockers-tables_expand)(R10), (F16, F17)
	FLDPQ (tables_takes-tables_expand)(R10), (F18, F19)
	FLDPQ (R10), (F20, F21)
	FMOVQ (tables_nibbles-tables_expand)(R10), F23
	FMOVQ (tables_fifteen-tables_expand)(R10), F24
	VCMEQ V16.B16, V16.B16, V22.B16
	MOVD (tables_mix-tables_expand)(R10), R19
	MOVD (tables_mix-tables_expand+8)(R10), R20
	MOVD (tables_mix-tables_expand+16)(R10), R21
	MOVD $block__size, R22

	// Every 16 turns the dice of all games are thrown together. A game's stream is shifted
	// against its dice words, because it began at any turn of the 16: the word is written with
	// that offset, and the rest of the previous word moves to the front.
turn:
	CMP  $16, R5
	BLO  rolled
	ADD  $state_games, R0, R3

throw:
	FMOVQ (oneGame_rolls+16)(R3), F0
	FMOVQ F0, oneGame_rolls(R3)
	MOVD oneGame_nextKey(R3), R10
	ADD  R19, R10, R11
	MOVD R11, oneGame_nextKey(R3)
	MIX(R10)
	MOVD oneGame_shift(R3), R11
	ROLLS(R10, R3, R11)
	ADD  $oneGame__size, R3
	CMP  R4, R3
	BLO  throw
	MOVD ZR, R5

	// The move of the first game is chosen; then one is chosen while that of the game before is
	// made.
rolled:
	ADD  $state_games, R0, R3
	CHOOSE
	MOVD R9, R8
	MOVD R3, R7
	ADD  $oneGame__size, R3
	CMP  R4, R3
	BHS  last

game:
	CHOOSE
	APPLY
	BNE  won // rare enough for a branch

advance:
	MOVD R9, R8
	MOVD R3, R7
	ADD  $oneGame__size, R3
	CMP  R4, R3
	BLO  game

last:
	APPLY
	BNE  won

played:
	MOVD state_idle(R0), R10
	CBNZ R10, idle

	// Go on while games are running and the turn is not the last asked for.
next:
	ADD  $1, R5
	MOVD state_now(R0), R10
	ADD  $1, R10
	MOVD R10, state_now(R0)
	ADD  $state_games, R0, R11
	CMP  R11, R4
	BEQ  leave
	MOVD state_until(R0), R11
	CMP  R11, R10
	BLO  turn

leave:
	MOVD R5, state_phase(R0)
	MOVD R6, state_counts(R0)
	RET

	// The top bit of the low half of the board says that Dark has won.
won:
	MOVWU oneGame_board(R7), R10
	LSR  $31, R10
	ADD  R10<<3, R0, R11
	MOVD state_wins(R11), R12
	ADD  $1, R12
	MOVD R12, state_wins(R11)
	MOVD state_now(R0), R11
	ADD  $1, R11
	MOVD oneGame_began(R7), R12
	SUB  R12, R11, R12
	MOVD state_turns(R0), R13
	ADD  R12, R13
	MOVD R13, state_turns(R0)
	CBZ  R2, told
	MOVD oneGame_number(R7), R12
	MOVB R10, (R2)(R12)

told:
	MOVD state_next(R0), R12
	MOVD state_end(R0), R13
	CMP  R13, R12
	BHS  over

	// The next game, from the next turn on.
	MOVD R12, oneGame_number(R7)
	ADD  $1, R12
	MOVD R12, state_next(R0)
	MOVD R11, oneGame_began(R7)
	MOVD $tables_start, R13
	ADD  R1, R13
	FLDPQ (row_sums+0)(R13), (F0, F1)
	FLDPQ (row_sums+32)(R13), (F2, F3)
	FLDPQ (row_sums+64)(R13), (F4, F5)
	FSTPQ (F0, F1), (oneGame_sums+0)(R7)
	FSTPQ (F2, F3), (oneGame_sums+32)(R7)
	FSTPQ (F4, F5), (oneGame_sums+64)(R7)
	MOVD row_board(R13), R13
	STP  (R13, R13), oneGame_board(R7)

	// Its dice: key, word 0, and the input of word 1.
	MOVD state_keyInput(R0), R10
	MOVD state_keyStep(R0), R11
	ADD  R10, R11
	MOVD R11, state_keyInput(R0)
	MIX(R10)
	ADD  R19, R10
	ADD  R19, R10, R11
	MOVD R11, oneGame_nextKey(R7)
	MIX(R10)
	ADD  $1, R5, R11
	MOVD R11, oneGame_shift(R7)
	ROLLS(R10, R7, R11)

	// Back to where the game was played: the last of a round, or another.
counted:
	CMP  R4, R3
	BLO  advance
	B    played

over:
	MOVD state_idle(R0), R10
	ADD  $1, R10
	MOVD R10, state_idle(R0)
	B    counted

	// From the last game down: where one is over, the last of all moves to its place.
idle:
	MOVD ZR, state_idle(R0)
	MOVD R4, R3

seek:
	SUB  $oneGame__size, R3
	MOVD oneGame_board(R3), R10
	TST  $GAME_OVER, R10
	BEQ  runs
	MOVD state_active(R0), R10
	SUB  $1, R10
	MOVD R10, state_active(R0)
	SUB  $oneGame__size, R4
	VLD1 (R4), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADD  $64, R4, R10
	VLD1 (R10), [V4.B16, V5.B16, V6.B16, V7.B16]
	ADD  $128, R4, R10
	VLD1 (R10), [V25.B16, V26.B16, V27.B16, V28.B16]
	VST1 [V0.B16, V1.B16, V2.B16, V3.B16], (R3)
	ADD  $64, R3, R10
	VST1 [V4.B16, V5.B16, V6.B16, V7.B16], (R10)
	ADD  $128, R3, R10
	VST1 [V25.B16, V26.B16, V27.B16, V28.B16], (R10)

runs:
	ADD  $state_games, R0, R10
	CMP  R10, R3
	BHI  seek
	B    next
