package bench

import (
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Work of the suite pieces.
const (
	// piecesPositions is how many positions of each number of pieces are evaluated:
	// too many for a branch predictor to learn them by heart, as the pattern of one
	// engine's branches over them has tens of thousands of bits.
	piecesPositions = 1024

	// piecesGames are played to find the positions. A number of pieces with fewer than
	// piecesPositions positions in them is too rare to matter, and left out.
	piecesGames = 600
)

// piecesSuite measures getValue of every engine by the number of pieces on the board, those of
// both players on squares 1 to 14. An engine that walks over pieces takes longer for more of
// them; one that walks over numbers or squares does not. The positions are drawn from the
// candidates of real games, which the classic brain plays on the dice of seed 1, like those of
// the corpus. The samples are many, and short ones suffice.
func piecesSuite() Suite {
	return Suite{
		Name: "pieces", Short: "getValue by the number of pieces on the board",
		Package: "github.com/seed-09dcdc84/ur/bench", BenchTime: 5 * time.Millisecond,
		list: func(of Selection) (Set, error) { return selectPieces(of, piecesGames, piecesPositions) },
	}
}

// selectPieces binds the engines to each group of n positions of some games.
func selectPieces(of Selection, games, n int) (set Set, err error) {
	groups, err := positionsByPieces(games, n)
	if err != nil {
		return set, err
	}
	engines, skipped := of.engines()
	set.Skipped = skipped
	set.Work = []experiment.Configuration{{Key: "positions", Value: fmt.Sprint(n)}}
	for _, e := range withBaseline(engines) {
		for pieces, positions := range groups {
			if positions == nil {
				continue
			}
			c, err := newPiecesCase(e, pieces, positions)
			if err != nil {
				return set, err
			}
			set.Subjects = append(set.Subjects, c)
		}
	}
	if len(set.Subjects) == 0 {
		return set, fmt.Errorf("%d games have fewer than %d positions of every number of pieces", games, n)
	}
	return set, nil
}

// piecesCase is one engine bound to the positions of one number of pieces: an
// [experiment.Subject].
type piecesCase struct {
	engine ur.Engine
	pieces int

	game      ur.Game
	positions []board.Position
	values    []int32
	want      []int32
}

// newPiecesCase binds an engine to positions.
func newPiecesCase(engine ur.Engine, pieces int, positions []board.Position) (*piecesCase, error) {
	brain := workloadBrain()
	game, err := engine.New(ur.Setup{Light: brain, Dark: brain})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", engine.Name(), err)
	}
	game.Load(positions)
	c := &piecesCase{engine, pieces, game, positions, make([]int32, len(positions)), nil}
	for _, p := range positions {
		c.want = append(c.want, brain.Value(p))
	}
	return c, nil
}

func (c *piecesCase) Name() string { return piecesName(c.engine.Name(), c.pieces) }

func piecesName(engine string, pieces int) string {
	return fmt.Sprintf("%s/pieces=%d", BenchmarkName(Value, engine), pieces)
}

func (c *piecesCase) Unit() string { return Value.Unit() }

func (c *piecesCase) Describe(b *experiment.Benchmark) { b.Base = piecesName(Baseline, c.pieces) }

// Check compares the values with the oracle's.
func (c *piecesCase) Check() error {
	c.game.Values(c.values, board.Light)
	if what := differentValue(c.values, c.want, c.positions); what != "" {
		return &MismatchError{Engine: c.engine.Name(), Level: Value, What: what}
	}
	return nil
}

// Pass evaluates all positions.
func (c *piecesCase) Pass() (float64, error) {
	c.game.Values(c.values, board.Light)
	return float64(len(c.values)), nil
}
