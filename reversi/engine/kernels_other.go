//go:build !amd64 || purego

package engine

import (
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// three solves a board with three empty squares, in the order given.
func (s *searcher) three(own, opp uint64, alpha int, x, y, z board.Square) int {
	return s.threePlain(own, opp, alpha, x, y, z)
}

// prefetches reports whether buckets can be fetched ahead: not in plain Go.
const prefetches = false

func (t *table) prefetch(uint64, uint64, uint64, *[movegen.MaxMoves]uint64) uint64 { return 0 }
