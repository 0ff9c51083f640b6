package playcmd

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/solvetest"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// countdown is a context that is cancelled when it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}

// An interrupted analysis tells of the games that it finished.
func TestAnalyzeInterrupted(t *testing.T) {
	var out bytes.Buffer
	a := newAnalyzer(&countdown{t.Context(), 5}, &cli.Env{Stdout: &out}, analyzeOptions{})
	a.threads = 1
	a.evaluators["finkel1"] = []play.Evaluator{play.TableEvaluator(solvetest.Table(t, 1))}
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
