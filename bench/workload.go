package bench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
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

	// Games are played in one call by an engine that plays several side by side,
	// also at the turn level. They must be so many that it matters little how the
	// lanes run empty at the end.
	Games int

	// FirstGames of the Games are played in one call by every other engine: a slow
	// one could not play them all in the time of a sample. Games differ in length,
	// and what is reported is the time of one of the mean length of all Games.
	FirstGames int
}

// DefaultSize is the size of everything published: 4096 positions take 264 KiB as
// 16-bit numbers, 100 games are about 18,000 turns, 10,000 games leave each of 64
// lanes 156 to play, and 250 take the oracle less than a tenth of a second.
var DefaultSize = Size{Positions: 4096, TurnGames: 100, Games: 10_000, FirstGames: 250}

// check says what is wrong with a size.
func (s Size) check() error {
	switch {
	case s.Positions < 1 || s.TurnGames < 1 || s.Games < 1 || s.FirstGames < 1:
		return errors.New("workload: a size must be 1 at least")
	case s.FirstGames > s.Games:
		return fmt.Errorf("workload: of %d games, the first %d cannot be played", s.Games, s.FirstGames)
	}
	return nil
}

// workloadBrain is the brain that everything is measured with: the one set by hand, so
// that figures stay comparable when the built-in brain is a better one, whose games
// are longer or shorter.
func workloadBrain() *ur.Brain { return ur.ClassicBrain() }

// workloadPlayer is the name of the player who has the brain of the work.
const workloadPlayer = "brain:classic"

// Workload is fixed work with the right answers: every engine plays the same games
// with the same brains and must come to the same end. It is not changed after it
// was made, and may be shared.
type Workload struct {
	Size       Size
	Brain      *ur.Brain // of both sides, but of Light alone at the match level
	Other      *ur.Brain // of Dark at the match level
	Turns      int       // of the games at the turn level
	Candidates int       // legal moves in those turns, together
	Signature  string    // of all answers: 16 hexadecimal digits

	positions []board.Position
	values    []int32  // of positions
	rolls     []uint8  // of all turns at the turn level, game after game
	lengths   []int    // turns of each of these games
	plays     []played // what happens in each turn
	games     series   // of the game level
	match     series   // of the match level
}

// played is the answer of one turn.
type played struct {
	move  board.Move
	moved bool
}

// NewWorkload does the work once: the oracle does it, but for the games behind the
// first ones, as described at series. The seed of the games is that of the corpus,
// 1.
func NewWorkload(size Size) (*Workload, error) {
	if err := size.check(); err != nil {
		return nil, err
	}
	w := &Workload{Size: size, Brain: workloadBrain()}
	w.Other = variation(w.Brain, corpus.Seed)
	if err := w.addPositions(); err != nil {
		return nil, err
	}
	oracle, err := engine.Oracle().New(ur.Setup{Light: w.Brain, Dark: w.Brain})
	if err != nil {
		return nil, err
	}
	for game := range size.TurnGames {
		w.addGame(oracle, uint64(game))
	}
	w.Turns = len(w.rolls)
	if w.games, err = newSeries(size, w.Brain, w.Brain); err != nil {
		return nil, err
	}
	if w.match, err = newSeries(size, w.Brain, w.Other); err != nil {
		return nil, err
	}
	if w.Signature, err = w.sign(); err != nil {
		return nil, err
	}
	return w, nil
}

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
	first := len(w.rolls)
	replay(oracle, number, func(t replayed) {
		w.Candidates += t.candidates
		w.rolls = append(w.rolls, uint8(t.roll))
		w.plays = append(w.plays, t.played)
	})
	w.lengths = append(w.lengths, len(w.rolls)-first)
}

// sign hashes all answers into one number, so that two records can be known to be
// of the same work at a glance.
func (w *Workload) sign() (string, error) {
	h := fnv.New64a()
	answers := []any{w.values, w.rolls, int64(w.Candidates), w.games.answers(), w.match.answers()}
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
	return fmt.Sprintf("%d positions, %d games by turns, %d games or the first %d, of seed %d",
		w.Size.Positions, w.Size.TurnGames, w.Size.Games, w.Size.FirstGames, corpus.Seed)
}
