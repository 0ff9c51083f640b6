// Command puzzles finds the built-in puzzles in games of brain:classic, by the exact solution of 7
// pieces, which "ur solve" makes, and writes play/puzzle/puzzles.jsonl:
//
//	go run ./maintain/puzzles
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

func main() {
	choices := flag.String("choices", "", "`players` whose choices are stored, as NAME=PLAYER,...")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := writePuzzles(ctx, "play/puzzle/puzzles.jsonl", *choices); err != nil {
		fmt.Fprintln(os.Stderr, "puzzles:", err)
		stop()
		os.Exit(1)
	}
}

// builtIn finds the built-in puzzles; it lacks the table.
var builtIn = finder{pieces: board.FinkelPieces, games: 2000, seed: 1, player: "brain:classic", each: 5}

// writePuzzles writes the built-in puzzles with the choices of players, given as NAME=PLAYER,....
func writePuzzles(ctx context.Context, out, choices string) (err error) {
	finder := builtIn
	if finder.players, err = parseNamed(choices); err != nil {
		return err
	}
	if finder.table, err = play.DefaultTables().Table(ctx, board.Finkel()); err != nil {
		return err
	}
	puzzles, err := finder.find(ctx)
	if err != nil {
		return err
	}
	return safefile.Write(out, func(w io.Writer) error {
		for _, p := range puzzles {
			if err := json.NewEncoder(w).Encode(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// parseNamed reads players as NAME=PLAYER,....
func parseNamed(list string) (players []puzzle.NamedPlayer, err error) {
	for _, item := range strings.FieldsFunc(list, func(c rune) bool { return c == ',' }) {
		name, spec, named := strings.Cut(item, "=")
		if !named {
			return nil, fmt.Errorf("-choices: %q (want NAME=PLAYER)", item)
		}
		p, err := play.ParsePlayer(spec)
		if err != nil {
			return nil, err
		}
		players = append(players, puzzle.NamedPlayer{Name: name, Player: p})
	}
	return players, nil
}
