package solve

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur/board"
)

// probability[n] is the probability of n throws of 16.
var probability [17]float64

// passing[l][d] is 1/(1 - l/16*d/16): how often on average a turn comes back, passed,
// where Light passes in l throws of 16 and Dark in d.
var passing [17][17]float64

func init() {
	for n := range probability {
		probability[n] = float64(n) / 16
	}
	for l := range passing {
		for d := range passing[l] {
			passing[l][d] = 1 / (1 - float64(probability[l]*probability[d]))
		}
	}
}

// sweeper is one thread's room to work in.
type sweeper struct {
	sum    [maxRowSize]float64 // by place: the value of Light's moves
	passes [sharedSets]uint8   // by stretch: in how many of 16 throws Light passes
	slots  [16][]float64       // see program
	change float64
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
	prog := p.programs[own.shared()]
	begin := p.place(own)
	light := p.light[begin : begin+prog.positions]
	dark := p.dark[begin : begin+prog.positions]
	sum := s.sum[:prog.positions]
	p.moveLight(own, prog.stretches, sum, &s.passes)
	p.fillSlots(own, light, dark, &s.slots)
	residual := p.residuals.ofRow(own, begin, prog.positions)

	change := s.change
	for code := prog.code; len(code) >= 2; {
		header, counts := code[0], code[1]
		code = code[2:]
		darkSum := 0.0
		for roll := 1; roll <= board.MaxRoll; roll++ {
			n := int(counts >> (4 * roll) & 7)
			if n == 0 {
				continue
			}
			least := int64(math.MaxInt64)
			for _, move := range code[:n] {
				least = min(least, order(s.slots[move>>16&15][move&0xffff]))
			}
			code = code[n:]
			darkSum += float64(probability[board.RollWays[roll]] * fromOrder(least))
		}
		place := header & (1<<placeBits - 1)
		lightPass := s.passes[header>>placeBits&(1<<stretchBits-1)] & 31
		darkPass := header >> (placeBits + stretchBits) & 31
		lightValue := float64((sum[place] + float64(probability[lightPass]*darkSum)) * passing[lightPass][darkPass])
		darkValue := darkSum + float64(probability[darkPass]*lightValue)
		change = max(change, math.Abs(darkValue-dark[place]))
		residual.add(int(place), lightValue-light[place])
		light[place], dark[place] = lightValue, darkValue
	}
	s.change = change
}

// fillSlots sets the stretches of memory of the values after Dark's moves from a row.
func (p *pair) fillSlots(own row, light, dark []float64, slots *[16][]float64) {
	slots[slotLight], slots[slotDark], slots[slotWon] = light, dark, wonByDark
	if p.b > 1 {
		slots[slotHome] = p.darkHome[placeIn(layer{p.a, p.b - 1}, own):]
	}
	for j := range sharedSquares {
		if own.shared()>>j&1 != 0 {
			slots[slotCaptured+j] = p.light[p.place(own&^(1<<j)):]
		}
	}
}

// wonByDark holds the value of a position Dark has won.
var wonByDark = []float64{0}
