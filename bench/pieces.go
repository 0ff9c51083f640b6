package bench

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// DefaultPiecesTime is the time of a sample of [MeasurePieces] when nothing else is
// chosen. There are many samples to take, and none needs the length of a game.
const DefaultPiecesTime = 5 * time.Millisecond

// Work of [MeasurePieces].
const (
	// piecesPositions is how many positions of each number of pieces are evaluated:
	// too many for a branch predictor to learn them by heart, as the pattern of one
	// engine's branches over them has tens of thousands of bits.
	piecesPositions = 1024

	// piecesGames are played to find the positions. A number of pieces that comes up
	// less than piecesPositions times in them is too rare to matter, and left out.
	piecesGames = 600
)

// PiecesOptions say what [MeasurePieces] measures, and how.
type PiecesOptions struct {
	Engines []ur.Engine // each must be able to run here

	// Positions of each number of pieces, and the Games they are taken from; 0 means
	// those of everything published. Tests make do with less.
	Positions, Games int

	experiment.Options // how; Subjects are filled in
}

// Pieces is how the time of getValue depends on the number of pieces on the board,
// those of both players on squares 1 to 14: the JSON object of "ur bench pieces
// --json". An engine that walks over pieces takes longer for more of them; one that
// walks over numbers or squares does not.
type Pieces struct {
	Schema    string       `json:"schema"` // ur.pieces/1
	CPU       string       `json:"cpu"`
	Features  []ur.Feature `json:"features"`
	Go        string       `json:"go"`
	Commit    string       `json:"commit"` // "" when it is not known
	OS        string       `json:"os"`
	Arch      string       `json:"arch"`
	Baseline  string       `json:"baseline"`
	Seed      uint64       `json:"seed"`
	BenchTime string       `json:"benchtime"`
	Positions int          `json:"positions"` // of each number of pieces
	Samples   int          `json:"samples"`
	Seconds   float64      `json:"seconds"` // that the run took

	Interrupted bool `json:"interrupted,omitempty"`

	Rows []PiecesRow `json:"rows"` // by engine, then by number of pieces
}

// PiecesRow is what one engine takes for positions of one number of pieces.
type PiecesRow struct {
	Engine string  `json:"engine"`
	Pieces int     `json:"pieces"` // on the board
	Unit   string  `json:"unit"`   // ns/eval
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"` // ends of the 95 % interval of the median
	Hi     float64 `json:"hi"`
}

// MeasurePieces times getValue of every engine on positions grouped by the number of
// pieces on the board. The positions are drawn from the candidates of real games,
// which are played by the classic brain on the dice of seed 1, like those of the
// corpus. As in [Measure], every engine's values are compared with the oracle's
// first, and each round takes one sample of every case in an order drawn anew.
//
// When ctx ends after some rounds, its error comes with what they say. Other errors are
// those of an engine, or a [*MismatchError].
func MeasurePieces(ctx context.Context, e experiment.Environment, o PiecesOptions) (*Pieces, error) {
	o = o.complete()
	if err := o.Check(); err != nil {
		return nil, err
	}
	cases, err := o.cases()
	if err != nil {
		return nil, err
	}
	run, err := experiment.MeasureAll(ctx, cases, o.Options)
	if run == nil {
		return nil, err
	}
	p := &Pieces{
		Schema: "ur.pieces/1", CPU: e.CPU, Features: e.Features, Go: e.Go, Commit: e.Commit, OS: e.OS, Arch: e.Arch,
		Baseline: Baseline, Seed: o.Seed, BenchTime: o.BenchTime.String(), Positions: o.Positions, Samples: run.Rounds,
		Seconds: stat.Significant(run.Elapsed.Seconds()), Interrupted: run.Interrupted,
	}
	for i, c := range cases {
		time := stat.Estimate(run.Series[i].Times()).Rounded()
		p.Rows = append(p.Rows, PiecesRow{c.engine.Name(), c.pieces, c.Unit(), time.Median, time.Lo, time.Hi})
	}
	return p, err
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o PiecesOptions) Check() error {
	if len(o.Engines) == 0 {
		return config.Fault("options", "Engines", "no engine is chosen")
	}
	return o.Options.Check(true)
}

// complete fills in what was left open.
func (o PiecesOptions) complete() PiecesOptions {
	o.Positions = cmp.Or(o.Positions, piecesPositions)
	o.Games = cmp.Or(o.Games, piecesGames)
	return o
}

// cases binds every engine to every group of positions.
func (o PiecesOptions) cases() ([]*piecesCase, error) {
	groups, err := positionsByPieces(o.Games, o.Positions)
	if err != nil {
		return nil, err
	}
	var cases []*piecesCase
	for _, engine := range o.Engines {
		for pieces, positions := range groups {
			if positions == nil {
				continue
			}
			c, err := newPiecesCase(engine, pieces, positions)
			if err != nil {
				return nil, err
			}
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%d games have no %d positions of any number of pieces", o.Games, o.Positions)
	}
	return cases, nil
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

func (c *piecesCase) Name() string {
	return fmt.Sprintf("%s/pieces=%d", BenchmarkName(Value, c.engine.Name()), c.pieces)
}

func (c *piecesCase) Unit() string { return Value.Unit() }

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
