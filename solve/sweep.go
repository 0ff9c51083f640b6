package solve

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur/board"
)

// sweeper is one thread's room to work in.
type sweeper struct {
	lanes  [maxGroup]lane
	change float64
}

// lane is a row at work.
type lane struct {
	light, dark []float64        // its values, by place
	sum         []float64        // value of Light's moves, by place
	passing     []*passes        // throws after which Light passes, by stretch
	slots       [slots][]float64 // see program
	residual    rowResidual
}

// sweepLevels computes every value of the pair once and returns by how much a value with
// Dark to move changed at most. Rows with the same progress do not depend on each other
// and are shared out to the threads.
func (p *pair) sweepLevels(ctx context.Context, sweepers []*sweeper) (change float64, err error) {
	for _, groups := range p.levels {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		threads := len(sweepers)
		if len(p.light) < p.shareFrom {
			threads = 1
		}
		runParallel(threads, len(groups), func(thread, i int) { p.sweepGroup(groups[i], sweepers[thread]) })
	}
	for _, s := range sweepers {
		change = max(change, s.change)
		s.change = 0
	}
	return change, nil
}

// tooSmallToShare is the size below which a pair of layers is faster with one thread than with several
// that wait for each other.
const tooSmallToShare = 50_000

// sweepGroup computes the values in a group's rows once, for Light to move and for Dark.
//
// Light's moves lead to rows with higher progress: they are done. Dark's moves lead to positions
// in this row with more progress for Dark: they are done as well. Only a capture by Dark leads
// back to a row with lower progress, with values from the previous sweep. The two positions that
// differ by the side to move may pass to each other and are solved as two equations:
//
//	light = light's moves + light passes * dark
//	dark  = dark's moves  + dark passes  * light
func (p *pair) sweepGroup(group []row, s *sweeper) {
	prog := p.programs[p.sharedOf(group[0])]
	for i, own := range group {
		p.prepareLane(own, prog, &s.lanes[i])
	}
	change := math.Float64bits(s.change)
	long := p.chances.longest > shortRolls
	for code := prog.code; len(code) >= 2; {
		header, counts := code[0], uint64(code[1])
		code = code[2:]
		stretch := uint16(counts >> stretchFrom)
		counts &= 1<<stretchFrom - 1
		if long {
			counts |= uint64(code[0])<<stretchFrom | uint64(code[1])<<(stretchFrom+32)
			code = code[2:]
		}
		if len(group) == 1 {
			var sum float64
			sum, code = leastOfMoves(code, counts, &p.chances.roll, &s.lanes[0].slots)
			change = max(change, s.lanes[0].setValues(header, stretch, sum))
			continue
		}
		var sum, other float64
		sum, other, code = leastOfBoth(code, counts, &p.chances.roll, &s.lanes[0].slots, &s.lanes[1].slots)
		change = max(change, s.lanes[0].setValues(header, stretch, sum), s.lanes[1].setValues(header, stretch, other))
	}
	s.change = math.Float64frombits(change)
}

// prepareLane begins to work on a row.
func (p *pair) prepareLane(own row, prog *program, l *lane) {
	begin := p.rowOffset(own)
	l.light = p.light[begin : begin+prog.positions]
	l.dark = p.dark[begin : begin+prog.positions]
	p.moveLight(own, prog.stretches, l.sum[:prog.positions], l.passing)
	p.fillSlots(own, l.light, l.dark, &l.slots)
	l.residual = p.residuals.ofRow(own, begin, prog.positions)
}

// setValues computes a position's values from what Dark's moves contribute, and returns the
// bits by which the value with Dark to move changed.
func (l *lane) setValues(header uint32, stretch uint16, darkSum float64) uint64 {
	place := header & placeMask
	lightPass := l.passing[stretch]
	pass := &lightPass.dark[header>>placeBits]
	lightValue := float64((l.sum[place] + float64(lightPass.light*darkSum)) * pass.again)
	darkValue := darkSum + float64(pass.dark*lightValue)
	darkChange := darkValue - l.dark[place]
	switch {
	case l.residual.mode == ignoreChanges:
	case l.residual.ofDark:
		l.residual.addChange(int(place), darkChange)
	default:
		l.residual.addChange(int(place), lightValue-l.light[place])
	}
	l.light[place], l.dark[place] = lightValue, darkValue
	return math.Float64bits(math.Abs(darkChange)) // ordered as by orderedBits
}

// leastOfMoves returns what Dark's moves contribute to a position's value: the sum over
// rolls, each probability times the least value after a move. code begins with the moves, and
// counts has their number for each roll. It returns the rest of code, too.
func leastOfMoves(code []uint32, counts uint64, chance *[board.MaxRoll + 1]float64,
	slots *[slots][]float64) (sum float64, rest []uint32) {
	for roll := uint(1); counts != 0; roll++ {
		if n := int(counts & (1<<countBits - 1)); n != 0 {
			least := int64(math.MaxInt64)
			for _, move := range code[:n] {
				least = min(least, orderedBits(slots[move>>placeBits%uint32(len(slots))][move&placeMask]))
			}
			code = code[n:]
			sum += float64(chance[roll%uint(len(chance))] * fromOrderedBits(least))
		}
		counts >>= countBits
	}
	return sum, code
}

// leastOfBoth is leastOfMoves for the same position in two rows.
func leastOfBoth(code []uint32, counts uint64, chance *[board.MaxRoll + 1]float64, slots,
	others *[slots][]float64) (sum, other float64, rest []uint32) {
	for roll := uint(1); counts != 0; roll++ {
		if n := int(counts & (1<<countBits - 1)); n != 0 {
			least, leastOther := int64(math.MaxInt64), int64(math.MaxInt64)
			for _, move := range code[:n] {
				slot, place := move>>placeBits%uint32(len(slots)), move&placeMask
				least = min(least, orderedBits(slots[slot][place]))
				leastOther = min(leastOther, orderedBits(others[slot][place]))
			}
			code = code[n:]
			sum += float64(chance[roll%uint(len(chance))] * fromOrderedBits(least))
			other += float64(chance[roll%uint(len(chance))] * fromOrderedBits(leastOther))
		}
		counts >>= countBits
	}
	return sum, other, code
}

// fillSlots sets the memory stretches with the values after Dark's moves from a row.
func (p *pair) fillSlots(own row, light, dark []float64, slots *[slots][]float64) {
	slots[slotLight], slots[slotDark], slots[slotWon] = light, dark, wonByDark
	if p.b > 1 {
		slots[slotHome] = p.darkHome[p.rowOffsetIn(layer{p.a, p.b - 1}, own):]
	}
	for j := range p.shared {
		if own>>j&1 == 0 {
			continue
		}
		values := p.light
		if p.captureAgain || p.again>>p.squareOf[j]&1 != 0 { // a rosette is one of both sides
			values = p.dark
		}
		slots[slotCaptured+j] = values[p.rowOffset(own&^(1<<j)):]
	}
}

// wonByDark holds the value of a position Dark has won.
var wonByDark = []float64{0}
