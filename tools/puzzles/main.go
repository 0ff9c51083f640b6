// Command puzzles finds the built-in puzzles in games of brain:classic, by the exact solution of 7
// pieces, which "ur solve" makes, and writes play/puzzle/puzzles.jsonl:
//
//	go run ./tools/puzzles
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/solve"
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
var builtIn = finder{games: 2000, seed: 1, player: "brain:classic", each: 5}

// writePuzzles writes the built-in puzzles with the choices of players, given as NAME=PLAYER,....
func writePuzzles(ctx context.Context, out, choices string) (err error) {
	finder := builtIn
	if finder.players, err = parseNamed(choices); err != nil {
		return err
	}
	if finder.table, err = play.DefaultTables().Table(ctx, board.Finkel()); err != nil {
		return err
	}
	puzzles, err := finder.findPuzzles(ctx)
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

// A finder describes the games searched for puzzles.
type finder struct {
	table  *solve.Table // exact solution
	games  int          // number of games to search
	seed   uint64       // dice seed
	player string       // the player, against itself

	each    int                  // puzzles of each kind, at most
	players []puzzle.NamedPlayer // players whose choices are stored, not computed when the puzzle is shown
}

// candidate is a puzzle to select from.
type candidate struct {
	puzzle *puzzle.Puzzle
	score  float64 // the greater, the better
	game   uint64
	turn   int
}

// findPuzzles searches games for the most instructive positions: the best of each kind, at most one
// from a game. Equal searches find equal puzzles.
//
// It considers only the middle of the game, where both sides can still win and neither has half
// of its pieces home. Two puzzles of one kind never share both the roll and the best move.
//
// A position is of kind "greed" when the player greedy, which captures and scores whenever it
// can, has a large regret. It is "capture", "rosette" or "quiet" when both a capture and a
// rosette are possible and the capture, the rosette or neither is best by far. It is "close"
// when two moves of different character differ by less than a person can notice and all others
// are worse.
func (s finder) findPuzzles(ctx context.Context) ([]*puzzle.Puzzle, error) {
	var instances [3]play.Instance
	for i, spec := range []string{s.player, s.player, "greedy"} {
		p, err := play.ParsePlayer(spec)
		if err != nil {
			return nil, err
		}
		if instances[i], err = p.New(engine.Fastest()); err != nil {
			return nil, err
		}
	}
	found := map[string][]candidate{}
	for n := range s.games {
		g := play.Game{Seed: s.seed, Number: uint64(n), Pieces: s.table.Pieces(), Instances: [2]play.Instance(instances[:2])}
		var failed error
		g.Observe = func(t *play.Turn) {
			kind, c, err := s.examineTurn(ctx, t, instances[2])
			if failed = cmp.Or(failed, err); kind != "" {
				found[kind] = append(found[kind], c)
			}
		}
		_, err := g.Play(ctx)
		if err = cmp.Or(err, failed); err != nil {
			return nil, err
		}
	}
	if err := s.table.Err(); err != nil {
		return nil, err
	}
	var puzzles []*puzzle.Puzzle
	if s.table.Pieces() == board.FinkelPieces {
		puzzles = pagePuzzles()
	}
	puzzles = append(puzzles, s.takeBest(found)...)
	for i, p := range puzzles {
		p.Number = i + 1
		p.Judge(s.table)
		if err := p.Ask(ctx, s.players); err != nil {
			return nil, err
		}
	}
	return puzzles, nil
}

// takeBest chooses the best candidates of each kind, one of a game.
func (s finder) takeBest(found map[string][]candidate) (puzzles []*puzzle.Puzzle) {
	games := map[uint64]bool{}
	for _, kind := range []string{"greed", "capture", "rosette", "quiet", "close"} {
		list := found[kind]
		slices.SortFunc(list, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.game, b.game), cmp.Compare(a.turn, b.turn))
		})
		type answer struct {
			roll int
			best string
		}
		answers := map[answer]bool{}
		for _, c := range list {
			c.puzzle.Judge(s.table)
			same := answer{c.puzzle.Roll, c.puzzle.Best}
			if len(answers) < s.each && !games[c.game] && !answers[same] {
				games[c.game], answers[same] = true, true
				puzzles = append(puzzles, c.puzzle)
			}
		}
	}
	return puzzles
}

