package engine

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// node is a position with its legal moves and features; side is the side to move.
type node struct {
	own, opp, moves uint64
	features        *eval.Features
	side            int
}

// child returns the position after a move, with its features in f.
func (n node) child(m *move, f *eval.Features) node {
	return node{n.opp ^ m.flips, n.own ^ m.flips | 1<<(m.square&63), m.replies, f, n.side ^ 1}
}

func (n node) pass() node {
	return node{n.opp, n.own, board.Moves(n.opp, n.own), n.features, n.side ^ 1}
}

// play computes the features behind a move, if the evaluation needs them.
func (s *searcher) play(n node, m *move, to *eval.Features) {
	if s.weights != nil {
		n.features.Play(to, n.side, board.Square(m.square), m.flips)
	}
}

// playAll computes the features behind every move.
func (s *searcher) playAll(n node, list []move, room *frame) {
	for i := range list {
		s.play(n, &list[i], &room.features[list[i].child])
	}
}

// value is the evaluation of a position, in 32nds of a disc.
func (s *searcher) value(n node, empties int) int {
	var v int
	if s.weights != nil {
		v = s.weights.Value(n.features, n.side, 64-empties, bits.OnesCount64(n.moves))
	} else {
		v = s.hand.Evaluate(board.Board{Own: n.own, Opp: n.opp})
	}
	if !s.uses(fractions) {
		v = eval.Discs(v) * eval.Disc
	}
	return v
}

// finalValue is final in 32nds of a disc.
func finalValue(own uint64, empties int) int { return final(own, empties) * eval.Disc }

// never is below every value.
const never = -most - 1

// estimate searches few plies with the evaluation at the leaves, in a window, without a table
// and with little move ordering. Its results order moves higher up.
func (s *searcher) estimate(n node, alpha, beta, depth, empties int) int {
	s.nodes++
	if empties == 0 {
		return finalValue(n.own, 0)
	}
	if depth == 0 {
		return s.value(n, empties)
	}
	if n.moves == 0 {
		next := n.pass()
		if next.moves == 0 {
			return finalValue(n.own, empties)
		}
		return -s.estimate(next, -beta, -alpha, depth, empties)
	}
	room := &s.frames[empties]
	features := &room.scratch
	best := never
	list, first, wiped := s.expand(room, n.own, n.opp, n.moves, ordering{mobility: 4})
	if wiped {
		return most
	}
	for i := range list {
		m := pick(list, i, first)
		s.play(n, m, features)
		best = max(best, -s.estimate(n.child(m, features), -beta, -max(alpha, best), depth-1, empties-1))
		if best >= beta {
			break
		}
	}
	return best
}

// shallow is the maximum depth of estimate.
const shallow = 2

// null searches the window from alpha to the next value to a depth: the number of empty
// squares for the score of the game, at a level of selectivity.
func (s *searcher) null(n node, alpha, depth, empties int, level uint8) int {
	step := 1
	if depth >= empties {
		depth, step, alpha = empties, disc2, alpha&^(disc2-1)
		if empties <= byMobility || !s.uses(evaluation) {
			return s.exact(n.own, n.opp, n.moves, alpha>>5, empties) * eval.Disc
		}
	} else if depth <= shallow {
		if value, cut := s.probCut(n, alpha, step, depth, empties, level); cut {
			return value
		}
		return s.estimate(n, alpha, alpha+1, depth, empties)
	}
	if s.stopped() {
		return alpha
	}
	s.nodes++
	if depth == empties {
		if bound, cut := s.stableBound(n.own, n.opp, alpha>>5, empties); cut {
			return bound * eval.Disc
		}
	}
	if n.moves == 0 {
		next := n.pass()
		if next.moves == 0 {
			return finalValue(n.own, empties)
		}
		return -s.null(next, -alpha-step, depth, empties, level)
	}
	known := *s.get(n.own, n.opp)
	s.looked[min(known.depth, 1)]++
	if value, cut := known.cut(alpha, alpha+1, depth, level); cut {
		return s.tell(byTable, n, alpha, value, depth, empties, level)
	}
	begin := s.nodes
	if value, cut := s.probCut(n, alpha, step, depth, empties, level); cut {
		return s.tell(byProbCut, n, alpha, value, depth, empties, level)
	}
	room := &s.frames[empties]
	list, _, wiped := s.expand(room, n.own, n.opp, n.moves, s.byMobility(n.own, n.opp, empties))
	if wiped {
		return most
	}
	if s.uses(transpositions) && depth >= 5 {
		if value, cut := s.childCut(list, n.own, n.opp, alpha, depth-1, level); cut {
			return s.tell(byTable, n, alpha, value, depth, empties, level)
		}
	}
	s.order(n, list, room, alpha, depth, empties, &known)
	best, bestMove := s.nullMoves(n, list, room, alpha, step, depth, empties, level)
	if s.stopped() {
		return alpha
	}
	s.put(n.own, n.opp, depth, level, s.nodes-begin, alpha, alpha+step, best, bestMove)
	if bestMove != list[highest(list)].square {
		return s.tell(byLater, n, alpha, best, depth, empties, level)
	}
	return s.tell(byFirst, n, alpha, best, depth, empties, level)
}

