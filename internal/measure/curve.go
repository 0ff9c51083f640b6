package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
)

// curveFlags fits the curve that turns the score of the built-in brain into a probability:
// a logistic whose slope and offset follow the pieces that both sides have left, behind a
// correction of the score by the pieces on the squares, and the same without the correction.
// It minimises the regret of searches 2 and 3 plies deep. It takes some minutes.
func curveFlags(f *flag.FlagSet, _ keeper) func(ctx context.Context) error {
	o := ursearch.FitOptions{}
	f.IntVar(&o.Games, "games", 160, "games of perfect play in each round")
	f.IntVar(&o.Rounds, "rounds", 6, "rounds")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the dice")
	out := f.String("o", "internal/ursearch/curve_default.go", "`file` of Go")
	return func(ctx context.Context) error {
		if o.Games < 1 || o.Rounds < 1 {
			return fmt.Errorf("%d games, %d rounds (want at least 1 of each)", o.Games, o.Rounds)
		}
		t, err := play.DefaultTables().Table(ctx, board.MaxPieces)
		if err != nil {
			return err
		}
		var curves [2]*ursearch.Curve
		for i := range curves {
			o.Plain = i == 1
			o.Progress = func(done float64) {
				fmt.Fprintf(os.Stderr, "\r%3.0f %%", 100*(float64(i)+done)/float64(len(curves)))
			}
			if curves[i], err = ursearch.Fit(ctx, ur.DefaultBrain(), t, o); err != nil {
				return err
			}
		}
		fmt.Fprintln(os.Stderr)
		return wholefile.Write(*out, func(w io.Writer) error {
			return ursearch.WriteGo(w, "go run ./internal/measure curve", curves[0], curves[1])
		})
	}
}
