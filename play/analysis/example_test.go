package analysis_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Advise values the legal moves of a turn.
func ExampleAdvise() {
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		fmt.Println(err)
		return
	}
	r := board.Finkel()
	p := r.Start()
	moves := r.Moves(nil, p, 4)
	turn := &play.Turn{Rules: r, Position: p, Roll: 4, Moves: moves}
	advice, err := analysis.Advise(context.Background(), play.NetEvaluator(net), turn, r.Notation)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(advice.By, moves[advice.Best], advice.Line[0])
	// Output: search {0 4 false} in-A1*
}

// Mark classifies a regret; annotated games show it by a sign.
func ExampleMark() {
	mark := analysis.Mark(0.04)
	fmt.Println(mark, analysis.Sign(mark))
	// Output: mistake ?
}
