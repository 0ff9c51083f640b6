package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/spf13/cobra"
)

type benchOptions struct {
	filter, record string
	samples, match int
	seed           uint64
	json           bool
}

// benchRecord is what "reversi bench --json" prints and --record keeps.
type benchRecord struct {
	Schema      string                 `json:"schema"`
	Environment experiment.Environment `json:"environment"`
	Clock       string                 `json:"clock"`
	Seed        uint64                 `json:"seed"`
	Rows        []suite.Row            `json:"rows"`

	// Match is learned patterns against the hand-set evaluation.
	Match *benchMatch `json:"match,omitempty"`
}

// benchMatch is the result of a match in a record.
type benchMatch struct {
	Players [2]string `json:"players"`
	Games   int       `json:"games"`
	Score   float64   `json:"score"`
	Low     float64   `json:"low"`
	High    float64   `json:"high"`
	Discs   float64   `json:"discs_per_game"`
	Seed    uint64    `json:"seed"`
}

func newBenchCommand(env *cli.Env) *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure generators, perft, the solver and the search",
		Long: `Bench samples all subjects interleaved, in another random order each round, by the
time that the processor spends, and prints medians with 95 % intervals. What threads
are worth, perft 12 on one and two, goes by the clock on the wall: measure it on a
quiet machine. The names are those of "go test -bench . ./reversi".

With --record the result is kept in a file for this kind of machine; rows of other
subjects that stand there already stay.`,
		Example: `  reversi bench --filter '^(Moves|Flips)/'
  reversi bench --filter '^Perft/depth=12/'
  reversi bench --record results`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.match != 0 {
				return strength(cmd.Context(), env, o)
			}
			return measure(cmd.Context(), env, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.filter, "filter", "", "only subjects whose name matches `REGEXP`")
	f.IntVar(&o.samples, "samples", 9, "`samples` of each subject; slow ones get a third")
	f.IntVar(&o.match, "match", 0, "instead play so many `games` of learned patterns against hand-set rules, 50 ms a move")
	f.Uint64Var(&o.seed, "seed", 1, "`seed` of the order")
	f.StringVar(&o.record, "record", "", "keep the result under this `FOLDER`")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func measure(ctx context.Context, env *cli.Env, o benchOptions) error {
	filter, err := regexp.Compile(o.filter)
	if err != nil {
		return cli.UsageError("--filter: %w", err)
	}
	if o.samples < 1 || o.samples > 10_000 {
		return cli.UsageError("--samples %d: want 1 to 10000", o.samples)
	}
	all, err := suite.All()
	if err != nil {
		return err
	}
	var subjects []*suite.Subject
	for _, s := range all {
		if filter.MatchString(s.Name()) {
			subjects = append(subjects, s)
		}
	}
	if len(subjects) == 0 {
		return cli.UsageError("--filter %s: no subject of %d matches", o.filter, len(all))
	}
	bar := cli.NewProgress(env, 1, "samples")
	rows, failed := suite.Measure(ctx, subjects, experiment.Options{Count: o.samples, BenchTime: 20 * time.Millisecond, Seed: o.seed,
		Progress: func(p experiment.Progress) { bar.ChangeMax(max(1, p.All)); bar.Set(p.Done) }})
	bar.Finish()
	r := benchRecord{"reversi.bench/1", experiment.ReadEnvironment(), string(experiment.DefaultClock()), o.seed, rows, nil}
	if err := writeBench(env, o, r); err != nil {
		return err
	}
	if o.record != "" && len(rows) > 0 {
		if err := keep(o.record, r); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	if failed != nil {
		return cli.VerificationError("%w", failed)
	}
	return nil
}

// strength plays learned patterns against the hand-set evaluation.
func strength(ctx context.Context, env *cli.Env, o benchOptions) error {
	if o.match < 2 || o.match%2 != 0 {
		return cli.UsageError("--match %d: want an even number of games, 2 or more", o.match)
	}
	names := []string{"search:time=50ms", "search:time=50ms,eval=hand"}
	with, err := (&playerOptions{}).env(env)
	if err != nil {
		return err
	}
	makers, err := makePlayers(names, with)
	if err != nil {
		return err
	}
	bar := cli.NewProgress(env, o.match, "games")
	out, err := reversi.Match{First: makers[0], Second: makers[1], Pairs: o.match / 2, Seed: o.seed,
		Progress: func(games int) { bar.Add(games) }}.Play(ctx)
	bar.Finish()
	if err != nil && ctx.Err() == nil {
		return err
	}
	m := summary(names, o.seed, out.Scores[0])
	m.Seconds = out.Elapsed.Seconds()
	if err := writeMatch(env, o.json, m); err != nil {
		return err
	}
	if o.record != "" && m.Games > 0 {
		if err := keep(o.record, benchRecord{"reversi.bench/1", experiment.ReadEnvironment(), string(experiment.DefaultClock()), o.seed, nil, &benchMatch{m.Players, m.Games, m.Score, m.Low, m.High, m.Discs, m.Seed}}); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	return nil
}

func writeBench(env *cli.Env, o benchOptions, r benchRecord) error {
	if o.json {
		return cli.WriteJSON(env.Stdout, r)
	}
	for _, row := range r.Rows {
		nodes := ""
		if row.Nodes > 0 {
			nodes = text.Grouped(int64(row.Nodes)) + " nodes"
		}
		if _, err := fmt.Fprintf(env.Stdout, "%-44s %9.4g %-9s [%.4g, %.4g] %s\n", row.Name, row.Median, row.Unit, row.Low, row.High, nodes); err != nil {
			return err
		}
	}
	return nil
}

// keep writes a record to its machine's folder, with the rows of an older one that it has
// not measured again.
func keep(folder string, r benchRecord) error {
	name := filepath.Join(folder, "reversi-"+r.Environment.Slug()+".json")
	if old, err := readRecord(name); err == nil {
		measured := map[string]bool{}
		for _, row := range r.Rows {
			measured[row.Name] = true
		}
		for _, row := range old.Rows {
			if !measured[row.Name] {
				r.Rows = append(r.Rows, row)
			}
		}
		if r.Match == nil {
			r.Match = old.Match
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return writeFile(name, func(w io.Writer) error { return cli.WriteIndentedJSON(w, r) })
}

func readRecord(name string) (benchRecord, error) {
	var r benchRecord
	text, err := os.ReadFile(name)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if r.Schema != "reversi.bench/1" {
		return r, fmt.Errorf("%s: schema %q, want reversi.bench/1", name, r.Schema)
	}
	return r, nil
}
