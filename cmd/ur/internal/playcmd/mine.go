package playcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
)

const mineLong = `Mine lists the games that you finished with "ur play" on a terminal, and compares your
moves with the levels: by the exact solution if a table was made by "ur solve", otherwise
by the built-in net. The games are kept in "ur/finished" of the cache, at most 500; of a
game that you took back after its end, the first end counts.

"You play like level N" needs three games of Finkel's rules against a player, and shows
the 95 % confidence interval over games.`

// mineOptions are the flags of "ur game mine".
type mineOptions struct {
	json, force   bool
	export, forgo string
}

// newGameMineCommand returns "ur game mine".
func newGameMineCommand(env *cli.Env) *cobra.Command {
	var o mineOptions
	cmd := &cobra.Command{
		Use:   "mine",
		Short: "Show your finished games and your level",
		Long:  mineLong,
		Example: `  ur game mine
  ur game mine --export games.jsonl
  ur game mine --delete all`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"export", "delete"} {
				if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
					return cli.UsageError("--%s: nothing given (want %s)", name, map[string]string{"export": "a file", "delete": "the number of a game, or all"}[name])
				}
			}
			if o.force && o.export == "" {
				return cli.UsageError("--force has no meaning without --export")
			}
			return o.run(cmd.Context(), env)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.json, "json", false, "print one JSON object, of schema ur.mine/1")
	flags.StringVar(&o.export, "export", "", "write the games to `FILE`, whose extension names the format")
	cli.ForceFlag(cmd, &o.force)
	flags.StringVar(&o.forgo, "delete", "", "delete game `N` of the list, or all")
	cmd.MarkFlagsMutuallyExclusive("json", "export", "delete")
	cli.CompleteFlag(cmd, "delete", cobra.FixedCompletions([]string{"all"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// run lists, exports or deletes the games.
func (o mineOptions) run(ctx context.Context, env *cli.Env) error {
	games, err := finishedGames(env)
	if err != nil {
		return err
	}
	switch {
	case o.export != "":
		return exportGames(env, o.export, o.force, games)
	case o.forgo != "":
		return deleteGames(env, o.forgo, games)
	}
	report, err := newMineReport(ctx, games)
	if err != nil {
		return err
	}
	if o.json {
		return cli.WriteJSON(env.Stdout, report)
	}
	return report.print(env.Stdout)
}

// finishedGames returns the finished games, the oldest first. It warns on stderr about files it
// cannot read.
func finishedGames(env *cli.Env) (games []session.Saved, err error) {
	store, err := session.FinishedStore()
	if err != nil {
		return nil, err
	}
	list, err := store.List()
	if err != nil {
		return nil, err
	}
	for i := range list {
		g := list[len(list)-1-i]
		if g.Fault != nil {
			fmt.Fprintf(env.Stderr, "ur game mine: passed over: %v\n", g.Fault)
			continue
		}
		games = append(games, g)
	}
	return games, nil
}

// exportGames writes the games to a file.
func exportGames(env *cli.Env, file string, force bool, games []session.Saved) error {
	form, err := record.FormatOf(file)
	if err != nil {
		return cli.UsageError("--export: %w", err)
	}
	if len(games) == 0 {
		return cli.UsageError("--export: there is no finished game to write")
	}
	if form.One && len(games) != 1 {
		return cli.UsageError("--export: %s can hold only one game, got %d (want a file ending in .jsonl, .txt or .rgn)", file, len(games))
	}
	if err := cli.CheckOutput("--export", file, force); err != nil {
		return err
	}
	err = wholefile.Write(file, func(w io.Writer) error {
		out := record.NewWriter(w, form)
		for _, g := range games {
			if err := out.Write(g.Game); err != nil {
				return err
			}
		}
		return out.Close()
	})
	if err == nil {
		_, err = fmt.Fprintf(env.Stdout, "%s holds %s\n", file, text.Plural(len(games), "game"))
	}
	return err
}

// deleteGames deletes a game by its number, or all.
func deleteGames(env *cli.Env, which string, games []session.Saved) error {
	if which != "all" {
		n, err := strconv.Atoi(which)
		if err != nil || n < 1 || n > len(games) {
			want := "all: there is no game"
			if len(games) > 0 {
				want = fmt.Sprintf("1 to %d, or all", len(games))
			}
			return cli.UsageError("--delete: %q (want %s)", which, want)
		}
		games = games[n-1 : n]
	}
	var failed error
	for _, g := range games {
		failed = errors.Join(failed, os.Remove(g.File))
	}
	if failed != nil {
		return failed
	}
	_, err := fmt.Fprintf(env.Stdout, "Deleted %s\n", text.Plural(len(games), "game"))
	return err
}

// print prints the report as tables.
func (r *mineReport) print(out io.Writer) error {
	if len(r.Games) == 0 {
		_, err := fmt.Fprintln(out, "Games that you finish with \"ur play\" are kept here. There is none yet.")
		return err
	}
	switch l := r.Level; {
	case l != nil:
		fmt.Fprintf(out, "You play like level %.1f (95 %% within %.1f to %.1f): %.2f points lost a move, in %s.\n\n", l.Value, l.Lo, l.Hi, l.Regret, text.Plural(l.Games, "game"))
	default:
		fmt.Fprint(out, "After three games against a player, this page compares you with the levels.\n\n")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "opponent\tgames\twon\tlost a move\t")
	for _, o := range r.Opponents {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t\n", text.Plain(o.Player), o.Games, o.Won, o.Regret)
	}
	fmt.Fprintln(w, "\t\t\t\t")
	if err := w.Flush(); err != nil {
		return err
	}
	if boardview.UTF8() {
		fmt.Fprint(out, r.overTime())
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "game\tdate\tagainst\tresult\tturns\tlost a move\t")
	for _, g := range r.Games {
		lost := "-"
		if g.Regret != nil {
			lost = fmt.Sprintf("%.2f", *g.Regret)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%s\t\n", g.Number, g.Date[:len("2006-01-02")], text.Plain(g.Against), g.Result, g.Turns, lost)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "A point is 1 %% of the probability to win, judged by %s.\n", r.By)
	return err
}

// overTime draws the points lost a move in the latest games, the oldest first.
func (r *mineReport) overTime() string {
	var lost []float64
	most := 0.0
	for _, g := range r.Games {
		if g.Regret != nil {
			lost = append(lost, *g.Regret)
			most = max(most, *g.Regret)
		}
	}
	if len(lost) < 2 || most == 0 {
		return ""
	}
	const columns = 60
	steps := []rune("▁▂▃▄▅▆▇█")
	var line []rune
	for _, x := range lost[max(0, len(lost)-columns):] {
		line = append(line, steps[min(len(steps)-1, int(x/most*float64(len(steps))))])
	}
	return fmt.Sprintf("Points lost a move, game by game, at most %.2f:\n  %s\n\n", most, string(line))
}
