// Package train learns pattern weights from games: self-play from random
// openings, with exact ends, in rounds, each played with the weights from the rounds before; and
// game archives in the WTHOR format ([ReadWTHOR]). [Plan.Run] plays and fits, [Fit.Weights] only fits.
//
// A seed names a result on any number of threads. A log holds every two games as soon as they are
// played, so an interrupted run can be resumed.
package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Round is a number of games played in one way, and the fit after them.
type Round struct {
	Games  int
	Play   Play
	Fit    Fit
	Recent int // rounds whose games the fit takes: this one and those before it
}

// Plan is a run's plan: its rounds, one after the other.
type Plan struct {
	Seed   uint64
	Rounds []Round
	Curve  bool // fit to fewer games as well, for a learning curve
}

// DefaultGames is how many games in the last round taught the built-in weights.
const DefaultGames = 200_000

// DefaultPlan plays some games by the hand-set evaluation, then rounds by the weights fitted to the
// rounds before, and the given number of games in the last, which no other round exceeds.
func DefaultPlan(seed uint64, games int) Plan {
	quick := Fit{Epochs: 8, Rate: 0.3, Last: 0.05, Ridge: 4, Trace: 1, Margin: 4}
	better := Fit{Epochs: 12, Rate: 0.25, Last: 0.03, Ridge: 4, Trace: 0.9, Level: 16, Margin: 5}
	near := DefaultFit
	near.Trace = 0.7
	return Plan{Seed: seed, Rounds: []Round{
		{min(30_000, games), Play{Exact: 10, Opening: 20, Stray: 20, Wild: 10}, quick, 1},
		{min(30_000, games), Play{Depth: 3, Exact: 12, Opening: 20, Stray: 60, Wild: 10}, quick, 1},
		{min(40_000, games), Play{Depth: 4, Exact: 14, Opening: 20, Stray: 80, Wild: 10}, better, 1},
		{min(90_000, games), Play{Depth: 4, Exact: 14, Opening: 14, Stray: 150, Wild: 16}, near, 1},
		{min(12_000, games), Play{Depth: 6, Exact: 20, Opening: 14, Stray: 150, Wild: 16}, DefaultFit, 3},
		{games, Play{Depth: 4, Exact: 14, Opening: 20, Stray: 100, Wild: 12}, DefaultFit, 4},
	}}
}

// DefaultFit fits the built-in weights.
var DefaultFit = Fit{Epochs: 10, Rate: 0.25, Last: 0.03, Ridge: 4, Trace: 0.9, Margin: 5}

// Progress hears how far a run is. Several goroutines may call it at a time.
type Progress func(round, played, games int)

// Run plays and fits. In folder it keeps a log for each round, and resumes from the same
// plan's logs there; an empty folder keeps nothing. It returns the result of the last round's fit.
func (p Plan) Run(ctx context.Context, folder string, threads int, progress Progress) (Result, error) {
	var played [][]Game // games by round
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

// round plays a round's games missing from its log, by the weights fitted after the round
// before.
func (p Plan) round(ctx context.Context, i int, r Round, before [][]Game, folder string, threads int, progress Progress) ([]Game, error) {
	if r.Games <= 0 || r.Recent <= 0 || r.Play.Opening < 4 || r.Play.Depth < 0 || r.Play.Depth > maxDepth || r.Play.Exact < 0 {
		return nil, fmt.Errorf("train: round %d: %+v (want games, 1 or more recent rounds, an opening of at least 4 moves, a depth of 0 to %d, and 0 or more empty squares)", i+1, r, maxDepth)
	}
	progress(i+1, 0, r.Games)
	var done atomic.Int64
	weights := sync.OnceValues(func() (*eval.Weights, error) {
		if i == 0 {
			return nil, nil
		}
		fit, taught := p.lesson(before, threads)
		r, err := fit.Weights(ctx, taught)
		return r.Weights, err
	})
	m := match.Plan[gameList]{
		Games: r.Games, Unit: func(int) int { return 1 }, Parallel: max(1, min(threads, 256)),
		Runner: func(context.Context, int) (match.SpanRunner[gameList], error) {
			w, err := weights()
			if err != nil {
				return nil, err
			}
			return newPlayer(r.Play, w, p.Seed+uint64(i)<<32)
		},
		// Not the number of games: a run with more games takes the games of a shorter one.
		Header: match.Header{Schema: "reversi.train-log/4", Seed: p.Seed, Settings: map[string]string{
			"round": fmt.Sprint(i + 1), "before": fmt.Sprintf("%+v", p.Rounds[:i]), "play": fmt.Sprintf("%+v", r.Play),
		}},
		Enter:    func(int, match.Span, gameList) error { return nil }, // keeps the games in order
		Progress: func(games int) { progress(i+1, int(done.Add(int64(games))), r.Games) },
	}
	if folder != "" {
		log, err := match.OpenLog(filepath.Join(folder, fmt.Sprintf("round-%d.games", i+1)))
		if err != nil {
			return nil, err
		}
		defer log.Close()
		m.Log = log
	}
	out, err := match.Run(ctx, m)
	return out.Scores[0], err
}

// Play plays a span's games.
func (p *player) Play(ctx context.Context, s match.Span) (list gameList, err error) {
	for pair, game := range s.All() {
		g, err := p.game(ctx, 2*pair+uint64(game))
		if err != nil {
			return list, err
		}
		list = append(list, g)
	}
	return list, nil
}
