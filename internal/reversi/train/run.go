package train

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Round is a number of games played in one way.
type Round struct {
	Games int
	Play  Play
}

// Plan is the plan of a run: its rounds, one after the other, and the fit after each. A fit
// takes the games of all rounds so far except the first, which is untrained.
type Plan struct {
	Seed   uint64
	Rounds []Round
	Fit    Fit
}

// DefaultGames is how many games taught the built-in weights.
const DefaultGames = 100_000

// DefaultPlan plays a number of games, a tenth of them by the hand-set evaluation and three
// tenths by the weights fitted to these.
func DefaultPlan(seed uint64, games int) Plan {
	return Plan{Seed: seed, Fit: DefaultFit, Rounds: []Round{
		{games / 10, Play{Exact: 12, Opening: 20}},
		{games * 3 / 10, Play{Depth: 2, Exact: 12, Opening: 16}},
		{games - games/10 - games*3/10, Play{Depth: 3, Exact: 14, Opening: 14}},
	}}
}

// Progress hears how far a run is.
type Progress func(round, played, games int)

// Run plays and fits. In folder it keeps a log for each round, and resumes from logs of the
// same plan there; an empty folder keeps nothing. It returns the weights of the last round and
// the errors of their stages.
func (p Plan) Run(ctx context.Context, folder string, threads int, progress Progress) (*eval.Weights, [eval.Stages]float64, error) {
	var (
		weights *eval.Weights
		errs    [eval.Stages]float64
		games   []Game
	)
	if progress == nil {
		progress = func(int, int, int) {}
	}
	for i, r := range p.Rounds {
		played, err := p.round(ctx, i, r, weights, folder, threads, progress)
		if err != nil {
			return weights, errs, err
		}
		if i == 1 {
			games = games[:0]
		}
		games = append(games, played...)
		fit := p.Fit
		fit.Threads = threads
		if weights, errs, err = fit.Weights(ctx, games); err != nil {
			return weights, errs, err
		}
	}
	if weights == nil {
		return nil, errs, errors.New("train: a plan without rounds teaches nothing")
	}
	return weights, errs, nil
}

// round plays the games of a round missing from its log.
func (p Plan) round(ctx context.Context, i int, r Round, w *eval.Weights, folder string, threads int, progress Progress) ([]Game, error) {
	if r.Games <= 0 || r.Play.Opening < 2 || r.Play.Depth < 0 || r.Play.Exact < 0 {
		return nil, fmt.Errorf("train: round %d: %+v: want games, an opening of at least 2 moves, and depths from 0 on", i+1, r)
	}
	var games []Game
	log := io.Writer(io.Discard)
	if folder != "" {
		head := fmt.Sprintf("reversi.train/1 seed=%d round=%d before=%v play=%+v fit=%+v", p.Seed, i+1, p.Rounds[:i], r.Play, p.Fit)
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type numbered struct {
		number uint64
		game   Game
	}
	first := uint64(len(games))
	next := make(chan uint64)
	done := make(chan numbered)
	var wait sync.WaitGroup
	for range max(1, min(threads, 256)) {
		wait.Go(func() {
			player, err := newPlayer(r.Play, w)
			if err != nil {
				cancel(err)
				return
			}
			for n := range next {
				g, err := player.game(ctx, p.Seed+uint64(i)<<32, n)
				if err != nil {
					cancel(err)
					return
				}
				select {
				case done <- numbered{n, g}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		defer close(next)
		for n := first; n < uint64(r.Games); n++ {
			select {
			case next <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		wait.Wait()
		close(done)
	}()
	out := bufio.NewWriter(log)
	early := map[uint64]Game{} // games that ended before an earlier one
	var failed error
	for d := range done {
		early[d.number] = d.game
		for g, ok := early[uint64(len(games))]; ok; g, ok = early[uint64(len(games))] {
			delete(early, uint64(len(games)))
			if _, err := fmt.Fprintln(out, g.Line(uint64(len(games)))); err != nil && failed == nil {
				failed = err
				cancel(err)
			}
			games = append(games, g)
			if len(games)%64 == 0 {
				progress(i+1, len(games), r.Games)
			}
		}
	}
	if err := out.Flush(); err != nil && failed == nil {
		failed = err
	}
	if failed == nil && len(games) < r.Games {
		failed = context.Cause(ctx)
	}
	return games, failed
}
