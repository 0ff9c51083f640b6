// Package cli is the command line of reversi.
package cli

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/book"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/reversi/train"
	"github.com/spf13/cobra"
)

// Program returns the command line "reversi".
func Program() *cli.Program {
	return &cli.Program{
		Name:  "reversi",
		Short: "Play, solve and measure Reversi",
		Long: `reversi plays Reversi, solves endgames, and measures how fast that can be done.

"reversi help players" lists the players P.

Results go to stdout, progress and messages to stderr. With --json a result is one
JSON object, or JSON lines. NO_COLOR disables colours. UR_DISABLE=avx512,avx2 masks
CPU features.

Exit codes: 0 done; 1 failure; 2 bad usage or bad input; 3 a verification failed;
4 inconclusive; 130 interrupted (finished work is printed or saved); 141 the
reader of a pipe has gone.`,
		Example: `  reversi play                     play against the computer
  reversi match level:4 level:3    let two players play a match
  reversi solve < endgames.obf     solve endgames exactly
  reversi perft 9 --generator all  count positions with every move generator
  reversi train -o weights.bin     learn an evaluation by self-play
  reversi help players             list all players`,
		Commands: func(env *cli.Env) []*cobra.Command {
			return []*cobra.Command{
				newPlayCommand(env),
				newMatchCommand(env),
				newPerftCommand(env),
				newEvalCommand(env),
				newShowCommand(env),
				newSolveCommand(env),
				newTrainCommand(env),
				newBookCommand(env),
				newProtocolCommand(env),
				// Without Run, cobra lists it as a topic and not as a command.
				{Use: "players", Short: "Players and how to name them",
					Long:    "A player P is one of\n" + reversi.Kinds().Help(),
					Example: "  reversi play --white level:6\n  reversi match greedy search:depth=3"},
			}
		},
	}
}

// newEnv opens the files of players, each file once.
func newEnv() reversi.Env {
	return reversi.Env{
		OpenBook:    once(func(file string) (reversi.Book, error) { return book.Open(file) }),
		Shipped:     func() (reversi.Book, error) { return book.Shipped() },
		OpenWeights: once(eval.Open),
	}
}

// once returns a function to open each file once. Any number of goroutines may call it.
func once[T any](open func(file string) (T, error)) func(file string) (T, error) {
	var opened sync.Map // functions that open a file
	return func(file string) (T, error) {
		f, _ := opened.LoadOrStore(file, sync.OnceValues(func() (T, error) { return open(file) }))
		return f.(func() (T, error))()
	}
}

// thinker makes a player that values moves.
func thinker(name string) (*reversi.Thinker, error) {
	p, err := reversi.ParsePlayer(name, newEnv())
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	t, ok := p.(*reversi.Thinker)
	if !ok {
		return nil, cli.UsageError("player %s: has no values of moves (want level:N or search:...)", name)
	}
	return t, nil
}

// players lists the specs of players for completion, without the person at the terminal.
func players() []string { return reversi.Kinds()[1:].Specs() }

// isArchive reports whether a file is an archive in the WTHOR format.
func isArchive(name string) bool { return strings.EqualFold(filepath.Ext(name), ".wtb") }

// archiveOpening is how many moves of the games of an archive are openings: the shortest game has nine.
const archiveOpening = 8

// openArchive reads an archive in the WTHOR format. With an error it returns the games before the faulty one.
func openArchive(name string) ([]train.Game, error) {
	return safefile.Parse(name, train.ReadWTHOR)
}

// archived lists the complete games of an archive, or each opening among them once, up to the first error.
func archived(name string, openings bool) iter.Seq2[board.Record, error] {
	return func(yield func(board.Record, error) bool) {
		games, err := openArchive(name)
		seen := map[string]bool{}
		for _, g := range games {
			r := board.Record{From: board.StartPosition(), Moves: g.Moves}
			if openings {
				r.Moves = r.Moves[:archiveOpening]
			}
			if text := r.Text(); !openings || !seen[text] {
				seen[text] = true
				if !yield(r, nil) {
					return
				}
			}
		}
		if err == nil && len(games) == 0 {
			err = fmt.Errorf("%s: no complete games (want at least one)", name)
		}
		if err != nil {
			yield(board.Record{}, err)
		}
	}
}

// records lists the openings, or else the finished games, of a file, up to the first error: one a line, as moves, or
// those of a line in GGF, with blank lines and comments behind "#", or of an archive by its name.
func records(name string, openings bool) iter.Seq2[board.Record, error] {
	if isArchive(name) {
		return archived(name, openings)
	}
	return func(yield func(board.Record, error) bool) {
		file, err := safefile.Parse(name, io.ReadAll)
		if err != nil {
			yield(board.Record{}, err)
			return
		}
		n, found := 0, false
		for line := range strings.Lines(strings.TrimPrefix(string(file), "\ufeff")) {
			n++
			games, err := parseRecords(line)
			for _, r := range games {
				if err = checkRecord(r, openings); err != nil {
					break
				}
				if found = true; !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(board.Record{}, fmt.Errorf("%s, line %d: %w", name, n, err))
				return
			}
		}
		if !found {
			yield(board.Record{}, fmt.Errorf("%s: no games", name))
		}
	}
}

// parseRecords reads the games of a line.
func parseRecords(line string) ([]board.Record, error) {
	if board.IsGGF(line) {
		return board.ParseGGFs(line)
	}
	line, _, _ = strings.Cut(line, "#")
	if strings.TrimSpace(line) == "" {
		return nil, nil
	}
	r, err := board.ParseRecord(board.StartPosition(), line)
	if err != nil {
		return nil, err
	}
	return []board.Record{r}, nil
}

// checkRecord returns an error for a game of another kind.
func checkRecord(r board.Record, opening bool) error {
	switch over := r.End().Over(); {
	case r.From != board.StartPosition():
		return errors.New("the game begins with another position (want the start of Othello)")
	case over && opening:
		return errors.New("the game is over behind it")
	case !over && !opening:
		return errors.New("the game is not over")
	}
	return nil
}

// readRecords reads all records of a file.
func readRecords(name string, openings bool) (list []board.Record, err error) {
	for r, err := range records(name, openings) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// firstRecord reads the first opening of a file, and nothing behind it.
func firstRecord(name string) (board.Record, error) {
	next, stop := iter.Pull2(records(name, true))
	defer stop()
	r, err, _ := next()
	return r, err
}
