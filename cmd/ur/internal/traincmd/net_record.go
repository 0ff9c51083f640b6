package traincmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

// netRecords is a file of measurements of players that value positions.
type netRecords struct {
	Schema  string      `json:"schema"` // ur.net-records/1
	CPU     string      `json:"cpu"`    // on which the times were measured
	Records []netRecord `json:"records"`
}

const netRecordsSchema = "ur.net-records/1"

// netRecord is what was measured of one player.
type netRecord struct {
	Player    string  `json:"player"`
	Weights   int     `json:"weights"`
	Learned   string  `json:"learned"` // the command that made it
	Decisions int64   `json:"decisions"`
	Seed      uint64  `json:"seed"`
	Regret    float64 `json:"regret"`   // points a decision, at 1 ply
	Regret2   float64 `json:"regret_2"` // at 2 plies; 0 where there is none
	Optimal   float64 `json:"optimal"`
	Ns        float64 `json:"ns_per_decision"` // of CPU time, at 1 ply; 0 where it is not known

	// Published says where a figure stands that somebody else has measured, "" of those
	// measured here.
	Published string `json:"published,omitempty"`
}

// newNetMeasureCommand returns "ur net measure".
func newNetMeasureCommand(env *cli.Env) *cobra.Command {
	m := &netMeasurement{env: env}
	cmd := &cobra.Command{
		Use:   "measure P...",
		Short: "Record the weights, the regret and the speed of players",
		Long: `Measure finds out what players that have weights give away, by the exact solution of the
cache, and how long a decision takes them, in CPU time, and keeps it in a file of records:
nets by 1 ply and 2, brains by 1. A player that was measured before is replaced.`,
		Example: `  ur net measure brain net net:small.safetensors --record results/nets.json`,
		Args:    cli.Between(1, 1000, "one player at least"),
		RunE:    func(cmd *cobra.Command, args []string) error { return m.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&m.record, "record", "", "`file` of records, to be changed; it is needed")
	flags.IntVar(&m.decisions, "positions", 200_000, "decisions over which regret is measured")
	flags.Uint64Var(&m.seed, "seed", 2, "seed of the games that they come from")
	return cmd
}

// netMeasurement is a run of the command.
type netMeasurement struct {
	env       *cli.Env
	record    string
	decisions int
	seed      uint64
}

func (m *netMeasurement) run(ctx context.Context, specs []string) error {
	if m.record == "" {
		return cli.UsageError("--record FILE is needed: what is measured is kept there")
	}
	records, err := readNetRecords(m.record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.UsageError("--record: %w", err)
	}
	table, err := pick.Table(ctx, "", board.MaxPieces)
	if err != nil {
		return err
	}
	records.Schema, records.CPU = netRecordsSchema, cpu.Name()
	for _, spec := range specs {
		r, err := m.measure(ctx, table, spec)
		if err != nil {
			return err
		}
		fmt.Fprintf(m.env.Stdout, "%-30s %6d weights  regret %.4f, %.4f  %.0f ns\n", r.Player, r.Weights, r.Regret, r.Regret2, r.Ns)
		records.Records = slices.DeleteFunc(records.Records, func(old netRecord) bool { return old.Player == r.Player })
		records.Records = append(records.Records, r)
	}
	slices.SortStableFunc(records.Records, func(a, b netRecord) int { return a.Weights - b.Weights })
	return writeSaved("--record", m.record, func(w io.Writer) error {
		text, err := json.MarshalIndent(records, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
}

// measure measures a player.
func (m *netMeasurement) measure(ctx context.Context, table solve.Table, spec string) (netRecord, error) {
	r := netRecord{Player: spec, Seed: m.seed}
	p, err := pick.Player(spec)
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
		stats, err := m.regret(ctx, table, deep, m.decisions/4)
		if err != nil {
			return r, err
		}
		r.Regret2 = stats.Mean
	case play.Brain:
		r.Weights, r.Learned = ur.Weights, "ur train fit --games 1500000"
		seat, err := p.Sit(play.FastestChooser())
		if err != nil {
			return r, err
		}
		choose = func(t *play.Turn) error { _, err := seat.Choose(ctx, t); return err }
	default:
		return r, cli.UsageError("player %q has no weights, want one such as net:FILE or brain", spec)
	}
	stats, err := m.regret(ctx, table, p, m.decisions)
	if err != nil {
		return r, err
	}
	r.Regret, r.Optimal, r.Decisions = stats.Mean, stats.Optimal, stats.Decisions
	r.Ns, err = nsPerDecision(choose)
	return r, err
}

func (m *netMeasurement) regret(ctx context.Context, table solve.Table, p play.Player, decisions int) (solve.RegretStats, error) {
	return play.Regret(ctx, p, table, nil, solve.RegretOptions{Pieces: board.MaxPieces, Decisions: decisions, Seed: m.seed})
}

// How the time of a decision is measured: the median of some samples of CPU time.
const (
	nsSamples = 9
	nsTime    = 50 * time.Millisecond
	nsGames   = 40
)

// nsPerDecision measures decisions as they come up in games of greedy players.
func nsPerDecision(choose func(*play.Turn) error) (float64, error) {
	var turns []play.Turn
	for game := range uint64(nsGames) {
		seat, err := play.Greedy{}.Sit(nil)
		if err != nil {
			return 0, err
		}
		g := play.Game{Seed: 1, Number: game, Seats: [2]play.Seat{seat, seat}, Observe: func(t *play.Turn) {
			if len(t.Moves) > 1 {
				kept := *t
				kept.Moves = slices.Clone(t.Moves)
				turns = append(turns, kept)
			}
		}}
		if _, err := g.Play(context.Background()); err != nil {
			return 0, err
		}
	}
	clock := experiment.DefaultClock()
	samples := make([]float64, nsSamples)
	for i := range samples {
		decisions, begin := 0, clock.Now()
		for clock.Now()-begin < nsTime {
			for k := range turns {
				if err := choose(&turns[k]); err != nil {
					return 0, err
				}
			}
			decisions += len(turns)
		}
		samples[i] = float64(clock.Now()-begin) / float64(decisions)
	}
	slices.Sort(samples)
	return samples[nsSamples/2], nil
}

// readNetRecords reads a file of records.
func readNetRecords(name string) (netRecords, error) {
	var records netRecords
	text, err := os.ReadFile(name)
	if err != nil {
		return records, err
	}
	if err := json.Unmarshal(text, &records); err != nil {
		return records, fmt.Errorf("%s: %w", name, err)
	}
	if records.Schema != netRecordsSchema {
		return records, fmt.Errorf("%s: the schema is %q, want %q", name, records.Schema, netRecordsSchema)
	}
	return records, nil
}

// newNetReportCommand returns "ur net report".
func newNetReportCommand(env *cli.Env) *cobra.Command {
	var record, docs, svg string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write what was recorded of nets into a document, and draw it",
		Long: `Report prints the records of "ur net measure" as a table. With --docs the table replaces
what stands between the two marks of a document, and --svg draws it.`,
		Example: `  ur net report --record results/nets.json
  ur net report --record results/nets.json --docs docs/learning.md \
                --svg docs/plots/nets.svg`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			records, err := readNetRecords(record)
			if err != nil {
				return cli.UsageError("--record: %w", err)
			}
			if svg != "" {
				if err := writeSaved("--svg", svg, func(w io.Writer) error { _, err := w.Write(records.draw()); return err }); err != nil {
					return err
				}
			}
			if docs == "" {
				_, err := env.Stdout.Write(records.table())
				return err
			}
			return records.replace(docs)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&record, "record", "results/nets.json", "`file` of records")
	flags.StringVar(&docs, "docs", "", "`file` of the document to change")
	flags.StringVar(&svg, "svg", "", "`file` of the drawing")
	return cmd
}

// The marks between which the table of a document stands.
const (
	netsBegin = "<!-- nets: written by \"ur net report\" -->\n"
	netsEnd   = "<!-- end of nets -->\n"
)

// table returns the records as a table.
func (r netRecords) table() []byte {
	out := new(bytes.Buffer)
	fmt.Fprintf(out, "| player | weights | regret, 1 ply | 2 plies | of the choices, best | ns a decision |\n|---|---:|---:|---:|---:|---:|\n")
	for _, x := range r.Records {
		deep := ""
		if x.Regret2 > 0 {
			deep = fmt.Sprintf("%.4f", x.Regret2)
		}
		optimal, ns := "", ""
		if x.Optimal > 0 {
			optimal = fmt.Sprintf("%.1f %%", 100*x.Optimal)
		}
		if x.Ns > 0 {
			ns = fmt.Sprintf("%.0f", x.Ns)
		}
		fmt.Fprintf(out, "| %s | %d | %.4f | %s | %s | %s |\n", x.Player, x.Weights, x.Regret, deep, optimal, ns)
	}
	fmt.Fprintf(out, "\nTimes are CPU time on one core of a machine that calls itself %s.\n\nWhere they come from:\n\n", r.CPU)
	for _, x := range r.Records {
		switch {
		case x.Published != "":
			fmt.Fprintf(out, "- %s: not measured here, but published: %s\n", x.Player, x.Published)
		case strings.HasPrefix(x.Learned, "ur "):
			fmt.Fprintf(out, "- %s: `%s`\n", x.Player, x.Learned)
		default:
			fmt.Fprintf(out, "- %s: %s\n", x.Player, x.Learned)
		}
	}
	return out.Bytes()
}

// replace puts the table into a document.
func (r netRecords) replace(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return cli.UsageError("--docs: %w", err)
	}
	before, rest, begun := strings.Cut(string(text), netsBegin)
	_, after, ended := strings.Cut(rest, netsEnd)
	if !begun || !ended {
		return cli.UsageError("--docs: %s does not have the lines %s and %s", name, strings.TrimSpace(netsBegin), strings.TrimSpace(netsEnd))
	}
	whole := before + netsBegin + "\n" + string(r.table()) + "\n" + netsEnd + after
	return writeSaved("--docs", name, func(w io.Writer) error { _, err := io.WriteString(w, whole); return err })
}

// draw draws regret over weights.
func (r netRecords) draw() []byte {
	lines := plot.Lines{
		Text: plot.Text{
			Title: "What weights are good for", Subtitle: "ns a decision stand in the table",
			Caption: "Regret in percentage points a decision of perfect play, on a log axis.",
			Label:   "Regret of players by their number of weights.",
		},
		XAxis: "weights", Y: "regret, points", Log: true,
		Lines: []plot.Line{
			{Name: "distilled", Bridges: true}, {Name: "distilled, 2 plies", Bridges: true}, {Name: "by games"}, {Name: "brain"}, {Name: "published"},
		},
	}
	for _, x := range r.Records {
		lines.X = append(lines.X, strconv.Itoa(x.Weights))
		lines.At = append(lines.At, math.Log(float64(x.Weights)))
		for i, regret := range x.onLines() {
			value := plot.Interval{Middle: regret, Lo: regret, Hi: regret, Text: fmt.Sprintf("%.3f", regret)}
			lines.Lines[i].Values = append(lines.Lines[i].Values, value)
		}
	}
	return lines.SVG(true)
}

// onLines returns the regret that a record has on each line of the drawing, 0 where it has
// none.
func (x netRecord) onLines() (regret [5]float64) {
	const distilled, deep, games, brain, published = 0, 1, 2, 3, 4
	switch {
	case x.Published != "":
		regret[published] = x.Regret
	case strings.HasPrefix(x.Learned, "ur train distill"):
		regret[distilled], regret[deep] = x.Regret, x.Regret2
	case strings.HasPrefix(x.Learned, "ur train fit"):
		regret[brain] = x.Regret
	default:
		regret[games] = x.Regret
	}
	return regret
}
