package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
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

// PiecesOptions say what [MeasurePieces] measures, how often and for how long.
type PiecesOptions struct {
	Engines   []ur.Engine   // each must be able to run here
	Count     int           // samples of each engine at each number of pieces
	BenchTime time.Duration // that a sample should take
	Seed      uint64        // of the order of measuring
	Pin       *Pin          // core to measure on; nil for none

	// Positions of each number of pieces, and the Games they are taken from; 0 means
	// those of everything published. Tests make do with less.
	Positions, Games int

	// Progress is called after every sample with the number taken so far and the
	// number that there will be; nil for none.
	Progress func(done, total int)

	// Clock times passes over the values of a case; nil means the real clock.
	Clock func(c *PiecesCase, passes int) (time.Duration, error)
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
	Rows      []PiecesRow  `json:"rows"`    // by engine, then by number of pieces
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

// PiecesCase is one engine bound to the positions of one number of pieces.
type PiecesCase struct {
	Engine ur.Engine
	Pieces int

	game   ur.Game
	values []int32
	passes int
	times  []float64 // ns/eval of each sample
}

// MeasurePieces times getValue of every engine on positions grouped by the number of
// pieces on the board. The positions are drawn from the candidates of real games,
// which are played by the classic brain on the dice of seed 1, like those of the
// corpus. As in [Measure], every engine's values are compared with the oracle's
// first, and each round takes one sample of every case in an order drawn anew.
//
// Its error is that of ctx or of an engine, or a [*MismatchError].
func MeasurePieces(ctx context.Context, e Environment, o PiecesOptions) (*Pieces, error) {
	o = o.complete()
	if err := o.Check(); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, unpin, err := o.Pin.pinned()
	if err != nil {
		return nil, err
	}
	defer unpin()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a sample must not contain a collection
	start := time.Now()
	cases, err := o.cases(ctx)
	if err != nil {
		return nil, err
	}
	if err := o.rounds(ctx, cases); err != nil {
		return nil, err
	}
	p := &Pieces{
		Schema:    "ur.pieces/1",
		CPU:       e.CPU,
		Features:  e.Features,
		Go:        e.Go,
		Commit:    e.Commit,
		OS:        e.OS,
		Arch:      e.Arch,
		Baseline:  Baseline,
		Seed:      o.Seed,
		BenchTime: o.BenchTime.String(),
		Positions: o.Positions,
		Samples:   o.Count,
		Seconds:   stat.Significant(time.Since(start).Seconds()),
	}
	for _, c := range cases {
		time := stat.Estimate(c.times)
		p.Rows = append(p.Rows, PiecesRow{c.Engine.Name(), c.Pieces, Value.Unit(),
			stat.Significant(time.Median), stat.Significant(time.Lo), stat.Significant(time.Hi)})
	}
	return p, nil
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o PiecesOptions) Check() error {
	switch {
	case o.Count < stat.MinCount:
		return fmt.Errorf("count is %d: an interval needs at least %d samples, and 10 to be of use", o.Count, stat.MinCount)
	case o.BenchTime <= 0:
		return fmt.Errorf("time of a sample is %v: it must be positive", o.BenchTime)
	case len(o.Engines) == 0:
		return fmt.Errorf("no engine is chosen")
	}
	return nil
}

// complete fills in what was left open.
func (o PiecesOptions) complete() PiecesOptions {
	if o.Positions == 0 {
		o.Positions = piecesPositions
	}
	if o.Games == 0 {
		o.Games = piecesGames
	}
	if o.Clock == nil {
		o.Clock = (*PiecesCase).time
	}
	return o
}

// cases binds every engine to every group of positions, checks its values and
// calibrates how many passes make a sample.
func (o PiecesOptions) cases(ctx context.Context) ([]*PiecesCase, error) {
	groups, err := positionsByPieces(o.Games, o.Positions)
	if err != nil {
		return nil, err
	}
	var cases []*PiecesCase
	for _, engine := range o.Engines {
		for pieces, positions := range groups {
			if positions == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c, err := newPiecesCase(engine, pieces, positions)
			if err != nil {
				return nil, err
			}
			c.passes, err = calibrate(o.BenchTime, func(passes int) (time.Duration, error) { return o.Clock(c, passes) })
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

// newPiecesCase binds an engine to positions and compares its values with the
// oracle's.
func newPiecesCase(engine ur.Engine, pieces int, positions []board.Position) (*PiecesCase, error) {
	brain := workloadBrain()
	game, err := engine.New(ur.Setup{Light: brain, Dark: brain})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", engine.Name(), err)
	}
	c := &PiecesCase{Engine: engine, Pieces: pieces, game: game, values: make([]int32, len(positions))}
	game.Load(positions)
	game.Values(c.values, board.Light)
	for i, p := range positions {
		if want := brain.Value(p); c.values[i] != want {
			what := fmt.Sprintf("value of %s is %d, want %d", p, c.values[i], want)
			return nil, &MismatchError{Engine: engine.Name(), Level: Value, What: what}
		}
	}
	return c, nil
}

// time evaluates all positions so many times.
func (c *PiecesCase) time(passes int) (time.Duration, error) {
	clock := DefaultClock()
	start := clock.now()
	for range passes {
		c.game.Values(c.values, board.Light)
	}
	return clock.now() - start, nil
}

// rounds takes the samples.
func (o PiecesOptions) rounds(ctx context.Context, cases []*PiecesCase) error {
	order := rand.New(rand.NewPCG(o.Seed, 0))
	done := 0
	for range o.Count {
		runtime.GC()
		for _, i := range order.Perm(len(cases)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := cases[i]
			elapsed, err := o.Clock(c, c.passes)
			if err != nil {
				return err
			}
			c.times = append(c.times, float64(max(elapsed, 1).Nanoseconds())/float64(c.passes*len(c.values)))
			if done++; o.Progress != nil {
				o.Progress(done, o.Count*len(cases))
			}
		}
	}
	return nil
}
