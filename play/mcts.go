package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/search"
)

// treePlayer chooses by Monte Carlo tree search: see [search.UCT]. Every
// search begins with an empty tree, and its random numbers depend on the game and the turn.
type treePlayer struct {
	lookahead
	limits search.UCTLimits
	c      float64 // constant of the confidence bounds; 0 for the textbook's
}

const mctsName = "mcts"

// mctsKind returns the kind for players that search by random games. It is no variable, because a
// leaf is a player of any kind.
func mctsKind() Kind {
	patterns := []Pattern{{
		Text: mctsName + ":games=N", Names: []string{mctsName + ":games=1000"},
		Help: "Monte Carlo tree search (UCT) by N games of random moves a move. More keys, separated by commas: " +
			"time=DURATION; leaf=PLAYER values positions instead of random games (" + leafNames +
			"); c=NUMBER, the constant of exploration (the default is the square root of 2)",
	}, {Text: mctsName + ":games=100,leaf=net:FILE", Help: "the same with the values of a net that \"ur train\" wrote"}}
	return Kind{Name: mctsName, Patterns: patterns, Title: mctsTitle, Files: searchFiles, Parse: parseMCTS}
}

// mctsTitle describes the player by its games.
func mctsTitle(spec string) string {
	if games, ok := strings.CutPrefix(spec, mctsName+":games="); ok && !strings.Contains(games, ",") {
		return fmt.Sprintf("Plays %s random games a move: steady", games)
	}
	return spec
}

// mctsWant describes the spec.
const mctsWant = "want mcts:games=N or mcts:time=DURATION, then, after commas, leaf= or c="

// maxMCTSGames bounds the games of a move.
const maxMCTSGames = 1_000_000_000

// parseMCTS reads "mcts:games=1000,leaf=brain" and the like for a rule set.
func parseMCTS(in ParseContext, spec, rest string) (Player, error) {
	m := treePlayer{lookahead: lookahead{spec: spec, rules: in.Rules}}
	err := match.ParseOptions(spec, rest, mctsWant, func(key, value string) (err error) {
		switch key {
		case "games":
			m.limits.Games, err = number(value, 1, maxMCTSGames)
		case "time":
			m.limits.Time, err = duration(value)
		case "c":
			if m.c, err = strconv.ParseFloat(value, 64); err != nil || !(m.c > 0) || math.IsInf(m.c, 0) {
				err = fmt.Errorf("is %q (want a number above 0)", value)
			}
		case "leaf":
			m.leaf, err = parseLeaf(m.rules, value, in.Open)
		default:
			err = match.ErrSpec
		}
		return err
	})
	if err == nil && m.limits == (search.UCTLimits{}) {
		err = fmt.Errorf("player %q: no limit (%s)", spec, mctsWant)
	}
	return m.newPlayer(), err
}

// newPlayer returns the player that searches.
func (m treePlayer) newPlayer() Player {
	return m.player(nil, func(ur.Engine) (Instance, error) { return &treeInstance{player: m}, nil })
}

// treeInstance has a tree for each number of pieces.
type treeInstance struct {
	player treePlayer
	trees  [board.MaxPieces + 1]*search.UCT[board.Position, *searchGame]
}

// search searches a position before its roll, [search.NoRoll], or after.
func (s *treeInstance) search(ctx context.Context, p board.Position, roll int, seed uint64) (r search.UCTResult, err error) {
	t := s.trees[p.Pieces()]
	if t == nil {
		if t, err = s.player.newTree(ctx, p.Pieces()); err != nil {
			return r, err
		}
		s.trees[p.Pieces()] = t
	}
	index, err := t.Game().rollIndex(roll)
	if err == nil {
		r, err = t.Search(ctx, p, index, seed, s.player.limits)
	}
	if r.ID == passID {
		r.Best = -1
	}
	return r, errors.Join(err, ctx.Err(), t.Game().damage())
}

// newTree returns a tree for games with a number of pieces.
func (m treePlayer) newTree(ctx context.Context, pieces int) (*search.UCT[board.Position, *searchGame], error) {
	g, err := m.game(ctx, pieces)
	if err != nil {
		return nil, err
	}
	o := search.UCTOptions[board.Position]{C: m.c}
	if g.leaf != nil {
		o.Leaf = g.chance
	}
	return search.NewDiceUCT(g, o)
}

// chance returns the winning probability of the side to move, by the leaf.
func (g *searchGame) chance(p *board.Position) float64 { return winOf(g.Value(p)) }

// RandomMove implements [search.RandomMover].
func (g *searchGame) RandomMove(p *board.Position, roll int, random uint64) (again, over bool, v search.Value) {
	if v, over = result(p); over {
		return false, true, v
	}
	me := p.Turn()
	*p = g.rules.RandomFuture(*p, g.rolls[roll], random)
	return p.Turn() == me, false, 0
}

// mctsDraw sets the random numbers of searches apart from the numbers of other players.
const mctsDraw = 11

// Choose searches. A time limit makes choices depend on the machine.
func (s *treeInstance) Choose(ctx context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	r, err := s.search(ctx, t.Position, t.Roll,
		randomWord(t.Seed, t.Game, uint64(t.Side()), uint64(t.Number), mctsDraw))
	return max(0, r.Best), err
}

// By returns "search".
func (s *treeInstance) By() string { return "search" }

// Evaluate searches with random numbers that depend on the position. A move without games has the value 0.
func (s *treeInstance) Evaluate(ctx context.Context, p board.Position, roll int) (e Evaluation, err error) {
	r, err := s.search(ctx, p, roll, keyOf(&p).Index)
	e = Evaluation{Win: r.Win, Best: r.Best}
	for _, m := range r.Moves {
		e.Moves = append(e.Moves, m.Win)
	}
	return e, err
}
