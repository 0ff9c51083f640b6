package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// puzzlesFlags finds the built-in puzzles in games of brain:classic, by the exact solution of 7
// pieces.
func puzzlesFlags(f *flag.FlagSet, _ keeper) func(ctx context.Context) error {
	finder := puzzle.Finder{Pieces: board.FinkelPieces, Games: 2000, Seed: 1, Player: "brain:classic", Each: 5}
	choices := f.String("choices", "", "`players` whose choices are stored, as NAME=PLAYER,...")
	out := f.String("o", "play/puzzle/puzzles.jsonl", "`file` of JSON lines")
	return func(ctx context.Context) (err error) {
		for _, item := range strings.FieldsFunc(*choices, func(c rune) bool { return c == ',' }) {
			name, spec, named := strings.Cut(item, "=")
			if !named {
				return fmt.Errorf("-choices: %q (want NAME=PLAYER)", item)
			}
			p, err := play.ParsePlayer(spec)
			if err != nil {
				return err
			}
			finder.Players = append(finder.Players, puzzle.NamedPlayer{Name: name, Player: p})
		}
		if finder.Table, err = play.DefaultTables().Table(ctx, board.Finkel()); err != nil {
			return err
		}
		puzzles, err := finder.Find(ctx)
		if err != nil {
			return err
		}
		return safefile.Write(*out, func(w io.Writer) error {
			for _, p := range puzzles {
				if err := json.NewEncoder(w).Encode(p); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
