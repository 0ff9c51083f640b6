package playcmd

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/session"
)

// analyzeMine lists the games that the user finished with "ur play", and compares them with the
// levels.
func analyzeMine(ctx context.Context, env *cli.Env, o analyzeOptions) error {
	games, err := finishedGames(env)
	if err != nil {
		return err
	}
	report, err := newMineReport(newAnalyzer(ctx, env, o), games)
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
			fmt.Fprintf(env.Stderr, "ur: passed over: %v\n", g.Fault)
			continue
		}
		games = append(games, g)
	}
	return games, nil
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
	_, err := fmt.Fprintf(out, "A point is 1 %% of the probability to win, judged by %s. The games are in %s.\n", r.By, r.Folder)
	return err
}

// overTime draws the points lost a move in the games, the oldest first.
func (r *mineReport) overTime() string {
	var lost []float64
	for _, g := range r.Games {
		if g.Regret != nil {
			lost = append(lost, *g.Regret)
		}
	}
	if len(lost) < 2 || slices.Max(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("Points lost a move, game by game, at most %.2f:\n  %s\n\n", slices.Max(lost), sparkline(lost, slices.Max(lost)))
}
