// Package ur is a performance lab for the Royal Game of Ur: one position evaluator, implemented
// many times over, all implementations bit-for-bit identical.
//
// # The value
//
// A [Brain] is a lower triangular 33 x 33 matrix B with 16-bit integers. With x the 33-number
// board from package board,
//
//	V(x) = sum over i >= j of B[i][j] * x[i] * x[j]
//
// is a position's value to Light. Light moves to the future with the highest V, Dark to the one
// with the lowest; ties go to the first future, ordered by the moving piece's square. A game
// takes about 500 values and learning a brain takes millions of games, so this one computation
// limits how much can be learned.
//
// # Engines
//
// An [Engine] is one way to hold a game and to choose moves by a brain: a board representation,
// its move generator and its evaluator. All engines share one interface and are named
// board/eval, for example "array16/scalar", the oracle. An engine binds a pair of brains into a
// [Game], which answers at the three measured levels: values for many positions, one turn, and
// whole games on the shared dice.
//
// This package holds getValue on array boards, from the definition to vectors, and [TurnByTurn],
// which turns any evaluator into an engine. Package engine lists these and all others, finds
// them by name, picks the fastest one for this CPU, and compares each with the oracle bit for
// bit.
//
// # CPU features
//
// Scalar and vector engines live side by side in one binary. [Available] reports whether this
// CPU has all instructions for an engine. The environment variable UR_DISABLE=avx512,avx2 masks
// feature tiers, UR_REQUIRE=avx512 makes tests fail where a tier is missing, and the build
// tag purego leaves assembly out.
package ur

