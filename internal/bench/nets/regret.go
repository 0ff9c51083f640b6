package nets

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// brainName is the name of the built-in brain among nets.
const brainName = "brain"

// Regrets returns the regret of nets by 1 ply and 2, and of the built-in brain by 1: each
// is measured once.
func Regrets(nets []Net, t solve.Table) (list []experiment.Sampler, err error) {
	for _, n := range nets {
		for plies := 1; plies <= 2; plies++ {
			list = append(list, regretOf(t, n.Name, plies, play.Net{Spec: "net", Value: n.Value, Plies: plies},
				n.Value.Weights(), cmp.Or(n.Meta["learned by"], n.Meta["what"])))
		}
	}
	p, err := play.ParsePlayer(brainName)
	return append(list, regretOf(t, brainName, 1, p, ur.Weights, "brain_default.txt, the built-in brain")), err
}

// regretOf measures a player over decisions of its own games; a search of 2 plies over a
// quarter of them.
func regretOf(t solve.Table, name string, plies int, p play.Player, weights int, learned string) *experiment.Figure {
	const decisions, seed = 200_000, 2
	f := &experiment.Figure{Benchmark: experiment.Benchmark{
		Name: fmt.Sprintf("Regret/net=%s/plies=%d", name, plies), Unit: "points/decision", Most: 1,
	}}
	f.Measure = func(ctx context.Context) (float64, error) {
		stats, err := play.Regret(ctx, p, t, nil, solve.RegretOptions{Pieces: board.MaxPieces, Decisions: decisions / (3*plies - 2), Seed: seed})
		f.Annotate = func(row *experiment.Row) {
			row.Note = learned
			row.Metrics = map[string]float64{"weights": float64(weights), "decisions": float64(stats.Decisions), "optimal": stats.Optimal}
		}
		return stats.Mean, err
	}
	return f
}

// brainDecision times the decisions of the built-in brain on the fastest engine, checked
// against the oracle: an [experiment.Subject].
type brainDecision struct {
	turns        []play.Turn
	seat, oracle play.Seat
}

// BrainDecision returns the subject of the decisions from games of a net.
func BrainDecision(n Net) (experiment.Subject, error) {
	p, err := play.ParsePlayer(brainName)
	if err != nil {
		return nil, err
	}
	b := &brainDecision{}
	if b.seat, err = p.Sit(play.FastestChooser()); err != nil {
		return nil, err
	}
	if b.oracle, err = p.Sit(engine.Oracle()); err != nil {
		return nil, err
	}
	for _, d := range decisionsOf(n.Value) {
		b.turns = append(b.turns, play.Turn{Position: d.position, Moves: d.moves})
	}
	return b, nil
}

func (b *brainDecision) Name() string { return name("NetDecision", brainName, "fastest") }

func (b *brainDecision) Unit() string { return decisionUnit }

func (b *brainDecision) Check() error {
	for i := range b.turns {
		got, err := b.seat.Choose(context.Background(), &b.turns[i])
		if err != nil {
			return err
		}
		want, err := b.oracle.Choose(context.Background(), &b.turns[i])
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("brain chooses move %d of %v (want %d)", got, b.turns[i].Position.Numbers(), want)
		}
	}
	return nil
}

func (b *brainDecision) Pass() (float64, error) {
	for i := range b.turns {
		if _, err := b.seat.Choose(context.Background(), &b.turns[i]); err != nil {
			return 0, err
		}
	}
	return float64(len(b.turns)), nil
}
