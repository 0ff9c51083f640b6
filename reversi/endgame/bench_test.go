package endgame

import (
	"context"
	"fmt"
	"testing"
)

func BenchmarkFForum(b *testing.B) {
	_, positions := readVectors(b, "ffo.json")
	for _, v := range positions {
		if v.Empties > 22 && !(40 <= v.N && v.N <= 44) {
			continue
		}
		b.Run(fmt.Sprintf("position=%d", v.N), func(b *testing.B) {
			s := solver(b, Options{TableBits: 19})
			nodes := uint64(0)
			for b.Loop() {
				s.Forget()
				r, err := s.Solve(context.Background(), v.position(b))
				if err != nil || r.Score != v.Score {
					b.Fatalf("score %d, want %d: %v", r.Score, v.Score, err)
				}
				nodes = r.Nodes
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