// nullMoves searches moves in their order. With several threads, a move another thread is
// searching comes last (Kerrigan's simplification of Weill's ABDADA).
func (s *searcher) nullMoves(n node, list []move, room *frame, alpha, step, depth, empties int, level uint8) (best int, bestMove uint8) {
	best, bestMove = never, noMove
	first := highest(list)
	var later [64]uint8
	put := 0
	for i := 0; i < len(list)+put; i++ {
		var m *move
		if i >= len(list) {
			m = &list[later[i-len(list)]]
		} else if m = pick(list, i, first); s.busy != nil && i > 0 && s.busy.at(n.child(m, nil), depth) {
			later[put] = uint8(i)
			put++
			continue
		}
		value := s.nullChild(n.child(m, &room.features[m.child]), alpha, step, depth, empties, level)
		if value > best {
			if best, bestMove = value, m.square; best > alpha {
				break
			}
		}
	}
	return best, bestMove
}

func (s *searcher) nullChild(next node, alpha, step, depth, empties int, level uint8) int {
	if s.busy != nil && depth >= busyFrom {
		defer s.busy.leave(s.busy.enter(next, depth))
	}
	return -s.null(next, -alpha-step, depth-1, empties-1, level)
}

// order sets the order of moves and computes the features behind each: by the static value together with
// mobility, and in a search to the end by a search of some plies, deeper the more there is to search.
func (s *searcher) order(n node, list []move, room *frame, alpha, depth, empties int, known *bounds) {
	s.playAll(n, list, room)
	known.lead(list, n.moves, 0)
	if !s.uses(evaluation) || len(list) == 1 {
		return
	}
	plies, shift := 0, 0
	if depth == empties {
		plies = (depth - 13) / 3
		if int(known.upper) < alpha {
			plies -= 2
		}
		plies = max(0, min(plies, 6))
	}
	if depth == empties || s.solving() {
		shift = [...]int{2, 1, 1, 0, 0, 0, 0}[plies]
	}
	for i := range list {
		m := &list[i]
		if m.order >= orderSecond {
			continue
		}
		next, v := n.child(m, &room.features[m.child]), 0
		if plies == 0 && empties > 1 { // the replies are known
			s.nodes++
			v = s.value(next, empties-1)
		} else {
			v = s.guess(next, -eval.Max, -max(-most, alpha-8*eval.Disc), plies, empties-1)
		}
		m.order += int32(most-v) * orderEval >> shift
	}
}

// ordered returns the moves of a node of window in their order.
func (s *searcher) ordered(n node, room *frame, alpha, depth, empties int, known *bounds) []move {
	list, _, _ := s.expand(room, n.own, n.opp, n.moves, s.byMobility(n.own, n.opp, empties))
	if empties > byParity {
		s.order(n, list, room, alpha, depth, empties, known)
		return list
	}
	if depth < empties { // the leaves need features
		s.playAll(n, list, room)
	}
	known.lead(list, n.moves, 0)
	return list
}

// guess is a search in a window to a small depth: by estimate, or by null windows.
func (s *searcher) guess(n node, alpha, beta, depth, empties int) int {
	if depth <= shallow {
		return s.estimate(n, alpha, beta, min(depth, empties), empties)
	}
	return s.window(n, alpha, beta, depth, empties, levelExact)
}

// window searches alpha to beta to a depth by principal variation search (Marsland and Campbell
// 1982): the first move with the window, the others with a null window, and again where the
// null window shows them better.
func (s *searcher) window(n node, alpha, beta, depth, empties int, level uint8) int {
	step, root := 1, n.features == &s.features
	if depth >= empties {
		depth, step = empties, disc2
		alpha, beta = alpha&^(disc2-1), (beta+disc2-1)&^(disc2-1)
	} else if depth <= shallow && !root {
		return s.estimate(n, alpha, beta, depth, empties)
	}
	if s.stopped() {
		return alpha
	}
	s.nodes++
	if n.moves == 0 {
		next := n.pass()
		if next.moves == 0 {
			return finalValue(n.own, empties)
		}
		return -s.window(next, -beta, -alpha, depth, empties, level)
	}
	known := *s.get(n.own, n.opp)
	s.looked[min(known.depth, 1)]++
	if value, cut := known.cut(alpha, beta, depth, level); cut && !root {
		return value
	}
	begin := s.nodes
	room := &s.frames[empties]
	list := s.ordered(n, room, alpha, depth, empties, &known)
	best, bestMove, floor, first := never, noMove, alpha, highest(list)
	if root {
		s.improved = false
	}
	for i := range list {
		m := pick(list, i, first)
		next := n.child(m, &room.features[m.child])
		var value int
		if best == never {
			value = -s.window(next, -beta, -floor, depth-1, empties-1, level)
		} else {
			value = -s.null(next, -floor-step, depth-1, empties-1, level)
			if floor < value && value < beta {
				value = -s.window(next, -beta, -floor, depth-1, empties-1, level)
			}
		}
		if s.stopped() {
			return alpha
		}
		if value > best {
			best, bestMove = value, m.square
			if root {
				s.best, s.improved = board.Square(bestMove), best > alpha
			}
			if best >= beta {
				break
			}
			floor = max(floor, best)
		}
	}
	s.put(n.own, n.opp, depth, level, s.nodes-begin, alpha, beta, best, bestMove)
	return s.tell(byWindow, n, alpha, best, depth, empties, level)
}
