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
	"path/filepath"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
)

// Score is the score of a game's matches.
type Score[S any] interface {
	match.Score[S]
	Results() (wins [2]int64, draws int64) // games won by each player, and draws
	ForfeitedGames() [2]int64              // games that each player lost by failing to move
}

// Game is a match of a game.
type Game[S Score[S]] struct {
	Program  string         // ur or reversi
	Schedule match.Schedule // the pairing of two players has the seed of the schedule
	Details  string         // follow the number of games, as in " of 7 pieces"
	Luck     string         // luck that both games of a pair share, such as "the same dice"

	// Unpaired names the games in no pair of the score, and Advice what else lets a test decide where
	// there are some; "" for nothing.
	Unpaired, Advice string

	// Play plays the games missing in the log, which may be nil, and notes the errors of players that lost a game by
	// failing to move. With an error it returns the finished games.
	Play func(ctx context.Context, log *match.Log, progress func(games int), forfeit func(error)) (match.Outcome[S], error)

	// Pairing returns the JSON form of a pairing of a tournament: a struct with the summary and
	// the counts of the game. Match returns the form of a match of two.
	Pairing func(s Summary, score S) any
	Match   func(s Summary, score S, e Ending) any

	// Tournament returns the JSON form of a tournament.
	Tournament func(sheet match.Sheet, pairings []any) any

	// Lines writes the lines of the game in the report of a match of two. Names have a width. Line returns one of a
	// pairing in the report of a tournament, or ""; nil means none.
	Lines func(w io.Writer, score S, e Ending, width int)
	Line  func(score S) string
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
	var lost forfeits
	out, err := g.Play(ctx, log, func(games int) { bar.Add(games) }, lost.note)
	bar.Clear()
	lost.printReport(env.Stderr, g.Program)
	err, final := matchFailure(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && (final || !interrupted && out.Games == 0) {
		return err
	}
	if out.Damaged > 0 {
		missing := "no game is missing"
		if out.Played > 0 {
			missing = "the missing games were played"
		}
		fmt.Fprintf(env.Stderr, "%s match: the log has %s; %s\n", g.Program, text.Plural(out.Damaged, "damaged line"), missing)
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
	if err := cmp.Or(r.saveReports(o), r.printReport(env, o.JSON)); err != nil {
		return err
	}
	switch {
	case interrupted:
		return cli.ErrInterrupted
	case err != nil:
		return err
	case r.ending.Stop == stopUndecided:
		advice := "raise --games, or the distance of elo0 and elo1"
		if leftOut(out.Games, out.Scores[0].PairResults()) > 0 && g.Advice != "" {
			advice = g.Advice + ", or " + advice
		}
		return cli.InconclusiveError("the test is not decided after %s: %s", text.Plural(out.Games, "game"), advice)
	}
	return checkForfeits(g.Schedule, out.Scores)
}

type report[S Score[S]] struct {
	Game[S]
	out    match.Outcome[S]
	ending Ending // ending between two players
}

func (r report[S]) summaryOf(i int) Summary {
	p := r.Schedule.Pairings()[i]
	return newSummary([2]string{r.Schedule.Players[p.First], r.Schedule.Players[p.Second]}, p.Seed, r.out.Scores[i])
}

func (r report[S]) newSheet() (sheet, error) {
	schedule := r.Schedule
	if len(schedule.Players) == 2 {
		names := distinctNames([2]string(schedule.Players))
		schedule.Players = names[:]
	}
	rated, err := match.RateOutcome(schedule, r.out)
	return sheet{rated, r.Details, r.Luck, r.Unpaired, r.Program + " match"}, err
}

func (r report[S]) jsonReport() (any, error) {
	if len(r.Schedule.Players) == 2 {
		return r.Match(r.summaryOf(0), r.out.Scores[0], r.ending), nil
	}
	sheet, err := r.newSheet()
	if err != nil {
		return nil, err
	}
	var pairings []any
	for i, score := range r.out.Scores {
		pairings = append(pairings, r.Pairing(r.summaryOf(i), score))
	}
	return r.Tournament(sheet.Sheet, pairings), nil
}

func (r report[S]) printReport(env *cli.Env, asJSON bool) error {
	if asJSON {
		value, err := r.jsonReport()
		if err != nil {
			return err
		}
		return cli.WriteJSON(env.Stdout, value)
	}
	if len(r.Schedule.Players) == 2 {
		if r.out.Games > 0 {
			_, draws := r.out.Scores[0].Results()
			r.summaryOf(0).writeReport(env.Stdout, r.Details, r.Unpaired, draws, r.out.Scores[0].ForfeitedGames(), r.ending,
				func(width int) { r.Lines(env.Stdout, r.out.Scores[0], r.ending, width) })
		}
		return nil
	}
	sheet, err := r.newSheet()
	if err == nil {
		err = sheet.writeText(env.Stdout)
	}
	if err != nil {
		return err
	}
	for i, score := range r.out.Scores {
		if line := r.lineOf(score); line != "" {
			s := r.summaryOf(i)
			fmt.Fprintf(env.Stdout, "%s against %s: %s\n", text.Plain(s.Players[0]), text.Plain(s.Players[1]), line)
		}
	}
	time := ""
	if r.out.Played > 0 {
		time = fmt.Sprintf(" in %.4g s on %s", r.out.Elapsed.Seconds(), text.Plural(r.out.Threads, "thread"))
	}
	found := ""
	if before := r.out.Games - r.out.Played; before > 0 {
		found = fmt.Sprintf(", %d found in the log", before)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s played%s%s\n", text.Plural(r.out.Played, "game"), time, found)
	return err
}

func (r report[S]) lineOf(score S) string {
	if r.Line == nil {
		return ""
	}
	return r.Line(score)
}

// saveReports writes the results into the folder of --out, as match or tournament with the endings
// .txt, .html and .json, and the page to --html.
func (r report[S]) saveReports(o *Options) error {
	if o.Out == "" && o.HTML == "" {
		return nil
	}
	sheet, err := r.newSheet()
	if err != nil {
		return err
	}
	value, err := r.jsonReport()
	if err != nil {
		return err
	}
	base := filepath.Join(o.Out, "tournament")
	if len(r.Schedule.Players) == 2 {
		base = filepath.Join(o.Out, "match")
	}
	for _, file := range []struct {
		flag, value, name string
		write             func(io.Writer) error
	}{
		{"--out", o.Out, base + ".txt", sheet.writeText},
		{"--out", o.Out, base + ".html", sheet.writeHTML},
		{"--out", o.Out, base + ".json", func(w io.Writer) error { return cli.WriteJSON(w, value) }},
		{"--html", o.HTML, o.HTML, sheet.writeHTML},
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

// forfeits are the errors of players who failed to move and lost their game.
type forfeits struct {
	mutex sync.Mutex
	first []error
	n     int
}

const mostForfeits = 5 // number of printed errors

func (f *forfeits) note(err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.n++; len(f.first) < mostForfeits {
		f.first = append(f.first, err)
	}
}

func (f *forfeits) printReport(w io.Writer, program string) {
	for _, err := range f.first {
		fmt.Fprintf(w, "%s match: a game is lost: %s\n", program, text.Plain(err.Error()))
	}
	if more := f.n - len(f.first); more > 0 {
		fmt.Fprintf(w, "%s match: %s lost in the same way\n", program, text.Plural(more, "more game"))
	}
}

// checkForfeits returns an error if a player lost every game by failing to move.
func checkForfeits[S Score[S]](s match.Schedule, scores []S) error {
	games, forfeited := make([]int64, len(s.Players)), make([]int64, len(s.Players))
	for i, p := range s.Pairings() {
		for side, player := range [2]int{p.First, p.Second} {
			games[player] += scores[i].FinishedGames()
			forfeited[player] += scores[i].ForfeitedGames()[side]
		}
	}
	for i, name := range s.Players {
		if games[i] > 0 && forfeited[i] == games[i] {
			return fmt.Errorf("player %q: lost every game by failing to move (want a legal move for each position)",
				name)
		}
	}
	return nil
}
