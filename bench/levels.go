package bench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// work is the work of one level, with the oracle's answers. It is not changed after it
// was made.
type work interface {
	// bind prepares an engine for the work.
	bind(ur.Engine) (task, error)

	// answers are the answers covered by the signature of the level, for [binary.Write].
	answers() []any
}

// task is the work of a level on a game of an engine: check and pass are those of [sample.Benchmark].
type task struct {
	game    ur.Game
	check   func() error
	pass    func() (units float64, err error)
	metrics func(perUnit float64) []report.Metric // nil for none
}

// valueWork are positions with their values.
type valueWork struct {
	brain     *ur.Brain
	positions []board.Position
	values    []int32
}

// newValueWork takes the positions from the corpus, spread evenly. They are the positions an
// engine evaluates in play: the candidates of each turn.
func newValueWork(w *Workload) (work, error) {
	var candidates []board.Position
	for line := range strings.Lines(corpusText) {
		position, number, _ := strings.Cut(strings.TrimSpace(line), "\t")
		p, err := board.Finkel().ParsePosition(position)
		roll, other := strconv.Atoi(number)
		if err := errors.Join(err, other); err != nil {
			return nil, fmt.Errorf("corpus: %w", err)
		}
		for _, m := range board.Finkel().Moves(nil, p, roll) {
			candidates = append(candidates, board.Finkel().Apply(p, m))
		}
	}
	if w.Size.Positions > len(candidates) {
		return nil, fmt.Errorf("workload: the corpus has %d candidates, fewer than %d", len(candidates), w.Size.Positions)
	}
	v := &valueWork{brain: w.Brain}
	for i := range w.Size.Positions {
		v.add(candidates[i*len(candidates)/w.Size.Positions])
	}
	return v, nil
}

// add adds a position with its value.
func (v *valueWork) add(p board.Position) {
	v.positions, v.values = append(v.positions, p), append(v.values, v.brain.Value(p))
}

func (v *valueWork) answers() []any { return []any{v.values} }

func (v *valueWork) bind(e ur.Engine) (task, error) {
	game, err := e.New(ur.Setup{Light: v.brain, Dark: v.brain})
	if err != nil {
		return task{}, err
	}
	game.Load(v.positions)
	values := make([]int32, len(v.positions))
	return task{
		game: game,
		pass: func() (float64, error) {
			game.Values(values, board.Light)
			return float64(len(values)), nil
		},
		check: func() error {
			game.Values(values, board.Light)
			for i, want := range v.values {
				if values[i] != want {
					return fmt.Errorf("value of %s is %d (want %d)", board.Finkel().FormatPosition(v.positions[i]), values[i], want)
				}
			}
			return nil
		},
	}, nil
}

// turnWork is a set of games played turn by turn, with the outcome of each turn.
type turnWork struct {
	brain      *ur.Brain
	rolls      []uint8  // of all turns, game after game
	lengths    []int    // turns of each game
	plays      []played // outcome of each turn
	candidates int      // legal moves in all turns, together
	whole      *gamesWork
}

// played is the answer of one turn.
type played struct {
	move  board.Move
	moved bool
}

// newTurnWork lets the oracle play the games.
func newTurnWork(w *Workload) (work, error) {
	whole, err := w.games()
	if err != nil {
		return nil, err
	}
	oracle, err := engine.Oracle().New(ur.Setup{Light: w.Brain, Dark: w.Brain})
	if err != nil {
		return nil, err
	}
	t := &turnWork{brain: w.Brain, whole: whole}
	for game := range w.Size.TurnGames {
		first := len(t.rolls)
		replay(playing(oracle), workloadSeed, uint64(game), func(r replayed) {
			t.candidates += len(r.moves)
			t.rolls = append(t.rolls, uint8(r.roll))
			t.plays = append(t.plays, r.played)
		})
		t.lengths = append(t.lengths, len(t.rolls)-first)
	}
	return t, nil
}

func (t *turnWork) answers() []any {
	answers := []any{t.rolls, int64(t.candidates)}
	for _, p := range t.plays {
		answers = append(answers, p.moved, p.move)
	}
	return append(answers, t.whole.answers()...)
}

// bind measures single turns, or whole games for an engine that plays games side by side: one
// turn of one game is not representative of it. A turn without a legal move costs time too, which the
// others pay.
func (t *turnWork) bind(e ur.Engine) (bound task, err error) {
	if lanes(e) > 0 {
		bound, err = t.whole.bind(e)
		games := bound.pass
		bound.pass = func() (float64, error) {
			_, err := games()
			return float64(t.whole.all.Turns), err
		}
		bound.metrics = perCandidate(float64(t.whole.candidates) / float64(t.whole.all.Turns))
		return bound, err
	}
	game, err := e.New(ur.Setup{Light: t.brain, Dark: t.brain})
	return task{
		game:    game,
		pass:    func() (float64, error) { return t.pass(game), nil },
		check:   func() error { return t.check(game) },
		metrics: perCandidate(float64(t.candidates) / float64(len(t.rolls))),
	}, err
}

// pass plays the games. The length of each game is known, so only the engine is timed.
func (t *turnWork) pass(game ur.Game) (turns float64) {
	start := board.StartPosition(board.FinkelPieces)
	rolls := t.rolls
	for _, length := range t.lengths {
		game.Set(start)
		for _, roll := range rolls[:length] {
			game.Play(int(roll))
		}
		rolls = rolls[length:]
	}
	return float64(len(t.rolls))
}

// check compares every turn.
func (t *turnWork) check(game ur.Game) error {
	turn := 0
	for number, length := range t.lengths {
		game.Set(board.StartPosition(board.FinkelPieces))
		for i := range length {
			move, moved := game.Play(int(t.rolls[turn]))
			if want := t.plays[turn]; moved != want.moved || moved && move != want.move {
				return fmt.Errorf("game %d, turn %d: plays %v, %v (want %v, %v)", number, i, move, moved, want.move, want.moved)
			}
			turn++
		}
	}
	return nil
}

// Units of figures beside the time.
const (
	unitCandidate = "ns/candidate"
	unitGames     = "games/s"
)

// perCandidate divides the time of a turn by its legal moves.
func perCandidate(candidates float64) func(float64) []report.Metric {
	return func(perTurn float64) []report.Metric {
		return []report.Metric{{Value: perTurn / candidates, Unit: unitCandidate}}
	}
}

// bind lets an engine play all games side by side, or the first ones. Games are counted in games
// of mean length, so short first games do not flatter the engines that play only those.
func (g *gamesWork) bind(e ur.Engine) (task, error) {
	game, err := e.New(g.setup())
	if err != nil {
		return task{}, err
	}
	want := g.first
	if lanes(e) > 0 {
		want = g.all
	}
	series, units := g.series(int(want.Games)), float64(want.Turns)/g.meanTurns()
	return task{
		game: game,
		pass: func() (float64, error) {
			_, err := game.Games(nil, series)
			return units, err
		},
		check: func() error {
			tally, err := game.Games(nil, series)
			if err == nil && tally != want {
				err = fmt.Errorf("tally %+v (want %+v)", tally, want)
			}
			return err
		},
		metrics: gamesMetrics,
	}, nil
}

// gamesMetrics are the games in a second.
func gamesMetrics(perGame float64) []report.Metric {
	return []report.Metric{{Value: GamesPerSecond(perGame), Unit: unitGames}}
}

// GamesPerSecond is the inverse of a time in us/game.
func GamesPerSecond(perGame float64) float64 { return 1e6 / perGame }
