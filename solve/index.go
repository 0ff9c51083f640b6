package solve

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sort"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
)

// The squares on a player's path fall into two groups: the safe ones, where only their owner walks,
// and the shared ones, whose tiles are on both paths. Both sides' shared squares exclude each
// other; the safe ones do not, but for the number of pieces. The index follows from that:
//
//	index = first in (layer, own shared squares)
//	      + rank of own safe squares * positions for each
//	      + first in (own shared squares, opponent's shared squares)
//	      + rank of the opponent's safe squares
//
// Safe sets are ranked by their number of pieces first, so the sets with at most k pieces are the
// ranks below safeSets[k] for every k, and no rank is left out. All positions with the same
// squares for the mover, a row, lie together.
//
// Both sets of shared squares are tile sets, numbered in the mover's path order. The
// opponent may walk the same tiles in another order: flip converts between the two numberings.

// Limits for an index: they keep its tables below 200 MB.
const (
	maxShared  = 14 // shared squares of a path
	maxSquares = 20
	maxRow     = 1 << placeBits // positions in a row
)

// layer numbers a game's layers by the pieces the mover and the opponent still have to bring home.
type layer struct{ own, opp int }

// Index numbers a rule set's positions 0, 1, 2, ... without a gap. It never changes, so any
// number of goroutines may use it.
type Index struct {
	rowLayout
	rules   *board.Rules
	pieces  int // pieces on each side; smaller games are included
	chances *chances

	safeRank []uint32 // set of safe squares -> rank
	safeSet  []uint32 // rank -> set
	safeSets []int    // number of safe sets of at most k pieces
	power    []uint32 // set of shared squares -> its number in base 3

	// rowSize[b][shared] is the number of positions in a row whose owner holds the shared
	// squares, when the opponent has b pieces left. within is the place, in such a row, of the
	// first position with the opponent on a set of shared squares.
	rowSize [][]uint32
	within  [][]uint32

	// first[a][b][shared] is the index of the first position in layer (a, b) whose mover holds
	// the shared squares, and start[a][b] that of the first in all.
	first [board.MaxPieces + 1][board.MaxPieces + 1][]uint32
	start [board.MaxPieces + 1][board.MaxPieces + 1]uint32
	size  [board.MaxPieces + 1][board.MaxPieces + 1]uint32

	layers []layer // layers by index
}

// indices caches the built-in rule sets' indices by name.
var indices sync.Map // func() (*Index, error) by name

// IndexOf returns the index for positions under a rule set with at least its number of pieces: for a
// built-in one that for its own number, which is made once. A path's tables with twelve shared
// squares take about 20 MB. It returns an error for rules with more than 20 squares, more than 14
// shared ones, 2^32 positions, or dice for which [Solve] would not end.
func IndexOf(r *board.Rules) (*Index, error) {
	b, err := board.Lookup(r.Name())
	if err != nil || r.Pieces() > b.Pieces() {
		return newIndex(r)
	}
	once, _ := indices.LoadOrStore(b.Name(), sync.OnceValues(func() (*Index, error) { return newIndex(b) }))
	return once.(func() (*Index, error))()
}

func newIndex(r *board.Rules) (*Index, error) {
	x := &Index{rules: r, pieces: r.Pieces()}
	if x.rowLayout = newRowLayout(r); len(x.squareOf) > maxSquares || x.shared > maxShared {
		return nil, fmt.Errorf("rules %s: %d squares, %d of them shared (want at most %d and %d to number the positions)",
			r.Name(), len(x.squareOf), x.shared, maxSquares, maxShared)
	}
	var err error
	if x.chances, err = newChances(r); err != nil {
		return nil, err
	}
	x.rankSafeSets()
	x.power = make([]uint32, x.sharedSets())
	for set := range x.power {
		for square, digit := 0, 1; square < x.shared; square, digit = square+1, digit*3 {
			x.power[set] += uint32(set >> square & 1 * digit)
		}
	}
	x.rowSize = make([][]uint32, x.pieces+1)
	x.within = make([][]uint32, x.pieces+1)
	for b := 1; b <= x.pieces; b++ {
		x.rowSize[b] = make([]uint32, x.sharedSets())
		x.within[b] = make([]uint32, x.pairNumber(x.sharedSets()-1, 0)*2+1)
		for own := range x.sharedSets() {
			x.layRow(b, own)
		}
	}
	if err := x.layLayers(); err != nil {
		return nil, fmt.Errorf("rules %s with %d pieces: %w", r.Name(), r.Pieces(), err)
	}
	return x, nil
}

