// Package train learns the weights of patterns from games: games of self-play from random
// openings, with exact ends, in rounds, each played with the weights of the rounds before; and
// archives of games in the WTHOR format.
//
// A seed names a result on any number of threads. Every game is a line of a log, written as
// soon as it is played, so an interrupted run can be resumed.
package train

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-09dcdc84/ur/reversi/eval"
	"golang.org/x/sync/errgroup"
)

// Round is a number of games played in one way, and the fit after them.
type Round struct {
	Games  int
	Play   Play
	Fit    Fit
	Recent int // rounds whose games the fit takes: this one and those before it
}

// Plan is the plan of a run: its rounds, one after the other.
type Plan struct {
	Seed   uint64
	Rounds []Round
	Curve  bool // fit to fewer games as well, for a learning curve
}

// DefaultGames is how many games of the last round taught the built-in weights.
const DefaultGames = 200_000

// DefaultPlan plays some games by the hand-set evaluation, then rounds by the weights fitted to the
// rounds before, and the given number of games in the last. Fewer games than DefaultGames shorten
// the other rounds as well.
func DefaultPlan(seed uint64, games int) Plan {
	quick := Fit{Epochs: 8, Rate: 0.3, Last: 0.05, Ridge: 4, Trace: 1, Margin: 4}
	better := Fit{Epochs: 12, Rate: 0.25, Last: 0.03, Ridge: 4, Trace: 0.9, Level: 16, Margin: 5}
	near := DefaultFit
	near.Trace = 0.7
	short := func(n int) int {
		if games < DefaultGames {
			return min(n, games)
		}
		return n
	}
	return Plan{Seed: seed, Rounds: []Round{
		{short(30_000), Play{Exact: 10, Opening: 20, Stray: 20, Wild: 10}, quick, 1},
		{short(30_000), Play{Depth: 3, Exact: 12, Opening: 20, Stray: 60, Wild: 10}, quick, 1},
		{short(40_000), Play{Depth: 4, Exact: 14, Opening: 20, Stray: 80, Wild: 10}, better, 1},
		{short(90_000), Play{Depth: 4, Exact: 14, Opening: 14, Stray: 150, Wild: 16}, near, 1},
		{short(12_000), Play{Depth: 6, Exact: 20, Opening: 14, Stray: 150, Wild: 16}, DefaultFit, 3},
		{games, Play{Depth: 4, Exact: 14, Opening: 20, Stray: 100, Wild: 12}, DefaultFit, 4},
	}}
}

// DefaultFit fits the built-in weights.
var DefaultFit = Fit{Epochs: 10, Rate: 0.25, Last: 0.03, Ridge: 4, Trace: 0.9, Margin: 5}

// Progress hears how far a run is.
type Progress func(round, played, games int)

// Run plays and fits. In folder it keeps a log for each round, and resumes from logs of the
// same plan there; an empty folder keeps nothing. It returns the result of the last round's fit.
func (p Plan) Run(ctx context.Context, folder string, threads int, progress Progress) (Result, error) {
	var played [][]Game // by round
	if len(p.Rounds) == 0 {
		return Result{}, errors.New("train: no rounds (want 1 or more)")
	}
	if progress == nil {
		progress = func(int, int, int) {}
	}
	for i, r := range p.Rounds {
		games, err := p.round(ctx, i, r, played, folder, threads, progress)
		if err != nil {
			return Result{}, err
		}
		played = append(played, games)
	}
	fit, games := p.lesson(played, threads)
	r, err := fit.Weights(ctx, games)
	if err == nil && p.Curve {
		r.Curve, err = fit.Curve(ctx, games)
	}
	return r, err
}

// lesson returns the fit after the last round played, and the games it takes.
func (p Plan) lesson(played [][]Game, threads int) (Fit, []Game) {
	last := len(played) - 1
	f := p.Rounds[last].Fit
	f.Threads = threads
	return f, slices.Concat(played[max(0, last+1-p.Rounds[last].Recent):]...)
}

// round plays the games of a round missing from its log, by the weights fitted after the round
// before.
func (p Plan) round(ctx context.Context, i int, r Round, before [][]Game, folder string, threads int, progress Progress) ([]Game, error) {
	if r.Games <= 0 || r.Recent <= 0 || r.Play.Opening < 4 || r.Play.Depth < 0 || r.Play.Depth > maxDepth || r.Play.Exact < 0 {
		return nil, fmt.Errorf("train: round %d: %+v (want games, 1 or more recent rounds, an opening of at least 4 moves, a depth of 0 to %d, and 0 or more empty squares)", i+1, r, maxDepth)
	}
	var games []Game
	log := io.Writer(io.Discard)
	if folder != "" {
		head := fmt.Sprintf("reversi.train/3 seed=%d round=%d before=%+v play=%+v", p.Seed, i+1, p.Rounds[:i], r.Play)
		file, found, err := openLog(filepath.Join(folder, fmt.Sprintf("round-%d.games", i+1)), head)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		games, log = found, file
	}
	if len(games) >= r.Games {
		return games[:r.Games], nil
	}
	var w *eval.Weights
	if i > 0 {
		fit, taught := p.lesson(before, threads)
		r, err := fit.Weights(ctx, taught)
		if err != nil {
			return nil, err
		}
		w = r.Weights
	}
	progress(i+1, len(games), r.Games)
	return p.playGames(ctx, i, r, w, games, log, threads, progress)
}

// openLog opens or begins a log and returns its intact games.
func openLog(name, head string) (*os.File, []Game, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	games, size, err := readLog(file, head)
	if err == nil {
		err = file.Truncate(size)
	}
	if err == nil {
		_, err = file.Seek(size, io.SeekStart)
	}
	if err == nil && size == 0 {
		_, err = fmt.Fprintln(file, head)
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, games, nil
}

// playGames plays the games of a round after the given ones, on threads, and logs them in their
// order.
func (p Plan) playGames(ctx context.Context, i int, r Round, w *eval.Weights, games []Game, log io.Writer, threads int, progress Progress) ([]Game, error) {
	threads = max(1, min(threads, 256))
	players := make(chan *player, threads) // those that are free
	for range threads {
		player, err := newPlayer(r.Play, w)
		if err != nil {
			return games, err
		}
		players <- player
	}
	out := bufio.NewWriter(log)
	stopped, stop := context.WithCancel(ctx)
	defer stop()
	group, playing := errgroup.WithContext(stopped)
	turn := make(chan chan Game, 4*threads) // the games under way, in their order
	group.Go(func() error {
		defer close(turn)
		for n := uint64(len(games)); n < uint64(r.Games) && playing.Err() == nil; n++ {
			player, done := <-players, make(chan Game, 1)
			turn <- done
			group.Go(func() error {
				defer close(done)
				defer func() { players <- player }()
				g, err := player.game(playing, p.Seed+uint64(i)<<32, n)
				if err == nil {
					done <- g
				}
				return err
			})
		}
		return nil
	})
	var failed error
	for done := range turn {
		g, ok := <-done
		if !ok || stopped.Err() != nil { // a game is missing, and those behind it cannot be kept
			stop()
			continue
		}
		if _, failed = fmt.Fprintln(out, g.Line(uint64(len(games)))); failed != nil {
			stop()
		}
		games = append(games, g)
		if len(games)%64 == 0 {
			progress(i+1, len(games), r.Games)
		}
	}
	return games, cmp.Or(failed, out.Flush(), group.Wait(), ctx.Err())
}
