package matchcmd

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"reflect"

	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/spf13/cobra"
)

// Options are the flags shared by all games.
type Options struct {
	Games    int    `flag:"games" help:"games of each pairing"`
	Parallel int    `flag:"parallel" help:"threads to play with (default one per processor)"`
	Seed     uint64 `flag:"seed" default:"1" help:"seed of the first pairing"`
	SPRT     string `flag:"sprt"`
	Gauntlet bool   `flag:"gauntlet" help:"pair only the first player with the others"`
	Out      string `flag:"out" help:"folder for the log, to resume from, and the results"`
	HTML     string `flag:"html" help:"write ratings and results as a page to this file"`
	Record   string `flag:"record"`
	cli.Overwrite
	JSON  bool         `flag:"json" help:"print one JSON object"`
	Fleet join.Options `help:"play on the fleet" client:"true"`

	Test       *rating.SPRT // value of --sprt, after [Options.Check]
	gamesGiven func() bool  // whether --games is
}

const testGames = 1_000_000 // default of --games with a test

// AddFlags adds the flags to a command. The value of Games is the default of --games, and the tag "record" describes
// the file of games.
func (o *Options) AddFlags(cmd *cobra.Command, tag reflect.StructTag) {
	f := cli.WithFlags(cmd, o).Flags()
	f.Lookup("sprt").Usage =
		`stop two players by a sequential test, as in "` + rating.DefaultSPRT().String() + `", the default values`
	f.Lookup("record").Usage = cli.Usage(tag.Get("record"))
	o.gamesGiven = func() bool { return f.Changed("games") }
}

// Help describes the shared flags.
const Help = `Two players play a match. More play a tournament: every player meets every other, or
with --gauntlet only the first player meets the others. Pairing k, from 0, is the match
of its players with --seed + k.

The Elo difference of a match has a 95 % confidence interval, computed from the scores
of pairs of games. The variance ratio compares with independent games: at 0.9, pairs
save a tenth of the games. A game in no pair counts in the wins alone. Ratings of a
tournament are Elo by maximum likelihood (Bradley and Terry). The rating 0 is that of
the first player of a gauntlet, and the mean of all players otherwise.

--sprt ends a match as soon as a sequential probability ratio test is decided: H0, the
first player is elo0 stronger, against H1, it is elo1 stronger, with the error rates
alpha and beta. --games is then the maximum (default 1000000).

With --out the folder DIR holds log.jsonl, which records every finished part, and at
the end the results as text, JSON and a page. To resume after Ctrl-C, a kill or a power
cut, run the same command again: the results are those of an uninterrupted run. A log
of other settings or players is rejected.

With --fleet the workers of "ur fleet work" play the games, with the same result.

Exit codes: 0 done, or a test decided, either way; 1 failure; 2 bad usage; 3 a fleet's
result differs; 4 a test that --games did not suffice to decide; 130 interrupted. After
a failure or an interruption, the finished games are printed and saved.`

const logName = "log.jsonl" // log's name in the folder of --out

// Check checks the flags before anything is played.
func (o *Options) Check(players int) (err error) {
	if o.SPRT != "" {
		test, err := rating.ParseSPRT(o.SPRT)
		if err != nil {
			return cli.UsageError("--sprt: %w", err)
		}
		if players != 2 {
			return cli.UsageError("--sprt needs two players, got %d", players)
		}
		o.Test = &test
		if !o.gamesGiven() {
			o.Games = testGames
		}
	}
	if o.Parallel < 0 {
		return cli.UsageError("--parallel must be at least 1, got %d", o.Parallel)
	}
	if err := o.Fleet.Check(); err != nil {
		return err
	}
	if o.Fleet.Given() {
		o.Parallel = cmp.Or(o.Parallel, join.Outstanding)
	}
	if err := cli.CheckFolder("--out", o.Out); err != nil {
		return err
	}
	return o.CheckOutput("--html", o.HTML)
}

// CheckOutput checks early that a file of the games can be written. An existing one is replaced by force, or if there
// is a log to continue: the file is then of the same games.
func (o *Options) CheckOutput(flag, file string) error {
	_, missing := os.Stat(filepath.Join(o.Out, logName))
	continues := o.Out != "" && missing == nil
	return cli.CheckOutput(flag, file, o.Force || continues)
}

// Logs reports whether the match is kept in a log.
func (o *Options) Logs() bool { return o.Out != "" }

// openLog creates the folder of --out and opens the log in it. Without the flag it returns nil.
func (o *Options) openLog() (*match.Log, error) {
	if o.Out == "" {
		return nil, nil
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	log, err := match.OpenLog(filepath.Join(o.Out, logName))
	if err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	return log, nil
}

// matchFailure returns a match's error as the command's. final reports that its games are not
// to be printed.
func matchFailure(err error) (_ error, final bool) {
	if _, ok := errors.AsType[*match.LogError](err); ok {
		return cli.UsageError("--out: %w", err), true
	}
	return err, errors.As(err, new(*fleet.ResultMismatchError))
}
