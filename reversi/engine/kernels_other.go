//go:build !amd64 || purego

package engine

// few searches a null window with at most seven empty squares.
func (s *searcher) few(own, opp uint64, alpha, empties int) int {
	return s.fewPlain(own, opp, alpha, empties)
}

// lastKernel reports whether listMoves can run: not in plain Go.
const lastKernel = false

func (s *searcher) listMoves(*frame, uint64, uint64, uint64, ordering) (wiped, first, sum uint64) {
	return 0, 0, 0
}
