//go:build !amd64 || purego

package engine

import (
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

// few searches a null window with at most seven empty squares.
func (s *searcher) few(own, opp uint64, alpha, empties int) int {
	return s.fewPlain(own, opp, alpha, empties)
}

// prefetches reports whether buckets can be fetched ahead: not in plain Go.
const prefetches = false

func (t *table) prefetch(uint64, uint64, uint64, *[movegen.MaxMoves]uint64) uint64 { return 0 }
