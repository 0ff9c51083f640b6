package bench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
	"github.com/seed-09dcdc84/ur/board"
)

// Size says how much work a [Workload] is at each level. One pass over it is the
// least that is timed.
type Size struct {
	// Positions evaluated at the value level, spread evenly over the candidates of
	// the corpus. They must be too many for a branch predictor to learn by heart:
	// with 1024 of them, evaluators that branch ran up to a third faster here than
	// in play. And they must be few enough to stay in the second-level cache.
	Positions int

	// TurnGames are played turn by turn at the turn level.
	TurnGames int

	// Games are played in one call at the game level. They should be many, so that
	// an engine that plays several at once is not measured while it runs out of them.
	Games int
}

// DefaultSize is the size of everything published: 4096 positions take 264 KiB as
// 16-bit numbers, 100 games are about 18,000 turns, and 1000 games take the oracle
// a quarter of a second.
var DefaultSize = Size{Positions: 4096, TurnGames: 100, Games: 1000}

// Workload is fixed work with the oracle's answers: every engine plays the same
// games with the same brain and must come to the same end. It is not changed after
// it was made, and may be shared.
type Workload struct {
	Size       Size
	Brain      *ur.Brain // of both sides
	Turns      int       // of the games at the turn level
	Candidates int       // legal moves in those turns, together
	Tally      ur.Tally  // of the games at the game level
	Signature  string    // of all answers: 16 hexadecimal digits

	positions []board.Position
	values    []int32  // of positions
	rolls     []uint8  // of all turns at the turn level, game after game
	lengths   []int    // turns of each of these games
	plays     []played // what happens in each turn
}

// played is the answer of one turn.
type played struct {
	move  board.Move
	moved bool
}

// NewWorkload lets the oracle do the work once. The seed of the games is that of
// the corpus, 1.
func NewWorkload(size Size) (*Workload, error) {
	if size.Positions < 1 || size.TurnGames < 1 || size.Games < 1 {
		return nil, errors.New("workload: a size must be 1 at least")
	}
	w := &Workload{Size: size, Brain: ur.DefaultBrain()}
	if err := w.addPositions(); err != nil {
		return nil, err
	}
	oracle, err := ur.Oracle().New(w.setup())
	if err != nil {
		return nil, err
	}
	for game := range size.TurnGames {
		w.addGame(oracle, uint64(game))
	}
	w.Turns = len(w.rolls)
	if w.Tally, err = oracle.Games(w.series()); err != nil {
		return nil, err
	}
	if w.Signature, err = w.sign(); err != nil {
		return nil, err
	}
	return w, nil
}

// setup is how every engine is bound.
func (w *Workload) setup() ur.Setup { return ur.Setup{Light: w.Brain, Dark: w.Brain} }

// series is the work at the game level.
func (w *Workload) series() ur.Series { return ur.Series{Seed: corpus.Seed, N: w.Size.Games} }

// addPositions takes the positions of the value level from the corpus. They are
// those that an engine is asked about in play: the candidates of each turn.
func (w *Workload) addPositions() error {
	turns, err := corpus.Parse(corpusText)
	if err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	var candidates []board.Position
	for _, t := range turns {
		for _, m := range t.Position.Moves(nil, t.Roll) {
			candidates = append(candidates, t.Position.Apply(m))
		}
	}
	if w.Size.Positions > len(candidates) {
		return fmt.Errorf("workload: the corpus has %d candidates, fewer than %d", len(candidates), w.Size.Positions)
	}
	for i := range w.Size.Positions {
		p := candidates[i*len(candidates)/w.Size.Positions]
		w.positions = append(w.positions, p)
		w.values = append(w.values, w.Brain.Value(p))
	}
	return nil
}

// addGame plays one game turn by turn, notes what happens, and counts candidates.
func (w *Workload) addGame(oracle ur.Game, number uint64) {
	dice := board.NewDice(corpus.Seed, number)
	p := board.StartPosition(board.MaxPieces)
	oracle.Set(p)
	first := len(w.rolls)
	for _, over := p.Winner(); !over; _, over = p.Winner() {
		roll := dice.Roll()
		move, moved := oracle.Play(roll)
		w.Candidates += len(p.Moves(nil, roll))
		w.rolls = append(w.rolls, uint8(roll))
		w.plays = append(w.plays, played{move, moved})
		if moved {
			p = p.Apply(move)
		} else {
			p = p.Pass()
		}
	}
	w.lengths = append(w.lengths, len(w.rolls)-first)
}

// sign hashes all answers into one number, so that two records can be known to be
// of the same work at a glance.
func (w *Workload) sign() (string, error) {
	h := fnv.New64a()
	answers := []any{w.values, w.rolls, int64(w.Candidates), w.Tally}
	for _, p := range w.plays {
		answers = append(answers, p.moved, p.move)
	}
	for _, answer := range answers {
		if err := binary.Write(h, binary.LittleEndian, answer); err != nil {
			return "", fmt.Errorf("signature: %w", err)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// Description names the work in one line.
func (w *Workload) Description() string {
	return fmt.Sprintf("%d positions, %d games by turns, %d games, of seed %d",
		w.Size.Positions, w.Size.TurnGames, w.Size.Games, corpus.Seed)
}
