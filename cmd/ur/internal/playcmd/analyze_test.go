package playcmd

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// interrupting is an evaluator that interrupts an analysis when it begins with a game.
type interrupting struct {
	play.Evaluator
	games     int // before it does
	interrupt context.CancelFunc
}

func (e *interrupting) By() string {
	if e.games--; e.games == 0 {
		e.interrupt()
	}
	return e.Evaluator.By()
}

// An interrupted analysis tells of the games that it finished.
func TestAnalyzeInterrupted(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	a := newAnalyzer(ctx, &cli.Env{Stdout: &out}, analyzeOptions{})
	a.threads = 1 // one game after the other
	evaluator := &interrupting{play.TableEvaluator(solvetest.Table(t, 1)), 5, cancel}
	a.evaluator = func(context.Context, *board.Rules) (play.Evaluator, error) { return evaluator, nil }
	for range 9 {
		a.batch = append(a.batch, &record.Game{Rules: board.Finkel(), Pieces: 1, Players: [2]string{"a", "b"}, Turns: []record.Turn{{Roll: 0, From: -1}}, Result: record.Abandoned})
	}
	if err := a.flush(); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ends with %v", err)
	}
	if err := a.finish(); err != nil {
		t.Fatal(err)
	}
	if want := "5 games, judged by the exact solution\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("it prints %q, want %q", out.String(), want)
	}
}
