package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Level is a player of graded strength for people to play against, from 1, a beginner, to
// [MaxLevel], which plays perfectly.
//
// A level errs like a person: rarely where much is lost, often where little is. It draws a move
// with probability proportional to exp(-r/t), where r is the regret of the move in win
// probability and t the temperature of the level. This is the choice model of Luce ("Individual
// choice behavior", 1959), as used in studies of human errors at games. The built-in net values
// the moves, so no table is needed; only the highest level uses one and plays the exact
// solution.
//
// The seed, the numbers of game and turn, and the side determine the draws: the same seed gives
// the same game.
type Level struct {
	Number int               // 1 to MaxLevel
	value  *valuenet.Integer // of the rule set, Finkel's unless it names another
}

// MaxLevel is the highest level.
const MaxLevel = 10

// temperatures of the levels below the highest, in win probability. They were chosen for each
// level to score about equally against the one below, as docs/learning.md shows.
var temperatures = [MaxLevel]float64{1: 0.50, 2: 0.20, 3: 0.115, 4: 0.074, 5: 0.051, 6: 0.036, 7: 0.0245, 8: 0.0145, 9: 0.0065}

var levelKind = Kind{
	Name: "level",
	Patterns: []Pattern{{
		Text: "level:N", Names: levelNames(),
		Help: `graded opponents, from level:1, a beginner, to level:9; level:10 plays perfectly and needs a table like "perfect"`,
	}},
	Parse: parseLevel,
}

// levelNames lists the levels.
func levelNames() (names []string) {
	for n := 1; n <= MaxLevel; n++ {
		names = append(names, "level:"+strconv.Itoa(n))
	}
	return names
}

// parseLevel returns the player of a level for a rule set.
func parseLevel(r *board.Rules, spec, rest string, _ Opener) (Player, error) {
	if !slices.Contains(levelNames(), spec) {
		return nil, fmt.Errorf("player %q: unknown level (want level:1 to level:%d)", spec, MaxLevel)
	}
	n, err := strconv.Atoi(strings.TrimPrefix(rest, ":"))
	if err != nil {
		return nil, err
	}
	if n == MaxLevel {
		return perfectLevel{NewPerfect(spec, r, DefaultTables())}, nil
	}
	return NewLevelFor(r, n)
}

// NewLevelFor returns the player of a level below the highest, which is [NewPerfect], for a rule
// set with a built-in net.
func NewLevelFor(r *board.Rules, n int) (Level, error) {
	if n < 1 || n >= MaxLevel {
		return Level{}, fmt.Errorf("level %d (want 1 to %d)", n, MaxLevel-1)
	}
	_, value, err := valuenet.BuiltinFor(r)
	if err != nil {
		return Level{}, fmt.Errorf("level %d: %w", n, err)
	}
	return Level{n, value}, nil
}

// Plays returns an error unless the level is one of the rule set.
func (p Level) Plays(r *board.Rules) error {
	if err := p.check(); err != nil {
		return err
	}
	if err := p.value.CheckRules(r); err != nil {
		return fmt.Errorf("player %q: %w", p.Name(), err)
	}
	return nil
}

// perfectLevel is the highest level.
type perfectLevel struct{ Perfect }

// Prepare prepares perfect play. The error for a missing table names the levels that need none.
func (p perfectLevel) Prepare(ctx context.Context, pieces int) error {
	err := p.Perfect.Prepare(ctx, pieces)
	if _, ok := errors.AsType[*solve.MissingTableError](err); ok {
		return fmt.Errorf("%w (level:%d needs no table)", err, MaxLevel-1)
	}
	return err
}

// Name returns "level:" and the number.
func (p Level) Name() string { return "level:" + strconv.Itoa(p.Number) }

// identity returns the hash of the net.
func (p Level) identity(context.Context, int) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	n, _, err := valuenet.BuiltinFor(p.value.Rules())
	if err != nil {
		return "", err
	}
	return n.Hash(), nil
}

// Temperature returns the temperature of the level's draws, in win probability; 0 for a level
// not made by [NewLevelFor].
func (p Level) Temperature() float64 {
	if p.check() != nil {
		return 0
	}
	return temperatures[p.Number]
}

// check returns an error unless the level was made by [NewLevelFor].
func (p Level) check() error {
	if p.Number < 1 || p.Number >= MaxLevel || p.value == nil {
		return fmt.Errorf("level %d: not made by NewLevelFor (want 1 to %d)", p.Number, MaxLevel-1)
	}
	return nil
}

// Sit takes a seat on the fastest engine of nets; the engine of brains is ignored.
func (p Level) Sit(ur.Engine) (Seat, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &levelSeat{judge: valuenet.NewJudge(valuenet.Fastest(), p.value), temperature: p.Temperature()}, nil
}

type levelSeat struct {
	judge       *valuenet.Judge
	temperature float64
	win         [board.MaxMoves]float64
}

// Choose draws a move.
func (s *levelSeat) Choose(_ context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	win := s.win[:len(t.Moves)]
	s.judge.Win(win, t.Position, t.Moves)
	word := randomWord(t.Seed, t.Game, uint64(t.Side()), uint64(t.Number), levelDraw)
	return drawMove(win, s.temperature, float64(word>>11)/(1<<53)), nil
}

// levelDraw sets the random numbers of levels apart from those of other players.
const levelDraw = 10

// drawMove returns the move drawn by a random number in [0, 1).
func drawMove(win []float64, temperature, number float64) int {
	best := slices.Max(win)
	var weights [board.MaxMoves]float64
	sum := 0.0
	for i, w := range win {
		weights[i] = samebits.Exp((w - best) / temperature)
		sum += weights[i]
	}
	rest := float64(number * sum)
	for i := range win {
		if rest -= weights[i]; rest < 0 {
			return i
		}
	}
	return slices.Index(win, best) // rounding has left nothing
}
