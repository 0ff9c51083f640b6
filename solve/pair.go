package solve

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// pair is two layers solved together, because the turn passes between them: those in which
// Light has a pieces left and Dark b. All its values are the probability that Light wins, so
// Light seeks the greatest and Dark the least, whichever side is to move. A position has the
// same place in light and in dark, its index in layer (a, b): a row is Light's squares,
// and its positions lie together.
type pair struct {
	*Index
	a, b        int
	light, dark []float64 // values by side to move

	// Values after a piece comes home: lightHome is the dark in the pair (a-1, b), darkHome the
	// light in (a, b-1). They are nil where that piece was the last.
	lightHome, darkHome []float64

	ones []float64 // values of positions Light has won

	levels    [][][]row // groups of Light's rows, see newLevels
	programs  []*program
	residuals *residuals
	shareFrom int // size from which the threads share a sweep
}

// maxGroup is the greatest number of rows in a group.
const maxGroup = 2

// newLevels sorts a player's rows with a pieces left by falling progress, in levels of equal
// progress. Rows with the same program follow each other in a level and form groups, which read the
// program once. Long rows come first, so the threads sharing a level end at about the same time.
func (x *Index) newLevels(a, b int) [][][]row {
	size := x.rowSize[b]
	byProgress := make([][]row, x.progress(row(x.rowSets()-1))+1)
	for r := range row(x.rowSets()) {
		if r.pieceCount() <= a {
			p := x.progress(r)
			byProgress[p] = append(byProgress[p], r)
		}
	}
	var levels [][][]row
	for _, rows := range slices.Backward(byProgress) {
		if len(rows) == 0 {
			continue
		}
		slices.SortFunc(rows, func(r, q row) int {
			a, b := x.sharedOf(r), x.sharedOf(q)
			return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b), cmp.Compare(r, q))
		})
		levels = append(levels, x.groupsOf(rows))
	}
	return levels
}

// groupsOf divides sorted rows into groups.
func (x *Index) groupsOf(rows []row) (groups [][]row) {
	for len(rows) > 0 {
		n := 1
		for n < min(maxGroup, len(rows)) && x.sharedOf(rows[n]) == x.sharedOf(rows[0]) {
			n++
		}
		groups, rows = append(groups, rows[:n:n]), rows[n:]
	}
	return groups
}

// rowOffset returns where the row own begins in light and in dark.
func (p *pair) rowOffset(own row) int { return p.rowOffsetIn(layer{p.a, p.b}, own) }

// rowOffsetIn returns where a row begins in a layer's values.
func (x *Index) rowOffsetIn(l layer, own row) int {
	return int(x.rowStart(l, own) - x.start[l.own][l.opp])
}

// transpose fills dst, in layer to's layout, from src, in the layer's layout with the
// sides exchanged: with one minus the position's value with the sides exchanged. Values
// that rounding has pushed a little outside 0..1 are clamped.
func (x *Index) transpose(dst, src []float64, to layer, threads int) {
	runParallel(threads, x.sharedSets(), func(_, own int) {
		for opp := range x.disjointSets(own) {
			x.transposeTile(dst, src, to, own, opp)
		}
	})
}

// transposeTile does so for the positions with the given shared squares: a matrix with
// safe squares against safe squares in both layouts.
func (x *Index) transposeTile(dst, src []float64, to layer, own, opp int) {
	from := layer{to.opp, to.own}
	n := x.safeSetsLeft(to.own, own)
	m := x.safeSetsLeft(to.opp, opp)
	if n == 0 || m == 0 {
		return
	}
	out := x.rowOffsetIn(to, x.makeRow(own, 0)) + int(x.within[to.opp][x.pairNumber(own, opp)])
	outStep := int(x.rowSize[to.opp][own])
	own, opp = x.flipShared(opp), x.flipShared(own) // squares seen by the other side
	in := x.rowOffsetIn(from, x.makeRow(own, 0)) + int(x.within[from.opp][x.pairNumber(own, opp)])
	inStep := int(x.rowSize[from.opp][own])
	for i := range n {
		line := dst[out+i*outStep:][:m]
		for j := range line {
			line[j] = min(max(1-src[in+j*inStep+i], 0), 1)
		}
	}
}

// moveLight fills sum, one entry for each position in a row, with what Light's
// moves contribute to its value. It fills passing, one entry for each stretch of the row, with the rest:
// the throws after which Light has to pass.
//
// Light's moves are the same throughout a stretch, since they do not depend on Dark's safe
// squares. They do not change those either, so the values after a move lie together as well.
func (p *pair) moveLight(own row, stretches []stretch, sum []float64, passing []*passes) {
	chances := p.chances
	var moves [board.MaxRoll + 1]lightMoves
	for roll := 1; roll <= chances.longest; roll++ {
		p.findLightMoves(own, roll, &moves[roll])
	}
	var after [board.MaxMoves][]float64
	for k := range stretches {
		s := &stretches[k]
		part := sum[s.begin : s.begin+s.n]
		clear(part)
		pass := chances.weight[0]
		for roll := 1; roll <= chances.longest; roll++ {
			n := p.valuesAfter(&moves[roll], s, &after)
			if n == 0 {
				pass += chances.weight[roll]
				continue
			}
			addGreatest(part, chances.roll[roll], after[:n])
		}
		passing[k] = &chances.passes[chances.class[pass]]
	}
}

