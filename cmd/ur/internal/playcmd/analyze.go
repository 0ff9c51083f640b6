package playcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

var analyzeLong = fmt.Sprintf(`Analyze grades recorded games: it prints the regret of each move, the luck of each
roll, and the result corrected for luck.

Moves are judged by the exact solution if its table is in the cache or the game has at
most 5 pieces (4 where the path has 16 squares), otherwise by a 2-ply search with the
built-in net. The output names the method. A move is an inaccuracy (?!) if it lowers the chance to win by at least %.0f
percentage point, a mistake (?) from %.0f, and a blunder (??) from %.0f.

The luck of a roll is the value of the position after its best move minus the value
before the roll. For several games, in a file or in all records of a folder, analyze
prints totals for each player; --game selects one game and lists its moves.
--svg plots the chances over one game.

--mine lists the games that you finished with "ur play", at most 500, and compares
your moves with the levels. "You play like level N" needs three games of Finkel's
rules against a player, and shows the 95 %% confidence interval over games.`, 100*analysis.Inaccuracy, 100*analysis.Mistake, 100*analysis.Blunder)

type analyzeOptions struct {
	Mine bool `flag:"mine" help:"analyze the games that you finished with \"ur play\"" unless:"game,svg"`
	pick.GameNumber
	SVG string `flag:"svg" help:"write a chart of the chances to <FILE>"`
	cli.Overwrite
	JSON bool `flag:"json" help:"print one JSON object a game, of schema ur.analysis/1"`
}

func newAnalyzeCommand(env *cli.Env) *cobra.Command {
	var o analyzeOptions
	return cli.WithFlags(&cobra.Command{
		Use:     "analyze FILE|DIR... | --mine",
		Short:   "Analyze recorded games",
		Long:    analyzeLong,
		Example: "  ur analyze game.txt\n  ur analyze games.jsonl --game 3 --svg chances.svg\n  ur analyze records/         the regret of each player of a folder\n  ur analyze --mine             your own games, and the level you play at",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Mine && len(args) > 0:
				return cli.UsageError("--mine cannot be used with files, got %q", args[0])
			case o.Mine:
				return analyzeMine(cmd.Context(), env, o)
			case len(args) == 0:
				return cli.UsageError(
					"analyze wants files of records or folders of them, or --mine\nSee \"ur analyze --help\".")
			}
			return runAnalyze(cmd.Context(), env, o, args)
		},
	}, &o)
}

// runAnalyze analyses a file's games in batches, and prints them in their order.
func runAnalyze(ctx context.Context, env *cli.Env, o analyzeOptions, names []string) error {
	if err := cmp.Or(cli.CheckOutput("--svg", o.SVG, o.Force), cli.CheckExtension("--svg", o.SVG, ".svg")); err != nil {
		return err
	}
	var files []string
	found := map[string]bool{} // files in folders: some may be no records
	for _, name := range names {
		more, err := recordFiles(name)
		if err != nil {
			return err
		}
		for _, file := range more {
			found[file] = found[file] || file != name
		}
		files = append(files, more...)
	}
	if o.Game != 0 && len(files) > 1 {
		return cli.UsageError("--game: %s (want one)", text.Plural(len(files), "file"))
	}
	a := newAnalyzer(ctx, env, o)
	err := a.readFiles(files, found)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if a.games == 0 { // interrupted
		return err
	}
	return errors.Join(a.finishReport(), err)
}

// finishReport writes and prints the results, after an interruption those found so far.
func (a *analyzer) finishReport() error {
	if a.options.SVG != "" {
		if a.games != 1 {
			return cli.UsageError("--svg: got %d games (want one: select it with --game)", a.games)
		}
		if err := safefile.Write(a.options.SVG, a.last.WriteSVG); err != nil {
			return err
		}
	}
	if a.options.JSON {
		return nil
	}
	if a.games == 1 {
		return printAnalysis(a.env.Stdout, a.last)
	}
	fmt.Fprintf(a.env.Stdout, "%s, judged by %s\n\n", text.Plural(a.games, "game"),
		analysis.ByWords(a.exact, a.games-a.exact))
	return printPlayers(a.env.Stdout, a.players)
}