// rulesOf returns the rules with some number of the index's pieces.
func (x *Index) rulesOf(pieces int) *board.Rules {
	r, err := x.rules.WithPieces(pieces)
	if err != nil {
		panic(err) // a table has 1 piece or more
	}
	return r
}

// rankSafeSets orders the sets of safe squares by their number of pieces, then by their bits.
func (x *Index) rankSafeSets() {
	x.safeRank = make([]uint32, 1<<x.safe)
	x.safeSet = make([]uint32, 1<<x.safe)
	x.safeSets = make([]int, x.pieces+1)
	for set := range x.safeSet {
		x.safeSet[set] = uint32(set)
	}
	sort.SliceStable(x.safeSet, func(i, j int) bool {
		return bits.OnesCount32(x.safeSet[i]) < bits.OnesCount32(x.safeSet[j])
	})
	for rank, set := range x.safeSet {
		x.safeRank[set] = uint32(rank)
		for k := bits.OnesCount32(set); k < len(x.safeSets); k++ {
			x.safeSets[k]++
		}
	}
}

// layRow lays out a row whose owner holds the shared squares own: one stretch for each set among
// the other shared squares that b pieces can hold.
func (x *Index) layRow(b, own int) {
	n := 0
	for opp := range x.disjointSets(own) {
		x.within[b][x.pairNumber(own, opp)] = uint32(n)
		n += x.safeSetsLeft(b, opp)
	}
	x.rowSize[b][own] = uint32(n)
}

// layLayers puts the layers one after another so that a smaller game's are a prefix of
// a larger one's, and each comes after the layers it depends on.
func (x *Index) layLayers() error {
	next := uint64(0)
	lay := func(l layer) {
		x.layers = append(x.layers, l)
		x.start[l.own][l.opp] = uint32(next)
		begin := next
		first := make([]uint32, x.sharedSets())
		for own := range first {
			first[own] = uint32(next)
			next += uint64(x.safeSetsLeft(l.own, own)) * uint64(x.rowSize[l.opp][own])
		}
		x.first[l.own][l.opp] = first
		x.size[l.own][l.opp] = uint32(next - begin)
	}
	for most := 1; most <= x.pieces; most++ {
		for least := 1; least < most; least++ {
			lay(layer{most, least})
			lay(layer{least, most})
		}
		lay(layer{most, most})
		if next > math.MaxUint32 || x.rowSize[most][0] > maxRow {
			return errors.New("too many positions to number (want fewer than 2^32)")
		}
	}
	return nil
}

// safeSetsLeft returns how many sets of safe squares there are for the pieces not on shared squares,
// when a player has some number of pieces left: 0 when the shared squares are more than those.
func (x *Index) safeSetsLeft(left, shared int) int {
	if left -= bits.OnesCount32(uint32(shared)); left >= 0 {
		return x.safeSets[left]
	}
	return 0
}

// pairNumber numbers two disjoint sets of shared squares.
func (x *Index) pairNumber(own, opp int) int { return int(x.power[own]) + 2*int(x.power[opp]) }

// rowStart returns a row's first index, in a layer with the row's owner to move.
func (x *Index) rowStart(l layer, own row) uint32 {
	shared := x.sharedOf(own)
	return x.first[l.own][l.opp][shared] + x.safeRank[x.safeOf(own)]*x.rowSize[l.opp][shared]
}

// inRow returns the place in the position's row own with the opponent on opp.
func (x *Index) inRow(b int, own, opp row) uint32 {
	return x.within[b][x.pairNumber(x.sharedOf(own), x.sharedOf(opp))] + x.safeRank[x.safeOf(opp)]
}

// rankOf returns the index of a position in layer l, where neither side has finished.
func (x *Index) rankOf(l layer, own, opp row) uint32 {
	return x.rowStart(l, own) + x.inRow(l.opp, own, opp)
}

