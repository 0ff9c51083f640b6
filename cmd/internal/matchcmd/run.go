// Package matchcmd is the command "match" of every game. Two players are a match, more a
// tournament. It holds the flags, the log, the files and the statistics; a game supplies its
// players, its runner, its counts and two lines of the report.
package matchcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/spf13/cobra"
)

// Options are the flags that all games share.
type Options struct {
	Games, Parallel int
	Seed            uint64
	Test            *rating.SPRT // value given by --sprt, after [Options.Check]
	Gauntlet        bool
	Record          string
	Force           bool // replace existing files
	JSON            bool
	Fleet           join.Options
	sprt, out, html string
	gamesGiven      func() bool // whether --games is
}

const testGames = 1_000_000 // default of --games with a test

// Flags adds the flags to a command. games is the default of --games, and record describes the
// file of games.
func (o *Options) Flags(cmd *cobra.Command, games int, record string) {
	f := cmd.Flags()
	f.IntVar(&o.Games, "games", games, "games of each pairing")
	f.IntVar(&o.Parallel, "parallel", 0, "threads to play with (default one per processor)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the first pairing")
	f.StringVar(&o.sprt, "sprt", "",
		`stop two players by a sequential test, as in "`+rating.DefaultSPRT().String()+`", the default values`)
	f.BoolVar(&o.Gauntlet, "gauntlet", false, "pair only the first player with the others")
	f.StringVar(&o.out, "out", "", "folder for the log, to resume from, and the results")
	f.StringVar(&o.html, "html", "", "write ratings and results as a page to this file")
	f.StringVar(&o.Record, "record", "", record)
	cli.ForceFlag(cmd, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	join.Flags(cmd, &o.Fleet, "play on the fleet")
	join.VerifyFlag(cmd, &o.Fleet)
	o.gamesGiven = func() bool { return f.Changed("games") }
}

// Help describes the shared flags.
const Help = `Two players play a match. More play a tournament: every player meets every other, or
with --gauntlet only the first player meets the others. Pairing k, from 0, is the match
of its players with --seed + k.

The Elo difference of a match has a 95 % confidence interval, computed from the scores
of pairs of games. The variance ratio compares with independent games: at 0.9, pairs
save a tenth of the games. Ratings of a tournament are Elo by maximum likelihood
(Bradley and Terry). The rating 0 is that of the first player of a gauntlet, and the
mean of all players otherwise.

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
	if o.sprt != "" {
		test, err := rating.ParseSPRT(o.sprt)
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
	if err := cli.CheckFolder("--out", o.out); err != nil {
		return err
	}
	_, missing := os.Stat(filepath.Join(o.out, logName))
	continues := o.out != "" && missing == nil // the page is then of the same games
	return cli.CheckOutput("--html", o.html, o.Force || continues)
}

// Logs reports whether the match is kept in a log.
func (o *Options) Logs() bool { return o.out != "" }

// openLog creates the folder of --out and opens the log in it. Without the flag it returns nil.
func (o *Options) openLog() (*match.Log, error) {
	if o.out == "" {
		return nil, nil
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	log, err := match.OpenLog(filepath.Join(o.out, logName))
	if err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	return log, nil
}

// failure returns a match's error as the command's. final reports that its games are not
// to be printed.
func failure(err error) (_ error, final bool) {
	if _, ok := errors.AsType[*match.LogError](err); ok {
		return cli.UsageError("--out: %w", err), true
	}
	return err, errors.As(err, new(*fleet.ResultMismatchError))
}

// Score is the score of a game's matches.
type Score[S any] interface {
	match.Score[S]
	Results() (wins [2]int64, draws int64) // games won by each player, and draws
}

// Game is a match of a game.
type Game[S Score[S]] struct {
	Program  string         // ur or reversi
	Schedule match.Schedule // the pairing of two players has the seed of the schedule
	Details  string         // follow the number of games, as in " of 7 pieces"
	Luck     string         // luck that both games of a pair share, such as "the same dice"

	// Play plays the games that are not in the log, which may be nil. With an error it returns
	// those that were finished.
	Play func(ctx context.Context, log *match.Log, progress func(games int)) (match.Outcome[S], error)

	// Pairing returns the JSON form of a pairing of a tournament: a struct with the summary and
	// the counts of the game. Match returns that of a match of two.
	Pairing func(s Summary, score S) any
	Match   func(s Summary, score S, e Ending) any

	// Tournament returns the JSON form of a tournament.
	Tournament func(sheet match.Sheet, pairings []any) any

	// Lines writes the lines of the game in the report of a match of two. Names have a width.
	Lines func(w io.Writer, score S, e Ending, width int)
}

// Run plays a match or a tournament and prints and saves it, as far as it was finished.
func Run[S Score[S]](ctx context.Context, env *cli.Env, o *Options, g Game[S]) error {
	log, err := o.openLog()
	if err != nil {
		return err
	}
	if log != nil {
		defer log.Close()
	}
	bar := cli.NewProgress(env, g.Schedule.TotalGames(), "games")
	out, err := g.Play(ctx, log, func(games int) { bar.Add(games) })
	bar.Clear()
	err, final := failure(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && (final || !interrupted && out.Games == 0) {
		return err
	}
	if out.Damaged > 0 {
		fmt.Fprintf(env.Stderr, "%s match: the log had %s; the games were played again\n", g.Program,
			text.Plural(out.Damaged, "damaged line"))
	}
	r := report[S]{Game: g, out: out}
	if len(g.Schedule.Players) == 2 {
		r.ending = newEnding(out, o.Test, out.Scores[0].PairResults())
		switch {
		case interrupted:
			r.ending.Stop = stopInterrupted
		case err != nil:
			r.ending.Stop = stopFailed
		}
	}
	if err := cmp.Or(r.save(o), r.print(env, o.JSON)); err != nil {
		return err
	}
	switch {
	case interrupted:
		return cli.ErrInterrupted
	case err != nil:
		return err
	case r.ending.Stop == stopUndecided:
		return cli.InconclusiveError(
			"the test is not decided after %s: raise --games, or the distance of elo0 and elo1",
			text.Plural(out.Games, "game"))
	}
	return nil
}

type report[S Score[S]] struct {
	Game[S]
	out    match.Outcome[S]
	ending Ending // ending between two players
}

func (r report[S]) summary(i int) Summary {
	p := r.Schedule.Pairings()[i]
	return newSummary([2]string{r.Schedule.Players[p.First], r.Schedule.Players[p.Second]}, p.Seed, r.out.Scores[i])
}

func (r report[S]) sheet() (sheet, error) {
	schedule := r.Schedule
	if len(schedule.Players) == 2 {
		names := distinct([2]string(schedule.Players))
		schedule.Players = names[:]
	}
	rated, err := match.RateOutcome(schedule, r.out)
	return sheet{rated, r.Details, r.Luck, r.Program + " match"}, err
}

func (r report[S]) json() (any, error) {
	if len(r.Schedule.Players) == 2 {
		return r.Match(r.summary(0), r.out.Scores[0], r.ending), nil
	}
	sheet, err := r.sheet()
	if err != nil {
		return nil, err
	}
	var pairings []any
	for i, score := range r.out.Scores {
		pairings = append(pairings, r.Pairing(r.summary(i), score))
	}
	return r.Tournament(sheet.Sheet, pairings), nil
}

func (r report[S]) print(env *cli.Env, asJSON bool) error {
	if asJSON {
		value, err := r.json()
		if err != nil {
			return err
		}
		return cli.WriteJSON(env.Stdout, value)
	}
	if len(r.Schedule.Players) == 2 {
		if r.out.Games > 0 {
			_, draws := r.out.Scores[0].Results()
			r.summary(0).write(env.Stdout, r.Details, draws, r.ending,
				func(width int) { r.Lines(env.Stdout, r.out.Scores[0], r.ending, width) })
		}
		return nil
	}
	sheet, err := r.sheet()
	if err == nil {
		err = sheet.writeText(env.Stdout)
	}
	if err != nil {
		return err
	}
	found := ""
	if before := r.out.Games - r.out.Played; before > 0 {
		found = fmt.Sprintf(", %d found in the log", before)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s played in %.4g s on %s%s\n",
		text.Plural(r.out.Played, "game"), r.out.Elapsed.Seconds(), text.Plural(r.out.Threads, "thread"), found)
	return err
}

// save writes the results into the folder of --out, as match or tournament with the endings
// .txt, .html and .json, and the page to --html.
func (r report[S]) save(o *Options) error {
	if o.out == "" && o.html == "" {
		return nil
	}
	sheet, err := r.sheet()
	if err != nil {
		return err
	}
	value, err := r.json()
	if err != nil {
		return err
	}
	base := filepath.Join(o.out, "tournament")
	if len(r.Schedule.Players) == 2 {
		base = filepath.Join(o.out, "match")
	}
	for _, file := range []struct {
		flag, value, name string
		write             func(io.Writer) error
	}{
		{"--out", o.out, base + ".txt", sheet.writeText},
		{"--out", o.out, base + ".html", sheet.writeHTML},
		{"--out", o.out, base + ".json", func(w io.Writer) error { return cli.WriteJSON(w, value) }},
		{"--html", o.html, o.html, sheet.writeHTML},
	} {
		if file.value == "" {
			continue
		}
		if err := safefile.Write(file.name, file.write); err != nil {
			return fmt.Errorf("%s: %w", file.flag, err)
		}
	}
	return nil
}
