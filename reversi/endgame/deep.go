package endgame

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// node is a position with its features; side is the side to move.
type node struct {
	own, opp uint64
	features *eval.Features
	side     int
}

// child returns the position after a move, with its features in f.
func (n node) child(m *move, f *eval.Features) node {
	return node{n.opp ^ m.flips, n.own ^ m.flips | 1<<(m.square&63), f, n.side ^ 1}
}

func (n node) pass() node { return node{n.opp, n.own, n.features, n.side ^ 1} }

// play computes the features behind a move.
func (n node) play(m *move, to *eval.Features) {
	n.features.Play(to, n.side, board.Square(m.square), m.flips)
}

// playAll computes the features behind every move.
func (n node) playAll(list []move, room *frame) {
	for i := range list {
		n.play(&list[i], &room.features[list[i].child])
	}
}

// value is the evaluation of a position with a number of legal moves, in discs.
func (s *searcher) value(n node, moves uint64, empties int) int {
	return eval.Discs(s.weights.Value(n.features, n.side, 64-empties, bits.OnesCount64(moves)))
}

// estimate searches few plies with the evaluation at the leaves, in a window, without a table
// and with little move ordering. Its results order moves higher up.
func (s *searcher) estimate(n node, alpha, beta, depth, empties int) int {
	s.nodes++
	if empties == 0 {
		return final(n.own, 0)
	}
	moves := board.Moves(n.own, n.opp)
	if depth == 0 {
		return s.value(n, moves, empties)
	}
	if moves == 0 {
		if board.Moves(n.opp, n.own) == 0 {
			return final(n.own, empties)
		}
		next := n.pass()
		return -s.estimate(next, -beta, -alpha, depth, empties)
	}
	room := &s.frames[empties]
	features := &room.scratch
	best := -inf
	list := s.expand(room, n.own, n.opp, moves)
	if depth == 1 {
		for i := range list {
			m := &list[i]
			if m.flips == n.opp {
				return 64
			}
			n.play(m, features)
			s.nodes++
			best = max(best, -s.value(n.child(m, features), m.replies, empties-1))
			if best >= beta {
				return best
			}
		}
		return best
	}
	for i := range list {
		m := &list[i]
		if m.flips == n.opp {
			return 64
		}
		m.order = squareWorth[m.square&63] - int32(4*weighted(m.replies))
	}
	for i := range list {
		m := pick(list, i)
		n.play(m, features)
		next := n.child(m, features)
		best = max(best, -s.estimate(next, -beta, -max(alpha, best), depth-1, empties-1))
		if best >= beta {
			break
		}
	}
	return best
}

// shallow is the maximum depth of estimate.
const shallow = 2

// null searches the window alpha to alpha+1 to a depth, which is the number of empty squares
// for an exact score, at a level of selectivity.
func (s *searcher) null(n node, alpha, depth, empties int, level uint8) int {
	if depth >= empties {
		depth = empties
		if empties <= byMobility {
			return s.exact(n.own, n.opp, alpha, empties)
		}
	} else if depth <= shallow {
		return s.estimate(n, alpha, alpha+1, depth, empties)
	}
	if s.stopped() {
		return alpha
	}
	s.nodes++
	if depth == empties {
		if bound, cut := s.stableBound(n.own, n.opp, alpha, empties); cut {
			return bound
		}
	}
	moves := board.Moves(n.own, n.opp)
	if moves == 0 {
		if board.Moves(n.opp, n.own) == 0 {
			return final(n.own, empties)
		}
		next := n.pass()
		return -s.null(next, -alpha-1, depth, empties, level)
	}
	known := s.get(n.own, n.opp)
	if score, cut := known.cut(alpha, depth, level); cut {
		return score
	}
	begin := s.nodes
	if score, cut := s.probCut(n, moves, alpha, depth, empties, level); cut {
		return score
	}
	room := &s.frames[empties]
	list := s.expand(room, n.own, n.opp, moves)
	s.prefetch(room, n.own, n.opp, moves)
	for i := range list {
		if list[i].flips == n.opp {
			return 64
		}
	}
	if s.uses(transpositions) && depth >= 5 {
		if score, cut := s.childCut(list, n.own, n.opp, alpha, depth-1, level); cut {
			return score
		}
	}
	s.order(n, list, room, alpha, depth, empties, &known)
	best, bestMove := s.nullMoves(n, list, room, alpha, depth, empties, level)
	if s.stopped() {
		return alpha
	}
	s.put(n.own, n.opp, depth, level, s.nodes-begin, alpha, alpha+1, best, bestMove)
	return best
}