// lightMoves are a roll's moves from a row, whatever Dark's squares are.
type lightMoves struct {
	n    int
	move [board.MaxMoves]lightMove
}

type lightMove struct {
	values   []float64 // where its value stands; nil when it wins the game
	taking   []float64 // the same when it captures
	place    int       // start in values, for the row after the move
	power    uint32    // power of that row's shared squares
	captures int       // Dark's shared square on which it captures, as a set, or 0
	captured uint32    // what a capture takes from the power of a stretch
	blocked  int       // Dark's shared square that forbids it, as a set, or 0
}

func (p *pair) findLightMoves(own row, roll int, dst *lightMoves) {
	for to := p.destinations(own, p.a, roll, 0); to != 0; to &= to - 1 {
		square := bits.TrailingZeros32(to)
		dst.move[dst.n] = p.lightMove(own, square-roll, square)
		dst.n++
	}
}

func (p *pair) lightMove(own row, from, to int) lightMove {
	after := p.rowAfter(own, from, to)
	m := lightMove{values: p.dark, power: p.power[p.sharedOf(after)]}
	if to == p.finish {
		if p.a > 1 {
			m.place = p.rowOffsetIn(layer{p.a - 1, p.b}, after)
		}
		m.values = p.lightHome
		return m
	}
	m.place = p.rowOffset(after)
	if p.again>>to&1 != 0 {
		m.values = p.light
	}
	if p.isShared(to) {
		m.captures = 1 << p.bitOf[to]
		m.captured = 2 * p.power[m.captures]
		m.blocked = m.captures & p.protected
		if m.taking = m.values; p.captureAgain {
			m.taking = p.light
		}
	}
	return m
}

// valuesAfter fills after with a stretch's values after each legal move, and counts the moves.
func (p *pair) valuesAfter(moves *lightMoves, s *stretch, after *[board.MaxMoves][]float64) int {
	n := 0
	within := p.within[p.b]
	for i := range moves.move[:moves.n] {
		m := &moves.move[i]
		switch {
		case s.opp&m.blocked != 0:
			continue
		case m.values == nil:
			after[n] = p.ones[:s.n]
		default:
			values, pair := m.values, m.power+s.power
			if s.opp&m.captures != 0 {
				values, pair = m.taking, pair-m.captured
			}
			at := m.place + int(within[pair])
			after[n] = values[at : at+s.n]
		}
		n++
	}
	return n
}

// addGreatest adds to every sum[i] the greatest of after[0][i], after[1][i], ..., times w.
// Products are rounded before they are added, here and below, so machines with fused
// multiply-add compute the same bits.
func addGreatest(sum []float64, w float64, after [][]float64) {
	n := len(sum)
	switch len(after) {
	case 1:
		x := after[0][:n]
		for i := range sum {
			sum[i] += float64(w * x[i])
		}
	case 2:
		x, y := after[0][:n], after[1][:n]
		for i := range sum {
			sum[i] += float64(w * fromOrderedBits(max(orderedBits(x[i]), orderedBits(y[i]))))
		}
	case 3:
		x, y, z := after[0][:n], after[1][:n], after[2][:n]
		for i := range sum {
			sum[i] += float64(w * fromOrderedBits(max(orderedBits(x[i]), orderedBits(y[i]), orderedBits(z[i]))))
		}
	default:
		for i := range sum {
			best := orderedBits(after[0][i])
			for _, x := range after[1:] {
				best = max(best, orderedBits(x[i]))
			}
			sum[i] += float64(w * fromOrderedBits(best))
		}
	}
}

// orderedBits maps values to integers in the same order, which processors compare and select without
// a branch. An IEEE 754 number's bits have this order if it is not negative.
func orderedBits(value float64) int64 { return int64(math.Float64bits(value)) }

// fromOrderedBits is the inverse to orderedBits.
func fromOrderedBits(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

// sweeper is one thread's room to work in.
type sweeper struct {
	lanes  [maxGroup]lane
	change float64
}

// lane is a row at work.
type lane struct {
	light, dark []float64        // its values, by place
	sum         []float64        // value of Light's moves, by place
	passing     []*passes        // throws that make Light pass, by stretch
	slots       [slots][]float64 // see program
	residual    rowResidual
}

// sweepLevels computes every value of the pair once and returns the largest change of one with Dark
// to move. Rows with the same progress do not depend on each other: the threads share them.
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

// tooSmallToShare is a size of a pair of layers: below it one thread is faster than several.
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
