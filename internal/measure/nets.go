package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// netRecords is a file of measurements of players with weights.
type netRecords struct {
	Schema  string      `json:"schema"` // netsSchema
	Records []netRecord `json:"records"`
}

const netsSchema = "ur.net-records/2"

// netRecord is the measurement of one player.
type netRecord struct {
	Player    string  `json:"player"`
	Weights   int     `json:"weights"`
	Learned   string  `json:"learned,omitempty"` // the command that made it, or its source
	Decisions int64   `json:"decisions,omitempty"`
	Seed      uint64  `json:"seed,omitempty"`
	Regret    float64 `json:"regret"`                    // points a decision, at 1 ply
	Regret2   float64 `json:"regret_2,omitempty"`        // at 2 plies; 0 where there is none
	Optimal   float64 `json:"optimal,omitempty"`         // share of the decisions
	Ns        float64 `json:"ns_per_decision,omitempty"` // of CPU time, at 1 ply

	// Published is the source of a figure that was not measured here, otherwise "".
	Published string `json:"published,omitempty"`

	CPU    string `json:"cpu,omitempty"`
	Go     string `json:"go,omitempty"`
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
}

// netMeasurement is a run of the command.
type netMeasurement struct {
	table     solve.Table
	machine   experiment.Environment
	decisions int
	seed      uint64
}

// netsFlags measures the regret of players with weights by the exact solution, nets by 1 ply
// and 2 and brains by 1, and the CPU time of a decision. A player that was measured before
// is replaced.
func netsFlags(f *flag.FlagSet) func(ctx context.Context, args []string) error {
	m := &netMeasurement{machine: experiment.ReadEnvironment()}
	f.IntVar(&m.decisions, "positions", 200_000, "decisions over which regret is measured")
	f.Uint64Var(&m.seed, "seed", 2, "seed of the games that they come from")
	out := f.String("o", "results/nets.json", "`file` of the records")
	return func(ctx context.Context, specs []string) (err error) {
		if len(specs) == 0 || m.decisions < 4 {
			return fmt.Errorf("%d players, %d positions (want at least 1 player and 4 positions)", len(specs), m.decisions)
		}
		records, err := readNets(*out)
		if err != nil {
			return err
		}
		if m.table, err = table(ctx); err != nil {
			return err
		}
		for _, spec := range specs {
			r, err := m.measure(ctx, spec)
			if err != nil {
				return err
			}
			fmt.Printf("%-30s %6d weights  regret %.4f, %.4f  %.0f ns\n", r.Player, r.Weights, r.Regret, r.Regret2, r.Ns)
			records.Records = slices.DeleteFunc(records.Records, func(old netRecord) bool { return old.Player == r.Player })
			records.Records = append(records.Records, r)
		}
		slices.SortStableFunc(records.Records, func(a, b netRecord) int { return a.Weights - b.Weights })
		return writeJSON(*out, records)
	}
}

// readNets reads the records.
func readNets(name string) (netRecords, error) {
	var records netRecords
	text, err := os.ReadFile(name)
	if err != nil {
		return records, err
	}
	if err := json.Unmarshal(text, &records); err != nil {
		return records, fmt.Errorf("%s: %w", name, err)
	}
	if records.Schema != netsSchema {
		return records, fmt.Errorf("%s: schema %q (want %q)", name, records.Schema, netsSchema)
	}
	return records, nil
}

// measure measures a player.
func (m *netMeasurement) measure(ctx context.Context, spec string) (netRecord, error) {
	r := netRecord{Player: spec, Seed: m.seed, CPU: m.machine.Processor(), Go: m.machine.Go, Commit: m.machine.Commit, Date: m.machine.Date}
	p, err := play.ParsePlayer(spec)
	if err != nil {
		return r, err
	}
	var choose func(*play.Turn) error
	switch p := p.(type) {
	case play.Net:
		r.Weights, r.Learned = p.Value.Weights(), cmp.Or(p.Meta["learned by"], p.Meta["what"], "unknown")
		judge := valuenet.NewJudge(valuenet.Fastest(), p.Value)
		choose = func(t *play.Turn) error { judge.Choose(t.Position, t.Moves); return nil }
		deep := p
		deep.Plies = 2
		stats, err := m.regret(ctx, deep, m.decisions/4)
		if err != nil {
			return r, err
		}
		r.Regret2 = stats.Mean
	case play.Brain:
		r.Weights, r.Learned = ur.Weights, "unknown"
		if *p.Weights == *ur.DefaultBrain() {
			r.Learned = "ur train fit --games 1500000"
		}
		seat, err := p.Sit(play.FastestChooser())
		if err != nil {
			return r, err
		}
		choose = func(t *play.Turn) error { _, err := seat.Choose(ctx, t); return err }
	default:
		return r, fmt.Errorf("player %q has no weights (want one such as net:FILE or brain)", spec)
	}
	stats, err := m.regret(ctx, p, m.decisions)
	if err != nil {
		return r, err
	}
	r.Regret, r.Optimal, r.Decisions = stats.Mean, stats.Optimal, stats.Decisions
	r.Ns, err = nsPerDecision(ctx, choose)
	return r, err
}

func (m *netMeasurement) regret(ctx context.Context, p play.Player, decisions int) (solve.RegretStats, error) {
	return play.Regret(ctx, p, m.table, nil, solve.RegretOptions{Pieces: board.MaxPieces, Decisions: decisions, Seed: m.seed})
}

// decisions is the subject of the time of a decision.
type decisions struct {
	turns  []play.Turn
	choose func(*play.Turn) error
}

func (decisions) Name() string { return "Decision" }
func (decisions) Unit() string { return "ns/decision" }
func (decisions) Check() error { return nil } // the regret is the check

// Pass makes every decision once.
func (d decisions) Pass() (float64, error) {
	for i := range d.turns {
		if err := d.choose(&d.turns[i]); err != nil {
			return 0, err
		}
	}
	return float64(len(d.turns)), nil
}

// nsPerDecision measures decisions of games of greedy players, pinned, in CPU time.
func nsPerDecision(ctx context.Context, choose func(*play.Turn) error) (float64, error) {
	const games = 40
	d := decisions{choose: choose}
	for game := range uint64(games) {
		seat, err := play.Greedy{}.Sit(nil)
		if err != nil {
			return 0, err
		}
		g := play.Game{Seed: 1, Number: game, Seats: [2]play.Seat{seat, seat}, Observe: func(t *play.Turn) {
			if len(t.Moves) > 1 {
				kept := *t
				kept.Moves = slices.Clone(t.Moves)
				d.turns = append(d.turns, kept)
			}
		}}
		if _, err := g.Play(ctx); err != nil {
			return 0, err
		}
	}
	run, err := experiment.MeasureAll(ctx, []decisions{d}, experiment.Options{Count: 10, BenchTime: 50 * time.Millisecond, Seed: 1, Pin: &experiment.Pin{Core: experiment.AnyCore}})
	if err != nil {
		return 0, err
	}
	return stat.Median(run.Series[0].Times()), nil
}
