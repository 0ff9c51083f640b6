package play

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// levelPlayer returns a player with graded strength for people to play against, from 1, a beginner, to one below
// [MaxLevel], which is [Perfect].
//
// A level errs like a person: rarely where much is lost, often where little is. It draws a move
// with probability proportional to exp(-r/t), where r is the move's regret in win
// probability and t the level's temperature. This is the choice model by Luce ("Individual
// choice behavior", 1959), as used in studies of human errors at games. The built-in net values
// the moves, so no table is needed; only the highest level uses one and plays the exact
// solution.
//
// The seed, the game's and the turn's number, and the side determine the draws: the same seed gives
// the same game.
func levelPlayer(n Net, temperature float64) Player {
	p := n.Player()
	p.Source = nil
	p.New = func(ur.Engine) (Instance, error) {
		return &levelInstance{judge: valuenet.NewJudge(valuenet.Fastest(), n.Value), temperature: temperature}, nil
	}
	return p
}

// MaxLevel is the highest level, and topLevel its spec.
const (
	MaxLevel = 10
	topLevel = "level:10"
)

// temperatures for the levels below the highest, in win probability. They were chosen for each
// level to score about equally against the one below, as docs/learning.md shows.
var temperatures = [MaxLevel]float64{1: 0.50, 2: 0.20, 3: 0.115, 4: 0.074, 5: 0.051, 6: 0.036, 7: 0.0245,
	8: 0.0145, 9: 0.0065}

// Temperature returns a level's temperature below the highest, in win probability.
func Temperature(level int) float64 { return temperatures[level] }

// FirstOpponent is the opponent of a first game, at the terminal and on the page: a casual player.
const FirstOpponent = "level:4"

var levelKind = Kind{
	Name: "level",
	Patterns: []Pattern{{
		Text: "level:N", Names: levelNames(),
		Help: `graded opponents, from level:1, a beginner, to level:9; level:10 plays perfectly and needs a table like "perfect"`,
	}},
	Title: func(spec string) string {
		if n := slices.Index(levelNames(), spec); n >= 0 {
			return fmt.Sprintf("Level %d, %s", n+1, strengths[n])
		}
		return spec
	},
	Parse: parseLevel,
}

// strengths describe the levels.
var strengths = [MaxLevel]string{"a beginner", "a novice", "learning", "casual", "steady", "good",
	"strong", "very strong", "an expert", "perfect play"}

// levelNames lists the levels.
func levelNames() (names []string) {
	for n := 1; n <= MaxLevel; n++ {
		names = append(names, "level:"+strconv.Itoa(n))
	}
	return names
}

// parseLevel returns a level's player for a rule set.
func parseLevel(in ParseContext, spec, _ string) (Player, error) {
	n := 1 + slices.Index(levelNames(), spec)
	switch n {
	case 0:
		return Player{}, fmt.Errorf("player %q: unknown level (want level:1 to level:%d)", spec, MaxLevel)
	case MaxLevel:
		return NewPerfect(spec, in.Rules, DefaultTables().Table), nil
	}
	net, err := openNet(in.Rules, spec, "")
	if err != nil {
		return Player{}, err
	}
	return levelPlayer(net, temperatures[n]), nil
}

type levelInstance struct {
	judge       *valuenet.Judge
	temperature float64
	win         [board.MaxMoves]float64
}

// Choose draws a move.
func (s *levelInstance) Choose(_ context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	win := s.win[:len(t.Moves)]
	s.judge.Win(win, t.Position, t.Moves)
	word := randomWord(t.Seed, t.Game, uint64(t.Side()), uint64(t.Number), levelDraw)
	return drawMove(win, s.temperature, float64(word>>11)/(1<<53)), nil
}

// levelDraw sets the levels' random numbers apart from other players'.
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
