//go:build !amd64 || purego

package engine

// few searches a null window with at most seven empty squares.
func (s *searcher) few(own, opp uint64, alpha, empties int) int {
	return s.fewPlain(own, opp, alpha, empties)
}

// lists reports whether listMoves can run: not in plain Go.
const lists = false

func (s *searcher) listMoves(*frame, uint64, uint64, uint64, ordering) (bool, uint64) {
	return false, 0
}
