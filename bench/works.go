package bench

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// valueWork are positions with their values.
type valueWork struct {
	positions []board.Position
	values    []int32
}

// readCorpus returns the positions and rolls of the corpus.
func readCorpus() (positions []board.Position, rolls []uint8, err error) {
	for line := range strings.Lines(corpusText) {
		position, number, _ := strings.Cut(strings.TrimSpace(line), "\t")
		p, err := board.Finkel().ParsePosition(position)
		roll, other := strconv.Atoi(number)
		if err := errors.Join(err, other); err != nil {
			return nil, nil, fmt.Errorf("corpus: %w", err)
		}
		positions, rolls = append(positions, p), append(rolls, uint8(roll))
	}
	return positions, rolls, nil
}

// spread returns n of some elements, evenly.
func spread[T any](all []T, n int) ([]T, error) {
	if n > len(all) {
		return nil, fmt.Errorf("workload: the corpus has %d positions, fewer than %d", len(all), n)
	}
	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some, nil
}

// newValueWork takes the positions from the corpus, spread evenly. They are the positions an
// engine evaluates in play: each turn's candidates.
func newValueWork(w *Workload) (work, error) {
	turns, rolls, err := readCorpus()
	if err != nil {
		return nil, err
	}
	var candidates []board.Position
	for i, p := range turns {
		for _, m := range board.Finkel().Moves(nil, p, int(rolls[i])) {
			candidates = append(candidates, board.Finkel().Apply(p, m))
		}
	}
	positions, err := spread(candidates, w.Size.Positions)
	return valueWorkOf(positions), err
}

func valueWorkOf(positions []board.Position) *valueWork {
	v, brain := &valueWork{positions: positions}, workloadSetup().Light
	for _, p := range positions {
		v.values = append(v.values, brain.Value(p))
	}
	return v
}

func (v *valueWork) answers() []any { return []any{v.values} }

func (v *valueWork) bind(e ur.Engine) (sample.Benchmark, error) {
	game, err := e.New(workloadSetup())
	if err != nil {
		return sample.Benchmark{}, err
	}
	game.Load(v.positions)
	values := make([]int32, len(v.positions))
	return sample.Benchmark{
		Annotate: annotate(e, game),
		Pass: func() (float64, error) {
			game.Values(values, board.Light)
			return float64(len(values)), nil
		},
		Check: func() error {
			game.Values(values, board.Light)
			for i, want := range v.values {
				if values[i] != want {
					return fmt.Errorf("value of %s is %d (want %d)", board.Finkel().FormatPosition(v.positions[i]),
						values[i], want)
				}
			}
			return nil
		},
	}, nil
}

// movesWork are positions and rolls with their number of futures.
type movesWork struct {
	positions []board.Position
	rolls     []uint8
	futures   int
	values    int // positions that a turn evaluates: the futures of turns with a choice
}

// newMovesWork takes turns from the corpus, spread evenly, those without a move among them.
func newMovesWork(w *Workload) (work, error) {
	positions, rolls, err := readCorpus()
	if err != nil {
		return nil, err
	}
	var of movesWork
	if of.positions, err = spread(positions, w.Size.Positions); err != nil {
		return nil, err
	}
	if of.rolls, err = spread(rolls, w.Size.Positions); err != nil {
		return nil, err
	}
	for i, p := range of.positions {
		n := len(board.Finkel().Futures(nil, p, int(of.rolls[i])))
		if of.futures += n; n > 1 {
			of.values += n
		}
	}
	return &of, nil
}

func (m *movesWork) answers() []any { return []any{m.rolls, int64(m.futures)} }

// ErrNoMoves is the error for an engine whose moves are not generated apart from their values.
var ErrNoMoves = errors.New("its moves are not generated apart from their values")

func (m *movesWork) bind(e ur.Engine) (b sample.Benchmark, err error) {
	game, err := e.New(workloadSetup())
	if err != nil {
		return b, err
	}
	generator, ok := game.(ur.MoveGenerator)
	if !ok {
		return b, ErrNoMoves
	}
	generator.Load(m.positions)
	return sample.Benchmark{
		Annotate: annotate(e, game),
		Pass: func() (float64, error) {
			generator.Generate(m.rolls)
			return float64(len(m.rolls)), nil
		},
		Metrics: func(float64) []report.Metric {
			return []report.Metric{{Value: float64(m.values) / float64(len(m.rolls)), Unit: unitValues}}
		},
		Check: func() error {
			if n := generator.Generate(m.rolls); n != m.futures {
				return fmt.Errorf("%d futures (want %d)", n, m.futures)
			}
			return nil
		},
	}, nil
}

// turnWork is a set of games played turn by turn, with each turn's outcome.
type turnWork struct {
	rolls      []uint8  // rolls in all turns, game after game
	lengths    []int    // turns of each game
	plays      []played // outcome of each turn
	candidates int      // legal moves in all turns, together
	whole      *gamesWork
}

// newTurnWork lets the oracle play the games.
func newTurnWork(w *Workload) (work, error) {
	whole, err := w.games()
	if err != nil {
		return nil, err
	}
	oracle, err := engine.Oracle().New(workloadSetup())
	if err != nil {
		return nil, err
	}
	t := &turnWork{whole: whole}
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
// turn in one game is not representative for it. A turn without a legal move costs time too, which the
// others pay.
func (t *turnWork) bind(e ur.Engine) (b sample.Benchmark, err error) {
	if lanes(e) > 0 {
		b, err = t.whole.bind(e)
		games := b.Pass
		b.Pass = func() (float64, error) {
			_, err := games()
			return float64(t.whole.all.Turns), err
		}
		b.Metrics = perCandidate(float64(t.whole.candidates) / float64(t.whole.all.Turns))
		return b, err
	}
	game, err := e.New(workloadSetup())
	return sample.Benchmark{
		Annotate: annotate(e, game),
		Pass:     func() (float64, error) { return t.pass(game), nil },
		Check:    func() error { return t.check(game) },
		Metrics:  perCandidate(float64(t.candidates) / float64(len(t.rolls))),
	}, err
}

// pass plays the games. Each game's length is known, so only the engine is timed.
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
				return fmt.Errorf("game %d, turn %d: plays %v, %v (want %v, %v)", number, i, move, moved,
					want.move, want.moved)
			}
			turn++
		}
	}
	return nil
}

