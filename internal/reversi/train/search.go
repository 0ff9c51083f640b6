package train

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// searcher is a plain alpha-beta search of few plies. It has neither table nor forward pruning,
// so its moves follow from the weights alone, whatever becomes of the searches that play.
type searcher struct {
	weights   *eval.Weights
	generator movegen.Generator
	children  movegen.Children
	frames    [maxDepth + 1][movegen.MaxMoves]child
}

// maxDepth is the most plies of a searcher.
const maxDepth = 12

// child is a position behind a move, with its value for the moving side.
type child struct {
	board    board.Board
	moves    uint64
	features eval.Features
	square   board.Square
	value    int
}

// best returns the move with the highest value after depth plies, the first of equals in the
// order of the children, and this value.
func (l *searcher) best(b board.Board, depth int) (board.Square, int) {
	f := eval.FeaturesOf(b)
	list := l.expand(b, b.Moves(), &f, 0, 64-b.Empties(), depth)
	best, most := board.None, -eval.Max-1
	for i := range list {
		c := &list[i]
		v := c.value
		if depth > 1 {
			v = -l.value(c.board, c.moves, &c.features, 1, depth-1, -eval.Max-1, -most)
		}
		if v > most {
			best, most = c.square, v
		}
	}
	return best, most
}

// value returns the value of a position for the side to move, fail-soft.
func (l *searcher) value(b board.Board, moves uint64, f *eval.Features, side, depth, alpha, beta int) int {
	if moves == 0 {
		next := b.Pass()
		if moves = next.Moves(); moves == 0 {
			return clip(b.Score())
		}
		return -l.value(next, moves, f, side^1, depth, -beta, -alpha)
	}
	discs := 64 - b.Empties()
	if depth == 1 {
		return l.lastPly(b, moves, f, side, discs, beta)
	}
	best := -eval.Max - 1
	list := l.expand(b, moves, f, side, discs, depth)
	for i := range list {
		c := &list[i]
		best = max(best, -l.value(c.board, c.moves, &c.features, side^1, depth-1, -beta, -max(alpha, best)))
		if best >= beta {
			break
		}
	}
	return best
}

func (l *searcher) lastPly(b board.Board, moves uint64, f *eval.Features, side, discs, beta int) int {
	var g eval.Features
	best := -eval.Max - 1
	l.generator.Expand(b, moves, &l.children)
	for i := 0; i < l.children.N && best < beta; i++ {
		s, flips := board.First(moves), l.children.Flips[i]
		moves &= moves - 1
		f.Play(&g, side, s, flips)
		best = max(best, l.static(b.Play(s, flips), l.children.Moves[i], &g, side, discs+1))
	}
	return best
}

// static values a position for the side that has just moved; side is that side, as the features
// count sides, and moves are those of the other.
func (l *searcher) static(b board.Board, moves uint64, f *eval.Features, side, discs int) int {
	if discs == 64 || b.Own == 0 {
		return -clip(b.Score())
	}
	return -l.weights.Value(f, side^1, discs, bits.OnesCount64(moves))
}

// expand lists the children of a position, those with the highest values first.
func (l *searcher) expand(b board.Board, moves uint64, f *eval.Features, side, discs, depth int) []child {
	l.generator.Expand(b, moves, &l.children)
	list := l.frames[depth][:0]
	for n := range l.children.N {
		s, flips := board.First(moves), l.children.Flips[n]
		moves &= moves - 1
		list = list[:n+1]
		i := n
		c := &list[i]
		c.board, c.moves, c.square = b.Play(s, flips), l.children.Moves[n], s
		f.Play(&c.features, side, s, flips)
		c.value = l.static(c.board, c.moves, &c.features, side, discs+1)
		for ; i > 0 && list[i].value > list[i-1].value; i-- {
			list[i], list[i-1] = list[i-1], list[i]
		}
	}
	return list
}

// clip turns a score in discs into a value within the bounds of evaluations.
func clip(score int) int { return max(-eval.Max, min(eval.Max, score*eval.Disc)) }