// nullMoves searches moves in their order. With several threads, a move another thread is
// searching comes last (Kerrigan's simplification of Weill's ABDADA).
func (s *searcher) nullMoves(n node, list []move, room *frame, alpha, depth, empties int, level uint8) (best int, bestMove uint8) {
	best, bestMove = -inf, noMove
	var later [64]uint8
	put := 0
	for i := range list {
		m := pick(list, i)
		next := n.child(m, &room.features[m.child])
		if s.busy != nil && i > 0 && s.busy.at(next, depth) {
			later[put] = uint8(i)
			put++
			continue
		}
		score := s.nullChild(next, alpha, depth, empties, level)
		if score > best {
			best, bestMove = score, m.square
			if best > alpha {
				return best, bestMove
			}
		}
	}
	for _, i := range later[:put] {
		m := &list[i]
		next := n.child(m, &room.features[m.child])
		score := s.nullChild(next, alpha, depth, empties, level)
		if score > best {
			best, bestMove = score, m.square
			if best > alpha {
				return best, bestMove
			}
		}
	}
	return best, bestMove
}

func (s *searcher) nullChild(next node, alpha, depth, empties int, level uint8) int {
	if s.busy != nil && empties >= busyFrom {
		defer s.busy.leave(s.busy.enter(next, depth))
	}
	return -s.null(next, -alpha-1, depth-1, empties-1, level)
}

// order sets the order of moves and computes the features behind each: by a search of
// some plies with the evaluation, together with mobility; deeper the more there is to
// search.
func (s *searcher) order(n node, list []move, room *frame, alpha, depth, empties int, known *bounds) {
	n.playAll(list, room)
	s.orderByMobility(list, n.own, n.opp, empties, *known)
	if !s.uses(evaluation) || len(list) == 1 {
		return
	}
	plies := 0
	if depth == empties {
		plies = (depth - 13) / 3
	} else {
		plies = (depth - 6) / 3
	}
	if known.upper < int8(alpha) {
		plies -= 2
	}
	plies = max(0, min(plies, 6))
	for i := range list {
		m := &list[i]
		if m.order >= orderSecond {
			continue
		}
		next := n.child(m, &room.features[m.child])
		v := s.guess(next, -64, -max(-64, alpha-8), plies, empties-1)
		shift := 1
		switch plies {
		case 0:
			shift = 2
		case 1, 2:
		default:
			shift = 0
		}
		m.order += int32(64-v) * orderEval >> shift
	}
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
	if depth >= empties {
		depth = empties
	}
	if depth < empties && depth <= shallow && n.features != &s.features {
		return s.estimate(n, alpha, beta, depth, empties)
	}
	if s.stopped() {
		return alpha
	}
	s.nodes++
	moves := board.Moves(n.own, n.opp)
	if moves == 0 {
		if board.Moves(n.opp, n.own) == 0 {
			return final(n.own, empties)
		}
		next := n.pass()
		return -s.window(next, -beta, -alpha, depth, empties, level)
	}
	known := s.get(n.own, n.opp)
	begin := s.nodes
	room := &s.frames[empties]
	list := s.expand(room, n.own, n.opp, moves)
	if s.weights != nil && empties > byParity {
		s.order(n, list, room, alpha, depth, empties, &known)
	} else {
		if s.weights != nil && depth < empties { // the leaves need features
			n.playAll(list, room)
		}
		s.orderByMobility(list, n.own, n.opp, empties, known)
	}
	best, bestMove, floor := -inf, noMove, alpha
	if n.features == &s.features {
		s.improved = false
	}
	for i := range list {
		m := pick(list, i)
		next := n.child(m, &room.features[m.child])
		var score int
		if best == -inf {
			score = -s.window(next, -beta, -floor, depth-1, empties-1, level)
		} else {
			score = -s.nullAny(next, -floor-1, depth-1, empties-1, level)
			if floor < score && score < beta {
				score = -s.window(next, -beta, -floor, depth-1, empties-1, level)
			}
		}
		if s.stopped() {
			return alpha
		}
		if score > best {
			best, bestMove = score, m.square
			if n.features == &s.features {
				s.best, s.improved = board.Square(bestMove), best > alpha
			}
			if best >= beta {
				break
			}
			floor = max(floor, best)
		}
	}
	s.put(n.own, n.opp, depth, level, s.nodes-begin, alpha, beta, best, bestMove)
	return best
}

// nullAny is null, or without an evaluation exact.
func (s *searcher) nullAny(n node, alpha, depth, empties int, level uint8) int {
	if s.weights == nil {
		return s.exact(n.own, n.opp, alpha, empties)
	}
	return s.null(n, alpha, depth, empties, level)
}