// replayName names the engine that plays the games too slow for the oracle. It is plain Go and
// runs everywhere.
const replayName = "bits/incremental"

// gamesWork are whole games by a brain against itself, with their results.
//
// The oracle plays the first games, and the engine in replayName all, turn by turn.
// NewWorkload fails where the two disagree. A test lets the oracle play all games in
// [DefaultSize] once.
type gamesWork struct {
	all, first ur.Tally // tallies over Size.Games and over Size.FirstGames
	candidates int64    // legal moves in all games, together
}

// newGames plays a size's games.
func newGames(size Size) (*gamesWork, error) {
	g := &gamesWork{}
	oracle, err := engine.Oracle().New(workloadSetup())
	if err != nil {
		return nil, err
	}
	if g.first, err = oracle.Games(nil, firstGames(size.FirstGames)); err != nil {
		return nil, err
	}
	game, err := replayGame(workloadSetup())
	if err != nil {
		return nil, err
	}
	for number := range size.Games {
		g.all.Add(g.replay(game, uint64(number)))
		if number+1 == size.FirstGames && g.all != g.first {
			return nil, fmt.Errorf("%s: tally %+v (want %+v)", replayName, g.all, g.first)
		}
	}
	return g, nil
}

// firstGames are the first n games for the seed.
func firstGames(n int) ur.Series { return ur.Series{Seed: workloadSeed, N: n} }

// replay plays one game, counts its candidates and returns its tally.
func (g *gamesWork) replay(choose chooser, number uint64) ur.Tally {
	tally := ur.Tally{Games: 1}
	winner := replay(choose, workloadSeed, number, func(t replayed) {
		g.candidates += int64(len(t.moves))
		tally.Turns++
		switch {
		case !t.moved:
			tally.Passes++
			return
		case t.move.Capture:
			tally.Captures++
		}
		tally.Moves++
		if board.IsRosette(int(t.move.To)) {
			tally.Rosettes++
		}
	})
	tally.Wins[winner]++
	return tally
}

// meanTurns is the mean length over all games.
func (g *gamesWork) meanTurns() float64 { return float64(g.all.Turns) / float64(g.all.Games) }

// answers are the answers that a workload's signature covers. Those in the first games are
// among them.
func (g *gamesWork) answers() []any {
	t := g.all
	return []any{[]int64{t.Games, t.Wins[board.Light], t.Wins[board.Dark], t.Turns, t.Moves, t.Captures, t.Rosettes,
		t.Passes, g.candidates}}
}

// bind lets an engine play all games side by side, or the first ones. Games are counted in games
// with mean length, so short first games do not flatter the engines that play only those.
func (g *gamesWork) bind(e ur.Engine) (sample.Benchmark, error) {
	game, err := e.New(workloadSetup())
	if err != nil {
		return sample.Benchmark{}, err
	}
	want := g.first
	if lanes(e) > 0 {
		want = g.all
	}
	series, units := firstGames(int(want.Games)), float64(want.Turns)/g.meanTurns()
	return sample.Benchmark{
		Annotate: annotate(e, game),
		Pass: func() (float64, error) {
			_, err := game.Games(nil, series)
			return units, err
		},
		Check: func() error {
			tally, err := game.Games(nil, series)
			if err == nil && tally != want {
				err = fmt.Errorf("tally %+v (want %+v)", tally, want)
			}
			return err
		},
		Metrics: gamesMetrics,
	}, nil
}

// played is one turn's answer.
type played struct {
	move  board.Move
	moved bool
}

// replayGame returns the choices made by the engine that plays many games.
func replayGame(of ur.Setup) (chooser, error) {
	fast, err := engine.Lookup(replayName)
	if err != nil {
		return nil, err
	}
	game, err := fast.New(of)
	return playing(game), err
}

// replayed is one replayed turn in a game.
type replayed struct {
	played
	position board.Position
	roll     int
	moves    []board.Move // legal ones, valid during the call
}

// chooser chooses one of a turn's legal moves, if there are any. The turns belong to games, one
// after the other.
type chooser func(replayed) (move board.Move, moved bool)

// playing lets an engine choose.
func playing(game ur.Game) chooser {
	return func(t replayed) (board.Move, bool) {
		if start := board.StartPosition(board.FinkelPieces); t.position == start {
			game.Set(start)
		}
		return game.Play(t.roll)
	}
}

// replay plays one game for a seed turn by turn, reports every turn, and returns the winner.
func replay(choose chooser, seed, number uint64, turn func(replayed)) board.Side {
	var moves [board.FinkelPieces]board.Move
	dice := board.Finkel().Dice(seed, number)
	p := board.StartPosition(board.FinkelPieces)
	for {
		if winner, over := p.Winner(); over {
			return winner
		}
		t := replayed{position: p, roll: dice.Roll()}
		t.moves = board.Finkel().Moves(moves[:0], p, t.roll)
		t.move, t.moved = choose(t)
		turn(t)
		if t.moved {
			p = board.Finkel().Apply(p, t.move)
		} else {
			p = p.Pass()
		}
	}
}