// recordFiles returns the file of a name, or the records in a directory, selected by extension
// and sorted by name.
func recordFiles(name string) (files []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	for _, e := range entries {
		if _, err := record.FormatOf(e.Name()); err == nil && !e.IsDir() {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil,
			cli.UsageError("%s: no records in this folder (want files ending in .jsonl, .json, .txt, .rgn or .royalur)",
				name)
	}
	return files, nil
}

// readFiles analyses the games of files. A file found in a folder is noted if it has no game before its first fault.
func (a *analyzer) readFiles(files []string, found map[string]bool) error {
	for _, name := range files {
		games, err := a.readFile(name)
		if err != nil && found[name] && games == 0 && cli.ExitCode(err) == cli.BadUsage {
			fmt.Fprintf(a.env.Stderr, "ur: left out: %s\n", text.Plain(err.Error()))
			continue
		}
		if err != nil {
			return err
		}
	}
	if err := a.flushPending(); err != nil || a.games > 0 {
		return err
	}
	return cli.UsageError("no games (want records)")
}

// readFile adds the games of a file to the batch, and returns their number.
func (a *analyzer) readFile(name string) (games int, err error) {
	const batch = 256
	file, err := pick.Games(a.env, name, "")
	if err != nil {
		return 0, err
	}
	return games, file.Each(a.options.Game, func(_ int, g *record.Game) error {
		games++
		kept := *g
		kept.Turns = slices.Clone(g.Turns)
		if a.batch = append(a.batch, &kept); len(a.batch) < batch {
			return nil
		}
		return a.flushPending()
	})
}

type analyzer struct {
	ctx       context.Context
	env       *cli.Env
	options   analyzeOptions
	evaluator func(context.Context, *board.Rules) (play.Evaluator, error)
	threads   int
	batch     []*record.Game

	games   int
	exact   int               // games judged by the exact solution
	players []analysis.Player // players in all games, as they came
	last    *analysis.Game
}

func newAnalyzer(ctx context.Context, env *cli.Env, o analyzeOptions) *analyzer {
	return &analyzer{ctx: ctx, env: env, options: o, threads: runtime.GOMAXPROCS(0),
		evaluator: new(play.Evaluators).Find}
}

// evaluatorOf returns the evaluator for games of a rule set and number of pieces.
func (a *analyzer) evaluatorOf(g *record.Game) (play.Evaluator, error) {
	set, err := g.Rules.WithPieces(g.Pieces)
	if err != nil {
		return nil, err
	}
	return a.evaluator(a.ctx, set)
}

// analyzeGames analyzes games. After an interruption those not begun are nil.
func (a *analyzer) analyzeGames(games []*record.Game) ([]*analysis.Game, error) {
	results := make([]*analysis.Game, len(games))
	var workers errgroup.Group
	workers.SetLimit(a.threads)
	for i, g := range games {
		e, err := a.evaluatorOf(g)
		workers.Go(func() error {
			if err == nil && a.ctx.Err() == nil {
				results[i], err = analysis.Analyze(context.WithoutCancel(a.ctx), g, e) // it runs to its end
			}
			return err
		})
	}
	return results, workers.Wait()
}

// flushPending analyzes and counts the pending games. After an interruption it counts the finished games
// before the first unfinished one.
func (a *analyzer) flushPending() error {
	results, err := a.analyzeGames(a.batch)
	a.batch = a.batch[:0]
	if err != nil {
		return err
	}
	for _, r := range results {
		if r == nil {
			break
		}
		if err := a.addGame(r); err != nil {
			return err
		}
	}
	return a.ctx.Err()
}

// addGame counts a game, or prints it.
func (a *analyzer) addGame(r *analysis.Game) error {
	a.games++
	if r.By == "table" {
		a.exact++
	}
	a.last = r
	if a.options.JSON {
		if err := cli.WriteJSON(a.env.Stdout, r); err != nil {
			return err
		}
	}
	for _, p := range r.Players {
		i := slices.IndexFunc(a.players, func(known analysis.Player) bool { return known.Name == p.Name })
		if i < 0 {
			i = len(a.players)
			a.players = append(a.players, analysis.Player{Name: p.Name})
		}
		a.players[i].Add(p)
	}
	return nil
}

func printPlayers(w io.Writer, players []analysis.Player) error {
	table := text.Table{Header: []string{"player", "games", "wins", "decisions", "regret", "optimal",
		"luck", "adjusted", "?!", "?", "??"}}
	for _, p := range players {
		regret, optimal := "-", "-" // of no decision
		if p.Decisions > 0 {
			regret, optimal = fmt.Sprintf("%.3f", p.Regret), fmt.Sprintf("%.1f %%", 100*p.Optimal)
		}
		table.Add(pick.NameOf(p.Name), strconv.Itoa(p.Games), strconv.Itoa(p.Wins), strconv.Itoa(p.Decisions),
			regret, optimal, fmt.Sprintf("%+.2f", p.Luck), fmt.Sprintf("%.1f %%", 100*p.Adjusted),
			strconv.Itoa(p.Inaccuracies), strconv.Itoa(p.Mistakes), strconv.Itoa(p.Blunders))
	}
	return table.WriteText(w)
}

// printAnalysis writes one game: its moves, its graph and its players.
func printAnalysis(w io.Writer, a *analysis.Game) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, judged by %s; result: %s\n\n", a.Title(), a.ByWords(), a.Result)
	fmt.Fprintln(&out, "  turn side  roll move          before   after    luck  regret")
	for _, m := range a.Moves {
		line := fmt.Sprintf("  %4d %-5s %4d %-12s %6.1f %% %6.1f %% %+6.1f  %6.2f  %s", m.Turn, m.Side,
			m.Roll, m.Move, 100*m.WinBefore, 100*m.Win, 100*m.Luck, 100*m.Regret, analysis.Sign(m.Mark))
		if m.Mark != "" {
			line += " better " + m.Best
		}
		fmt.Fprintln(&out, strings.TrimRight(line, " "))
	}
	light := a.Light()
	fmt.Fprintf(&out, "\n  %s\n  light's chances after each of %d turns\n", drawSparkline(light), len(light))
	if turning := a.TurningWords(); turning != "" {
		fmt.Fprintf(&out, "\nThe game turned most in %s.\n", turning)
	}
	out.WriteByte('\n')
	if err := printPlayers(&out, a.Players[:]); err != nil {
		return err
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// drawSparkline draws values of 0 to 1 in a line, evenly chosen if there are many.
func drawSparkline(values []float64) string {
	const width = 64
	steps := []rune("▁▂▃▄▅▆▇█")
	columns := min(width, len(values))
	line := make([]rune, columns)
	for c := range line {
		value := values[(c+1)*len(values)/columns-1]
		line[c] = steps[min(len(steps)-1, int(value*float64(len(steps))))]
	}
	return string(line)
}
