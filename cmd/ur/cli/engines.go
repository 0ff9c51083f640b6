package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

type enginesOptions struct {
	Verify bool `flag:"verify" help:"compare every engine with the oracle, bit for bit" unless:"json"`
	Games  int  `flag:"games" default:"2000" help:"games of the signature, at least 1"`
	JSON   bool `flag:"json" help:"print an array of JSON objects"`
}

type engineEntry struct {
	Name      string       `json:"name"`
	Board     string       `json:"board"`
	Eval      string       `json:"eval"`      // evaluator of positions
	Needs     []ur.Feature `json:"needs"`     // required CPU features
	Available bool         `json:"available"` // whether it can run here

	// Bytes is the memory for a pair of brains: 0 when the engine cannot run here.
	Bytes  int    `json:"bytes"`
	Reason string `json:"reason,omitempty"` // why it is not available
}

const verifySeed = 1 // seed of the games, positions and brains

const enginesLong = `An engine combines a board representation with an evaluator and is named board/eval.
All engines make exactly the same choices; they differ in speed and in the CPU
features they require. Engines prints each with its required features, whether it can
run here or the reason why not, and its memory for a pair of brains in bytes: tables,
accumulators and boards. The default engine, the fastest, is marked *.
UR_DISABLE=avx512,avx2 or neon masks tiers of CPU features.

--verify compares every engine that can run here with the oracle, array16/scalar, bit
for bit: values, futures, choices and whole games, on random and edge positions, with
ordinary and extreme brains. Engines that cannot run here are listed as skipped; with
UR_REQUIRE=avx2, avx512 or neon a missing tier is a failure. The signature is the tally of
the games that all engines played identically: games 0 to N-1 of seed 1,
brain:classic against itself.

Exit codes: 0 all are equal; 2 bad usage; 3 an engine differs, or a required tier is
missing; 130 interrupted, after printing the comparisons so far.`

func newEnginesCommand(env *cli.Env) *cobra.Command {
	var o enginesOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "engines",
		Short: "List or verify the engines",
		Long:  enginesLong,
		Example: `  ur engines
  ur engines --verify --games 100000
  UR_REQUIRE=avx512 ur engines --verify`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.Verify {
				if cmd.Flags().Changed("games") {
					return cli.UsageError("--games needs --verify")
				}
				return printEngines(env, o.JSON)
			}
			return runVerify(cmd.Context(), env, o.Games)
		},
	}, &o)
}

func printEngines(env *cli.Env, asJSON bool) error {
	var entries []engineEntry
	table := text.Table{Header: []string{"engine", "bytes", "needs", ""}}
	for _, e := range engine.All() {
		entry := engineEntry{Name: e.Name(), Needs: append([]ur.Feature{}, e.Needs()...), Available: true}
		entry.Board, entry.Eval, _ = strings.Cut(e.Name(), "/")
		bytes, mark, reason := "-", "", ""
		if err := ur.Available(e); err != nil {
			entry.Available, entry.Reason = false, strings.TrimPrefix(err.Error(), e.Name()+" ")
			reason = "not here: " + entry.Reason
		} else {
			g, err := e.New(ur.Setup{Light: ur.DefaultBrain(), Dark: ur.DefaultBrain()})
			if err != nil {
				return err
			}
			entry.Bytes = g.Bytes()
			bytes = fmt.Sprint(entry.Bytes)
		}
		if e.Name() == engine.Fastest().Name() {
			mark = " *"
		}
		needs := "none"
		if len(e.Needs()) > 0 {
			needs = text.Join(e.Needs(), " ")
		}
		entries = append(entries, entry)
		table.Add(e.Name()+mark, bytes, needs, reason)
	}
	if asJSON {
		return cli.WriteJSON(env.Stdout, entries)
	}
	return table.WriteText(env.Stdout)
}

// runVerify compares the engines, and prints each, and then what their games have in common.
func runVerify(ctx context.Context, env *cli.Env, games int) error {
	if games < 1 {
		return cli.UsageError("--games must be at least 1, got %d", games)
	}
	var unknown *cpu.UnknownTierError
	switch err := engine.CheckRequired(); {
	case errors.As(err, &unknown):
		return cli.UsageError("%w", err)
	case err != nil:
		return cli.VerificationError("%w", err)
	}
	engines := engine.All()
	bar := cli.NewProgress(env, len(engines), "engines")
	defer bar.Clear()
	v, err := engine.NewVerifier(ctx, engine.VerifyOptions{Seed: verifySeed, Games: games})
	if err != nil {
		return err
	}
	var signature ur.Tally
	different := 0
	for _, e := range engines {
		outcome := ""
		if err := ur.Available(e); err != nil {
			outcome = "skipped: " + strings.TrimPrefix(err.Error(), e.Name()+" ")
		} else if found, err := v.Verify(ctx, e); ctx.Err() != nil {
			break
		} else if err != nil {
			different++
			outcome = "DIFFERENT: " + err.Error()
		} else {
			signature = found.Signature
			outcome = fmt.Sprintf("equal in %d values, %d turns, %d games", found.Values, found.Turns, found.Games)
		}
		bar.Hide()
		fmt.Fprintf(env.Stdout, "%-22s %s\n", e.Name(), outcome)
		bar.Add(1)
	}
	if t := signature; t.Games > 0 {
		fmt.Fprintf(env.Stdout,
			"\nsignature of %s of seed %d: light wins %d, dark wins %d, turns %d, moves %d, captures %d, rosettes %d, passes %d\n",
			text.Plural(t.Games, "game"), verifySeed, t.Wins[board.Light], t.Wins[board.Dark], t.Turns,
			t.Moves, t.Captures, t.Rosettes, t.Passes)
	}
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case different > 0:
		return cli.VerificationError("%d of %d engines differ from %s", different, len(engines), engine.OracleName)
	}
	return nil
}