import (
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Engine is one way to hold a game and to choose moves by a brain. Engines are
// stateless and safe for concurrent use; the games they make are not.
type Engine interface {
	// Name is "board/eval": the board representation and the evaluator.
	Name() string

	// Needs lists exactly the CPU features that the engine's instructions use,
	// beyond the architecture's baseline. See [Available].
	Needs() []Feature

	// New binds a pair of brains: it builds the engine's tables and accumulators, and keeps no
	// reference to the brains. Call it only where Available returns nil.
	New(Setup) (Game, error)
}

// Batch is an [Engine] whose Games plays several games side by side. A single turn in one game
// is not representative of it, so its turns are measured in whole games.
type Batch interface {
	Engine

	// Lanes is how many games are played at once.
	Lanes() int
}

// Game is an engine bound to a pair of brains. It answers at the three measured levels. The
// interface is crossed once for a batch, a turn or a series, never inside a hot loop. Nothing
// allocates after a method's first call with arguments of the same size. A Game is not
// safe for concurrent use.
type Game interface {
	// Load converts positions to the engine's own representation and holds them.
	// It is the set-up for Values, outside any timing.
	Load(positions []board.Position)

	// Values writes getValue for the first len(dst) loaded positions, by the given
	// side's brain. len(dst) is at most the number loaded.
	Values(dst []int32, by board.Side)

	// Set puts the game at a position.
	Set(board.Position)

	// Futures appends to dst every position reachable by a roll from 0 to 4, with its value by the
	// moving side's brain, in the same order as getFutureGames. A finished game has no
	// futures.
	Futures(dst []Future, roll int) []Future

	// Play chooses by the moving side's brain and moves. It reports false
	// when there was no legal move and the turn passed, or the game was over.
	Play(roll int) (move board.Move, moved bool)

	// Games plays whole games on the shared dice and counts the events. If winners is not nil,
	// it must have length N or more, or Games panics; Games sets winners[i], for i = 0..N-1, to
	// the side that won game i in the series, and writes nothing beyond. The error is a
	// [*TurnLimitError]; winners and the tally are then undefined.
	Games(winners []board.Side, s Series) (Tally, error)

	// Bytes is the memory the game holds for its brains: tables, accumulators and boards,
	// without the positions from Load.
	Bytes() int
}

// MoveGenerator is a [Game] that can generate moves apart from their values.
type MoveGenerator interface {
	Game

	// Generate generates the futures of the first len(rolls) loaded positions, each by its roll, and
	// returns how many there are. No position may be that of a finished game.
	Generate(rolls []uint8) int
}

// Setup holds the brains and limits for a [Game].
type Setup struct {
	Light, Dark *Brain // may be the same

	// Each player's pieces in Games, 1 to 7; 0 means 7. Positions given to Set
	// and Load bring their own number.
	Pieces int

	// TurnLimit is the number of turns after which Games gives up on a game with an error; 0
	// means [DefaultTurnLimit]. Some brains never let a game end.
	TurnLimit int
}

// DefaultTurnLimit is the turn limit in a [Setup] without one: thousands of times as long as
// a game between sensible players.
const DefaultTurnLimit = 1_000_000

// Complete returns s with its defaults filled in, or an error that names the invalid field.
// Engines call it first in New.
func (s Setup) Complete() (Setup, error) {
	if s.Light == nil || s.Dark == nil {
		return s, errors.New("setup: missing brain (want Light and Dark)")
	}
	if s.Pieces == 0 {
		s.Pieces = board.FinkelPieces
	}
	if err := board.CheckPieces(s.Pieces); err != nil {
		return s, fmt.Errorf("setup: %w", err)
	}
	if s.TurnLimit == 0 {
		s.TurnLimit = DefaultTurnLimit
	}
	if s.TurnLimit < 1 || s.TurnLimit > DefaultTurnLimit {
		return s, fmt.Errorf("setup: turn limit must be 1 to %d, got %d", DefaultTurnLimit, s.TurnLimit)
	}
	return s, nil
}

// Brain returns a side's brain.
func (s Setup) Brain(side board.Side) *Brain {
	if side == board.Light {
		return s.Light
	}
	return s.Dark
}

// Series names games on the shared dice: numbers First, First+Step, First+2*Step,
// ... on Seed, N in all.
type Series struct {
	Seed  uint64
	First uint64
	Step  uint64 // 0 means 1
	N     int
}

// Stride returns the distance between two games' numbers: Step, or 1 if Step is 0.
func (s Series) Stride() uint64 { return max(1, s.Step) }

// Number returns game i's number in the series. Numbers are modulo 2^64, as the
// dice take them.
func (s Series) Number(i int) uint64 { return s.First + uint64(i)*s.Stride() }

// Winners returns the part of winners set by a series in Games, or nil for nil. It panics if
// winners is too short, before any game is played.
func (s Series) Winners(winners []board.Side) []board.Side {
	if winners == nil {
		return nil
	}
	if len(winners) < s.N {
		panic(fmt.Sprintf("ur: room for %d winners in a series of %d games", len(winners), s.N))
	}
	return winners[:s.N]
}

// Part returns the series with n games that starts i games into s.
func (s Series) Part(i, n int) Series {
	s.First = s.Number(i)
	s.N = n
	return s
}

// Future is one position reachable by a roll.
type Future struct {
	Position board.Position
	Value    int32      // value by the moving side's brain
	Move     board.Move // not set when Pass is true
	Pass     bool       // no legal move: the turn passes
}

// Choose returns the index of side's future of choice: the highest value for Light, the
// lowest for Dark, the first on a tie. futures must not be empty.
func Choose(futures []Future, side board.Side) int {
	best := 0
	for i, f := range futures {
		if side == board.Light && f.Value > futures[best].Value ||
			side == board.Dark && f.Value < futures[best].Value {
			best = i
		}
	}
	return best
}

// TurnLimitError reports a game beyond its [Setup]'s turn limit.
type TurnLimitError struct {
	Seed, Game uint64
	Limit      int
}

func (e *TurnLimitError) Error() string {
	return fmt.Sprintf("game %d of seed %d is not over after %d turns: these brains may never end it", e.Game, e.Seed, e.Limit)
}

// Tally counts events in a series of games. It depends only on the games, the brains and
// the number of pieces, not on the engine.
type Tally struct {
	Games    int64    `json:"games"`
	Wins     [2]int64 `json:"wins"`     // wins by side: Light, Dark
	Turns    int64    `json:"turns"`    // throws of the dice, passes among them
	Moves    int64    `json:"moves"`    // turns in which a piece moved
	Captures int64    `json:"captures"` // moves that captured
	Rosettes int64    `json:"rosettes"` // moves that ended on a rosette
	Passes   int64    `json:"passes"`   // turns without a legal move, a roll of 0 among them
}

// Add adds u's counts, so a series can be played in parts.
func (t *Tally) Add(u Tally) {
	t.Games += u.Games
	t.Wins[board.Light] += u.Wins[board.Light]
	t.Wins[board.Dark] += u.Wins[board.Dark]
	t.Turns += u.Turns
	t.Moves += u.Moves
	t.Captures += u.Captures
	t.Rosettes += u.Rosettes
	t.Passes += u.Passes
}

// AddMove counts a turn's move. Games, wins, turns and passes are the engine's to count.
func (t *Tally) AddMove(m board.Move) {
	t.Moves++
	if m.Capture {
		t.Captures++
	}
	if board.IsRosette(int(m.To)) {
		t.Rosettes++
	}
}

// Feature is a CPU feature that an engine may need, by its usual name.
type Feature = cpu.Feature

// Features used by this module's engines. An engine names all features for its instructions
// and register widths: AVX-512 on YMM registers is AVX512VL.
const (
	AVX2       = cpu.AVX2
	AVX512F    = cpu.AVX512F
	AVX512BW   = cpu.AVX512BW
	AVX512DQ   = cpu.AVX512DQ
	AVX512VNNI = cpu.AVX512VNNI
	POPCNT     = cpu.POPCNT
	BMI1       = cpu.BMI1
	BMI2       = cpu.BMI2
	NEON       = cpu.NEON
)

// Available returns nil if this CPU has every feature in e.Needs and UR_DISABLE masks
// none. Otherwise it returns an error with the missing feature. It reads the environment at
// every call, so a test can mask a tier.
func Available(e Engine) error { return cpu.Available(e.Name(), e.Needs()) }
