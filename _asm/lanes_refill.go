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
	light := wordOf(k.dark)
	ANDQ(finished, light)
	dark := wordOf(finished)
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
	lanes, lane, number, winner := wordOf(k.finishedLanes()), GP64(), GP64(), GP8()
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
	others := wordOf(finished)
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
	number := wordOf(k.state.at("next"))
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
	mixScalar(key, GP64(), k.tables.at("mix"))
	MOVQ(key, Mem{Base: k.state.base, Index: quad, Scale: 8, Disp: k.state.offset("word")})

	Comment("The word starts at the next turn: what the 16 turns under way do not reach is left for the next ones.")
	shift := wordOf(U32(16))
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
		at := k.accumulator(row, group)
		g := avx512.load(at)
		VPBROADCASTW(k.tables.at("start").Offset(2*row), kA, g)
		VMOVDQU64(g, at)
	}
}

// The dice in all lanes.

// throwDice computes the next 16 rolls in every lane. A lane's stream is shifted
// against its dice's words, because its game began at any of the 16 turns: the
// buffer takes one word's rest and the next one's beginning.
func (k *lanes) throwDice() {
	var constants [6]VecVirtual
	for i := range constants {
		constants[i] = ZMM()
		VPBROADCASTQ(k.tables.at("mix").Offset(8*i), constants[i])
	}
	gamma, factors, three, five, sixtyFour := constants[0], constants[1:3], constants[3], constants[4], constants[5]
	lanesOfPart := [4]OpmaskPhysical{K0, K5, K6, K7} // the first part needs no mask
	for part := 1; part < 4; part++ {
		mask := GP32()
		MOVL(U32(0x11111111<<part), mask)
		KMOVD(mask, lanesOfPart[part])
	}
	for i := range k.games {
		var rolls [4]VecVirtual
		for part := range rolls {
			Comment(fmt.Sprintf("Group %d: dice word of lanes %d, %d, ..., %d.", i, part, part+4, part+28))
			offset := 64 * (4*i + part)
			next := avx512.load(k.state.at("nextKey").Offset(offset))
			t := copied(next)
			VPADDQ(gamma, next, next)
			VMOVDQU64(next, k.state.at("nextKey").Offset(offset))
			mix(t, factors)
			word, shift := avx512.load(k.state.at("word").Offset(offset)), avx512.load(k.state.at("shift").Offset(offset))
			left := ZMM()
			VMOVDQU64(t, k.state.at("word").Offset(offset))
			VPSUBQ(shift, sixtyFour, left)
			VPSRLVQ(shift, word, word)
			VPSLLVQ(left, t, t)
			VPORQ(word, t, t)
			Comment("Ones in every nibble.")
			half := ZMM()
			VPSRLQ(Imm(1), t, half)
			VPANDQ(five, half, half)
			VPSUBQ(half, t, t)
			VPSRLQ(Imm(2), t, half)
			VPANDQ(three, half, half)
			VPANDQ(three, t, t)
			VPADDQ(half, t, t)
			rolls[part] = t
		}
		Comment("Row j takes word j of every lane: lane 4e+p from quadword e of part p.")
		for j := range 4 {
			row := ZMM()
			if j == 0 {
				VMOVDQA64(rolls[0], row)
			} else {
				VPSRLQ(Imm(uint64(16*j)), rolls[0], row)
			}
			for part := 1; part < 4; part++ {
				moved := rolls[part]
				switch {
				case part > j:
					moved = ZMM()
					VPSLLQ(Imm(uint64(16*(part-j))), rolls[part], moved)
				case part < j:
					moved = ZMM()
					VPSRLQ(Imm(uint64(16*(j-part))), rolls[part], moved)
				}
				VMOVDQU16(moved, lanesOfPart[part], row)
			}
			VMOVDQU64(row, k.state.at("rolls").Offset(128*j+64*i))
		}
	}
}

// mix is SplitMix64's finalizer.
func mix(z VecVirtual, factors []VecVirtual) {
	t := ZMM()
	for i, shift := range []uint64{30, 27, 31} {
		VPSRLQ(Imm(shift), z, t)
		VPXORQ(t, z, z)
		if i < 2 {
			VPMULLQ(factors[i], z, z)
		}
	}
}

// half moves the half that belongs to group i in a set of 64 lanes to the lower half.
func half(set Register, i int) GPVirtual {
	h := wordOf(set)
	if i == 1 {
		SHRQ(Imm(32), h)
	}
	return h
}

// takeRoll gets this turn's roll in every lane.
func (k *lanes) takeRoll(g *laneGroup) {
	Comment("This turn's rolls: nibble phase%4 of row phase/4.")
	row := wordOf(k.phase)
	SHRQ(Imm(2), row)
	SHLQ(Imm(7), row)
	nibble := wordOf(k.phase)
	ANDQ(Imm(3), nibble)
	SHLQ(Imm(2), nibble)
	bits := XMM()
	VMOVQ(nibble, bits)
	g.roll = ZMM()
	VMOVDQU64(Mem{Base: k.state.base, Index: row, Scale: 1, Disp: k.state.offset("rolls") + 64*g.number}, g.roll)
	VPSRLW(bits, g.roll, g.roll)
	VPANDQ(k.constant(constSeven), g.roll, g.roll)
}

// nextKey sets key to the next game's dice key, and changes t. mix is where the step and the
// two factors lie.
func nextKey(state record, key, t, spare GPVirtual, mix Mem) {
	MOVQ(state.at("keyInput"), key)
	MOVQ(key, t)
	ADDQ(state.at("keyStep"), t)
	MOVQ(t, state.at("keyInput"))
	mixScalar(key, spare, mix)
	ADDQ(mix, key)
}

// mixScalar is SplitMix64's finalizer on one word, with a register to spare. The two factors lie behind the step at mix.
func mixScalar(z, t GPVirtual, mix Mem) {
	for i, shift := range []uint64{30, 27, 31} {
		MOVQ(z, t)
		SHRQ(Imm(shift), t)
		XORQ(t, z)
		if i < 2 {
			IMULQ(mix.Offset(8*(i+1)), z)
		}
	}
}
