package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// New games in the places where others ended.

// refill starts new games in the lanes whose games are over.
func (k *lanes) refill() {
	k.countWins()
	k.tellWinners()
	k.resetLanes()
	k.nextGames()
}

// countWins counts the games won on this turn.
func (k *lanes) countWins() {
	finished := k.finishedLanes()
	Comment("The winner is the side that is not to move any more.")
	Label("won")
	light, dark := GP64(), GP64()
	MOVQ(k.dark, light)
	ANDQ(finished, light)
	MOVQ(finished, dark)
	XORQ(light, dark)
	POPCNTQ(light, light)
	POPCNTQ(dark, dark)
	ADDQ(light, k.state.at("wins"))
	ADDQ(dark, k.state.at("wins").Offset(8))
}

// tellWinners writes who won each game that ended on this turn, if the caller wants winners.
func (k *lanes) tellWinners() {
	Comment("Light has won where Dark is to move, and the other way round.")
	winners := arg("winners")
	TESTQ(winners, winners)
	JZ(LabelRef("told"))
	lanes, lane, number, winner := GP64(), GP64(), GP64(), GP8()
	MOVQ(k.finishedLanes(), lanes)
	Label("tell")
	BSFQ(lanes, lane)
	JZ(LabelRef("told"))
	BTRQ(lane, lanes)
	MOVQ(Mem{Base: k.state.base, Index: lane, Scale: 8, Disp: k.state.offset("game")}, number)
	BTQ(lane, k.dark)
	SETCC(winner)
	MOVB(winner, Mem{Base: winners, Index: number, Scale: 1})
	JMP(LabelRef("tell"))
	Label("told")
}

// resetLanes puts the finished lanes to the start.
func (k *lanes) resetLanes() {
	finished := k.finishedLanes()
	Comment("Put the lanes to the start: no piece on the path, all in hand, Light to move.")
	Label("refill")
	others := GP64()
	MOVQ(finished, others)
	NOTQ(others)
	ANDQ(others, k.dark)
	zero := ZMM()
	VPXORQ(zero, zero, zero)
	for i, g := range k.games {
		skip := fmt.Sprintf("group%dPlays", i)
		lanes := half(finished, i)
		TESTL(lanes.As32(), lanes.As32())
		JZ(LabelRef(skip))
		KMOVD(lanes.As32(), kA)
		VMOVDQU16(zero, kA, g.own)
		VMOVDQU16(zero, kA, g.opp)
		VPBROADCASTW(k.tables.at("startCount"), kA, g.count)
		k.resetAccumulators(i)
		Label(skip)
	}
}

// nextGames gives each finished lane the next game in the series.
func (k *lanes) nextGames() {
	finished := k.finishedLanes()
	Comment("Each lane takes the next game of the series, or falls idle.")
	Label("lane")
	lane := GP64()
	BSFQ(finished, lane)
	JZ(LabelRef("next"))
	BTRQ(lane, finished)
	BTRQ(lane, k.active)
	number := GP64()
	MOVQ(k.state.at("next"), number)
	CMPQ(number, k.state.at("end"))
	JAE(LabelRef("lane"))
	BTSQ(lane, k.active)
	MOVQ(number, Mem{Base: k.state.base, Index: lane, Scale: 8, Disp: k.state.offset("game")})
	INCQ(number)
	MOVQ(number, k.state.at("next"))
	MOVQ(k.state.at("now"), number)
	MOVQ(number, Mem{Base: k.state.base, Index: lane, Scale: 8, Disp: k.state.offset("began")})

	Comment("Its dice: key, word 0, and the input of word 1.")
	key, t := GP64(), GP64()
	nextKey(k.state, key, t, GP64(), k.tables.at("mix"))
	quad := GP64()
	Comment("Quadword of a lane: part lane%4 of its group, element lane%32/4.")
	MOVQ(lane, quad)
	ANDQ(U8(0x23), quad)
	MOVQ(lane, t)
	SHRQ(Imm(2), t)
	ANDQ(Imm(7), t)
	LEAQ(Mem{Base: t, Index: quad, Scale: 8}, t)
	Comment("Group 1 is 32 quadwords on, not 32*8.")
	MOVQ(lane, quad)
	ANDQ(U8(0x20), quad)
	IMUL3Q(Imm(7), quad, quad)
	SUBQ(quad, t)
	MOVQ(t, quad)
	MOVQ(key, t)
	ADDQ(k.tables.at("mix"), t)
	MOVQ(t, Mem{Base: k.state.base, Index: quad, Scale: 8, Disp: k.state.offset("nextKey")})
	mixScalar(key, GP64(), k.tables.at("mix").Offset(8), k.tables.at("mix").Offset(16))
	MOVQ(key, Mem{Base: k.state.base, Index: quad, Scale: 8, Disp: k.state.offset("word")})

	Comment("The word starts at the next turn: what the 16 turns under way do not reach is left for the next ones.")
	shift := GP64()
	MOVQ(U32(16), shift)
	SUBQ(k.phase, shift)
	SHLQ(Imm(2), shift)
	MOVQ(shift, Mem{Base: k.state.base, Index: quad, Scale: 8, Disp: k.state.offset("shift")})
	Comment("Ones in every nibble, moved up to the nibble of the next turn. After the last of the 16 the rows are thrown anew anyway.")
	MOVQ(key, t)
	SHRQ(Imm(1), t)
	ANDQ(k.tables.at("mix").Offset(32), t)
	SUBQ(t, key)
	MOVQ(key, t)
	SHRQ(Imm(2), t)
	ANDQ(k.tables.at("mix").Offset(24), t)
	ANDQ(k.tables.at("mix").Offset(24), key)
	ADDQ(t, key)
	MOVQ(k.phase, RCX)
	SHLQ(Imm(2), RCX)
	SHLQ(CL, key)
	for j := range 4 {
		MOVW(key.As16(), Mem{Base: k.state.base, Index: lane, Scale: 2, Disp: k.state.offset("rolls") + 128*j})
		if j < 3 {
			SHRQ(Imm(16), key)
		}
	}
	JMP(LabelRef("lane"))
}

// resetAccumulators puts the accumulators in a group's lanes in kA to the start.
func (k *lanes) resetAccumulators(group int) {
	for row := range k.rows() {
		g, at := ZMM(), k.accumulator(row, group)
		VMOVDQU64(at, g)
		VPBROADCASTW(k.tables.at("start").Offset(2*row), kA, g)
		VMOVDQU64(g, at)
	}
}
