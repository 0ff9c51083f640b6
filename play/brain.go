package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/search"
)

// Brain is the source for a player who moves to the position with the highest value. It plays the same game on
// every engine.
type Brain struct {
	Spec    string // the name of the player: "brain" or "brain:FILE"
	Weights *ur.Brain

	// Altered reports that the weights in the brain's file do not match its hash: the file was
	// edited or is damaged.
	Altered bool
}

var brainKind = Kind{
	Name: "brain",
	Patterns: []Pattern{
		{Text: "brain", Help: "the built-in brain"},
		{Text: "brain:classic", Help: "a brain set by hand"},
		{Text: "brain:FILE", Help: "a brain read from a text file"},
	},
	Title: titled(
		map[string]string{"brain": "Weighs features, trained: an expert",
			"brain:classic": "Weighs features, by hand: very strong"}),
	Files: fileBehindColon(func(name string) bool { return name != classicBrain }),
	Parse: parseBrain, Refuse: finkelOnly,
}

const classicBrain = "classic"

// parseBrain returns a built-in brain or the one in a file.
func parseBrain(in ParseContext, spec, rest string) (Player, error) {
	if rest == ":"+classicBrain {
		return Brain{Spec: spec, Weights: ur.ClassicBrain()}.Player(), nil
	}
	path, err := openColon(spec, rest, "brain:FILE", in.Open)
	if err != nil {
		return Player{}, err
	}
	if path == "" {
		return Brain{Spec: spec, Weights: ur.DefaultBrain()}.Player(), nil
	}
	weights, altered, err := readBrainFile(path)
	return Brain{spec, weights, altered}.Player(), err
}

// ReadBrainFile reads a brain from a text file. It reports a syntax error as "FILE:LINE:
// message".
func ReadBrainFile(name string) (*ur.Brain, error) {
	b, _, err := readBrainFile(name)
	return b, err
}

// readBrainFile also reports whether the weights do not match the file's hash.
func readBrainFile(name string) (b *ur.Brain, altered bool, err error) {
	err = readTextFile(name, func(r io.Reader) (err error) {
		b, altered, err = ur.ReadBrain(r)
		return err
	})
	return b, altered, err
}

// Player returns the brain's player, for Finkel's rules.
func (b Brain) Player() Player {
	return Player{
		Spec: b.Spec, New: b.bind, Leaf: b.leaf, Source: b,
		Identity: func(context.Context, int) (string, error) { return b.Weights.Hash(), nil },
	}
}

// bind binds the brain to an engine.
func (b Brain) bind(e ur.Engine) (Instance, error) {
	g, err := e.New(ur.Setup{Light: b.Weights, Dark: b.Weights})
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", b.Spec, e.Name(), err)
	}
	return &brainInstance{game: g}, nil
}

// brainInstance lets an engine choose.
type brainInstance struct {
	game    ur.Game
	futures []ur.Future
}

// Choose sets the engine to the position and lets it move.
func (s *brainInstance) Choose(_ context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	s.game.Set(t.Position)
	move, _ := s.game.Play(t.Roll)
	return slices.Index(t.Moves, move), nil
}

// By returns "brain".
func (s *brainInstance) By() string { return "brain" }

// Evaluate values the positions after a roll's moves. Without one a brain has no value.
func (s *brainInstance) Evaluate(_ context.Context, p board.Position, roll int) (e Evaluation, err error) {
	if roll == search.NoRoll {
		return e, errors.New("no roll: a brain has no probabilities")
	}
	s.game.Set(p)
	s.futures = s.game.Futures(s.futures[:0], roll)
	sign := int32(p.Turn().Sign())
	for i, f := range s.futures {
		e.Values = append(e.Values, f.Value)
		if sign*f.Value > sign*e.Values[e.Best] {
			e.Best = i
		}
	}
	if len(board.Finkel().Moves(nil, p, roll)) == 0 {
		e.Best = -1
	}
	return e, nil
}

// DrawBrain draws a brain's weights under a name, as an SVG.
func DrawBrain(name string, b *ur.Brain) []byte {
	m := plot.Matrix{At: func(row, column int) int { return int(b.At(row, column)) }}
	zeros := 0
	for _, w := range b {
		if w == 0 {
			zeros++
		}
	}
	for i := range board.Numbers {
		m.Names = append(m.Names, board.NumberName(i))
	}
	m.Text = plot.Text{
		Title:    name,
		Subtitle: fmt.Sprintf("%d weights, %d of them 0, hash %s", len(b), zeros, b.Hash()),
		Caption: "Each cell is the weight on the product of its row's and its column's number of pieces, blue for Light's " +
			"advantage and orange for Dark's. The value of a position is the sum of these products.",
		Label: "The weights of a brain, a cell for each pair of the board's 33 numbers.",
	}
	return m.SVG()
}
