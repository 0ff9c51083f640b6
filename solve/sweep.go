package solve

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur/board/rules"
)

// sweeper is one thread's room to work in.
type sweeper struct {
	sum     []float64        // by place: the value of Light's moves
	passing []*passes        // by stretch: the throws after which Light passes
	slots   [slots][]float64 // see program
	change  float64
}

// sweep computes every value of the pair once and returns by how much a value with
// Dark to move changed at most. Rows of the same progress do not depend on each other
// and are shared out to the threads.
func (p *pair) sweep(ctx context.Context, sweepers []*sweeper) (change float64, err error) {
	for _, rows := range p.levels {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		threads := len(sweepers)
		if len(p.light) < p.shareFrom {
			threads = 1
		}
		parallel(threads, len(rows), func(thread, i int) { p.sweepRow(rows[i], sweepers[thread]) })
	}
	for _, s := range sweepers {
		change = max(change, s.change)
		s.change = 0
	}
	return change, nil
}

// tooSmallToShare is the size of a pair of layers below which one thread is faster than several
// that wait for each other.
const tooSmallToShare = 50_000

// sweepRow computes the values of a row once, for Light to move and for Dark.
//
// Light's moves lead to rows of higher progress, which are done. Dark's moves lead to positions
// of this row with more progress of Dark, which are done as well. Only a capture by Dark leads
// back to a row of lower progress, with values of the previous sweep. The two positions that
// differ by the side to move may pass to each other and are solved as two equations:
//
//	light = light's moves + light passes * dark
//	dark  = dark's moves  + dark passes  * light
func (p *pair) sweepRow(own row, s *sweeper) {
	prog, chances := p.programs[p.sharedOf(own)], p.chances
	begin := p.place(own)
	light := p.light[begin : begin+prog.positions]
	dark := p.dark[begin : begin+prog.positions]
	sum := s.sum[:prog.positions]
	p.moveLight(own, prog.stretches, sum, s.passing)
	p.fillSlots(own, light, dark, &s.slots)
	residual := p.residuals.ofRow(own, begin, prog.positions)

	change := math.Float64bits(s.change)
	long := chances.longest > shortRolls
	for code := prog.code; len(code) >= 2; {
		header, counts := code[0], uint64(code[1])
		code = code[2:]
		lightPass := s.passing[uint16(counts>>stretchFrom)]
		counts &= 1<<stretchFrom - 1
		if long {
			counts |= uint64(code[0])<<stretchFrom | uint64(code[1])<<(stretchFrom+32)
			code = code[2:]
		}
		place := header & placeMask
		oldLight, oldDark := light[place], dark[place] // read early: these miss the cache, as the moves do
		darkSum, rest := leastOfMoves(code, counts, &chances.roll, &s.slots)
		code = rest
		pass := &lightPass.dark[header>>placeBits]
		lightValue := float64((sum[place] + float64(lightPass.light*darkSum)) * pass.again)
		darkValue := darkSum + float64(pass.dark*lightValue)
		change = max(change, math.Float64bits(math.Abs(darkValue-oldDark))) // in the order of order
		residual.add(int(place), lightValue-oldLight)
		light[place], dark[place] = lightValue, darkValue
	}
	s.change = math.Float64frombits(change)
}

// leastOfMoves returns the contribution of Dark's moves to the value of a position: the sum over
// rolls of the probability times the least value after a move. code begins with the moves, and
// counts has their number for each roll. It returns the rest of code, too.
func leastOfMoves(code []uint32, counts uint64, chance *[rules.MaxRoll + 1]float64, slots *[slots][]float64) (sum float64, rest []uint32) {
	for roll := uint(1); counts != 0; roll++ {
		if n := int(counts & (1<<countBits - 1)); n != 0 {
			least := int64(math.MaxInt64)
			for _, move := range code[:n] {
				least = min(least, order(slots[move>>placeBits%uint32(len(slots))][move&placeMask]))
			}
			code = code[n:]
			sum += float64(chance[roll%uint(len(chance))] * fromOrder(least))
		}
		counts >>= countBits
	}
	return sum, code
}

// fillSlots sets the stretches of memory of the values after Dark's moves from a row.
func (p *pair) fillSlots(own row, light, dark []float64, slots *[slots][]float64) {
	slots[slotLight], slots[slotDark], slots[slotWon] = light, dark, wonByDark
	if p.b > 1 {
		slots[slotHome] = p.darkHome[p.placeIn(layer{p.a, p.b - 1}, own):]
	}
	for j := range p.shared {
		if own>>j&1 == 0 {
			continue
		}
		values := p.light
		if p.captureAgain || p.again>>p.squareOf[j]&1 != 0 { // a rosette is one of both sides
			values = p.dark
		}
		slots[slotCaptured+j] = values[p.place(own&^(1<<j)):]
	}
}

// wonByDark holds the value of a position Dark has won.
var wonByDark = []float64{0}
