package bench

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// gameLevel is whole games on the shared dice, with one brain on both sides.
func gameLevel() descriptor {
	return descriptor{
		level: Game, benchmark: "Game", unit: "us/game",
		others:  []string{unitGames},
		newWork: func(w *Workload) (work, error) { return w.equalGames() },
	}
}

// matchLevel is whole games on the shared dice between two brains. The engine reports the
// winner of each game, as in a real match.
func matchLevel() descriptor {
	return descriptor{
		level: Match, benchmark: "Match", unit: "us/game",
		others: []string{unitGames},
		newWork: func(w *Workload) (work, error) {
			g, err := newGames(w.Size, w.Brain, w.Other)
			return &gamesWork{g, true}, err
		},
	}
}

// gamesWork are whole games.
type gamesWork struct {
	*games
	winners bool // whether the winner of each game is reported
}

func (g *gamesWork) answers() []any { return []any{g.games.answers()} }

func (g *gamesWork) bind(c *Case) (task, error) {
	if err := c.play(g.light, g.dark); err != nil {
		return nil, err
	}
	t := &gamesTask{Case: c, of: g.games, series: g.series(c.work.Size.FirstGames), want: g.first}
	if c.lanes > 0 {
		t.series, t.want = g.series(c.work.Size.Games), g.all
	}
	t.units = float64(t.want.Turns) / g.meanTurns()
	if g.winners {
		t.winners = make([]board.Side, t.series.N)
	}
	return t, nil
}

// gamesTask plays whole games: all of them side by side, or the first ones.
type gamesTask struct {
	*Case
	of      *games
	series  ur.Series // games to play
	want    ur.Tally  // expected results
	winners []board.Side

	// units are the games in a pass, counted in games of mean length, so short first games do
	// not flatter the engines that play only those.
	units float64
}

func (t *gamesTask) pass() (float64, error) {
	_, err := t.game.Games(t.winners, t.series)
	return t.units, err
}

func (t *gamesTask) check() (string, error) {
	tally, err := t.game.Games(t.winners, t.series)
	if err != nil || tally == t.want {
		return "", err
	}
	return fmt.Sprintf("tally %+v (want %+v)", tally, t.want), nil
}

func (t *gamesTask) metrics(perGame float64) []experiment.Metric { return gamesMetrics(perGame) }

// gamesMetrics are the games in a second.
func gamesMetrics(perGame float64) []experiment.Metric {
	return []experiment.Metric{{Value: GamesPerSecond(perGame), Unit: unitGames}}
}