// examineTurn returns the kind of a finished turn, "" for none, and its puzzle.
func (s finder) examineTurn(ctx context.Context, t *play.Turn, greedy play.Instance) (kind string, c candidate, err error) {
	r, p := t.Rules, t.Position
	most := (p.Pieces() - 1) / 2
	if len(t.Moves) < 2 || p.Home(board.Light) > most || p.Home(board.Dark) > most {
		return "", c, nil
	}
	win := make([]float64, len(t.Moves))
	for i, m := range t.Moves {
		win[i] = s.table.After(p, m)
	}
	if best := slices.Max(win); best < 0.25 || best > 0.75 {
		return "", c, nil // nothing depends on it
	}
	choice, err := greedy.Choose(ctx, t)
	if err != nil {
		return "", c, err
	}
	kind, score := classifyTurn(r, t.Moves, win, choice)
	if t.Side() == board.Dark {
		p = p.Mirror() // the same from Light's point of view
	}
	source := fmt.Sprintf("turn %d of game %d of seed %d, %s against itself", t.Number+1, t.Game, t.Seed, s.player)
	found := &puzzle.Puzzle{Kind: kind, Roll: t.Roll, Source: source, Position: r.FormatPosition(p)}
	return kind, candidate{found, score, t.Game, t.Number}, nil
}

// moveCharacter holds the visible features of a move.
func moveCharacter(r *board.Rules, m board.Move) string {
	switch {
	case m.Capture:
		return "capture" // also on a rosette, where that is possible
	case r.IsRosette(int(m.To)):
		return "rosette"
	case int(m.To) == r.Finish():
		return "home"
	case m.From == board.Start:
		return "enter"
	}
	return "quiet"
}

// classifyTurn returns a decision's kind, "" for none, and how well it illustrates the kind.
func classifyTurn(r *board.Rules, moves []board.Move, win []float64, greedy int) (kind string, score float64) {
	const clear, invisible, bad = 0.015, 0.0005, 0.02
	first := map[string]float64{}    // the best move of a character
	order := make([]int, len(moves)) // the best move first
	for i, m := range moves {
		first[moveCharacter(r, m)] = max(first[moveCharacter(r, m)], win[i])
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(win[b], win[a]) })
	best, second := order[0], order[1]
	capture, hasCapture := first["capture"]
	rosette, hasRosette := first["rosette"]
	is := moveCharacter(r, moves[best])
	switch {
	case hasCapture && hasRosette && is == "capture" && win[best]-rosette >= clear:
		return "capture", win[best] - rosette
	case hasCapture && hasRosette && is == "rosette" && win[best]-capture >= clear:
		return "rosette", win[best] - capture
	case (hasCapture || hasRosette) && is == "quiet" && win[best]-max(capture, rosette) >= clear:
		return "quiet", win[best] - max(capture, rosette)
	case win[best]-win[greedy] >= clear:
		return "greed", win[best] - win[greedy]
	case len(moves) > 2 && win[best]-win[second] <= invisible && win[second]-win[order[2]] >= bad &&
		is != moveCharacter(r, moves[second]):
		return "close", -(win[best] - win[second])
	}
	return "", 0
}

// pagePuzzles returns the two positions on the page of TD-Ur (APJansen/TDUr,
// README, "Strategy"), read from its picture. There Red, the rows with a 3, moves in the first,
// and Blue in the second; here the side to move is Light.
func pagePuzzles() []*puzzle.Puzzle {
	const source = "the page of TD-Ur (APJansen/TDUr), "
	return []*puzzle.Puzzle{
		{Kind: "page", Source: source + "the left board: TD-Ur captured", Roll: 2,
			Position: "3:.LL....L....L.:0 4:D..D.....D....:0 L"},
		{Kind: "page", Source: source + "the right board: TD-Ur entered a piece", Roll: 2,
			Position: "3:...L...L....L.:1 1:.D.D.D.......D:2 L"},
	}
}