// maxRowSize returns the number of positions in the longest row.
func (x *Index) maxRowSize(pieces int) int { return int(x.rowSize[pieces][0]) }

// Positions returns how many positions a game with 1 to the index's number of pieces has:
// unfinished positions with one side to move. It panics on any other number.
func (x *Index) Positions(pieces int) int {
	if pieces < 1 || pieces > x.pieces {
		panic(fmt.Sprintf("solve: %d pieces are outside 1..%d", pieces, x.pieces))
	}
	return int(x.start[pieces][pieces]) + int(x.size[pieces][pieces])
}

// Rank returns p's number among all positions, 0 to Positions(p.Pieces())-1, and false
// when the game is over. Positions that differ only in the sides' names, or in how many
// pieces are already home, have the same rank. So a game with fewer pieces uses the same ranks as
// a larger one. p must be legal under the index's rules.
func (x *Index) Rank(p board.Position) (rank int, ok bool) {
	me := p.Turn()
	l := layer{p.Pieces() - p.Home(me), p.Pieces() - p.Home(me.Other())}
	if l.own == 0 || l.opp == 0 {
		return 0, false
	}
	return int(x.rankOf(l, x.rowOf(p.Squares(me)), x.flip(x.rowOf(p.Squares(me.Other()))))), true
}

// positionAt returns the position in layer l of a game, with both sides' rows and Light to move.
func (x *Index) positionAt(pieces int, l layer, own, opp row) (board.Position, error) {
	return x.rules.FromSquares(pieces, board.Light,
		[2]uint32{x.squares(own), x.squares(x.flip(opp))}, [2]int{pieces - l.own, pieces - l.opp})
}

// chances are the probabilities of a rule set's dice.
type chances struct {
	longest int // roll
	roll    [board.MaxRoll + 1]float64
	weight  [board.MaxRoll + 1]int

	// class numbers the summed weights in sets of rolls: those that make a side pass.
	class  []uint16
	passes []passes
}

// passes are the consequences when a class of throws makes Light pass.
type passes struct {
	light float64 // the probability of the class
	dark  []darkPasses
}

// darkPasses are the consequences when a class of throws makes Dark pass, too.
type darkPasses struct {
	dark  float64 // the probability of that class
	again float64 // 1/(1-light*dark): how often on average a turn comes back, passed
}

// mostLikely is a roll's greatest probability with moves.
const mostLikely = 0.999

// maxClasses limits the pass tables to 16 MB.
const maxClasses = 1 << 10

func newChances(r *board.Rules) (*chances, error) {
	c := &chances{longest: r.MaxRoll()}
	sums := make([]bool, r.WeightSum()+1)
	sums[r.Weight(0)] = true
	for roll := range c.longest + 1 {
		switch p := r.Probability(roll); {
		case p == 1:
			return nil, fmt.Errorf(
				"rules %s: dice with one roll: a game may repeat without end, so its value is not defined (want two rolls or more)", r.Name())
		case roll > 0 && p > mostLikely:
			return nil, fmt.Errorf(
				"rules %s: a roll of %d has the probability %v, and values settle too slowly to be computed (want %v at most)", r.Name(), roll, p, mostLikely)
		}
		c.roll[roll], c.weight[roll] = r.Probability(roll), r.Weight(roll)
		for sum := len(sums) - 1; roll > 0 && sum >= c.weight[roll]; sum-- {
			sums[sum] = sums[sum] || sums[sum-c.weight[roll]]
		}
	}
	c.class = make([]uint16, len(sums))
	var pass []float64
	for sum, possible := range sums {
		if possible {
			c.class[sum] = uint16(len(pass))
			pass = append(pass, float64(sum)/float64(r.WeightSum()))
		}
	}
	if len(pass) > maxClasses {
		return nil, fmt.Errorf("rules %s: dice with %d different chances to pass (want at most %d)",
			r.Name(), len(pass), maxClasses)
	}
	for _, light := range pass {
		row := passes{light: light}
		for _, dark := range pass {
			row.dark = append(row.dark, darkPasses{dark, 1 / (1 - float64(light*dark))})
		}
		c.passes = append(c.passes, row)
	}
	return c, nil
}
