package engine

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// A context that ends as a solve finishes must not reach the next solve: every result
// with a nil error is exact.
func TestSolveRacesWithItsContext(t *testing.T) {
	races := testkit.Trials(1000, 100_000)
	type problem struct {
		board board.Board
		score int
	}
	random := rand.New(rand.NewPCG(3, 3))
	var problems []problem
	for len(problems) < 16 {
		b, ok := ending(random, 8)
		if ok && !b.Over() {
			problems = append(problems, problem{b, negamax(b)})
		}
	}
	s := solver(t, Options{TableBits: 6})
	waits := rand.New(rand.NewPCG(4, 4))
	cancels := make(chan func())
	go func() {
		for cancel := range cancels {
			for range waits.IntN(1000) {
				runtime.Gosched()
			}
			cancel()
		}
	}()
	defer close(cancels)
	wrong, ended := 0, 0
	for i := range races {
		p := problems[i%len(problems)]
		ctx, cancel := context.WithCancel(context.Background())
		cancels <- cancel
		for ctx.Err() == nil {
			s.Forget()
			r, err := s.Search(ctx, p.board, Limits{})
			switch {
			case err != nil:
				ended++
			case r.Score() != p.score || r.Best == board.None:
				wrong++
			}
		}
	}
	t.Logf("%d races, %d ended within a solve, wrong: %d", races, ended, wrong)
	testkit.ErrorIf(t, wrong > 0, "%d of %d results with a nil error are wrong", wrong, races)
}
