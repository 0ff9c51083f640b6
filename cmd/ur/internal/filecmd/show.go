package filecmd

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

const showLong = `The content of a file determines its kind:

  record     each game as a .txt has it: players, turns with positions, result
  brain      its weights in the form that brain:FILE reads
  squares    their values in the form that greedy:FILE reads
  net        architecture, size and provenance
  table      form, rules, size and the first player's chance
  book       each position with its moves, the best first: ID, score in points
             of win probability above 50 (in units of other games), depth,
             games won-drawn-lost
  rule set   its definition

Instead of a file, the name of a built-in brain, net or rule set is accepted: brain,
brain:classic, net, blitz, ...

-o draws a brain: a cell for each weight, by the squares of its row and column.

Exit codes: 0 done; 2 bad usage, or an unsound file.`

type shower struct {
	ctx context.Context
	env *cli.Env

	pick.GameNumber
	Output string `flag:"output,o" help:"draw a brain to this <file>, .svg or .html"`
	cli.Overwrite
}

func newShowCommand(env *cli.Env) *cobra.Command {
	s := &shower{env: env}
	cmd := cli.WithFlags(&cobra.Command{
		Use:   "show FILE",
		Short: "Print a record, brain, net, table, book or rule set",
		Long:  showLong,
		Example: `  ur show games.jsonl --game 3
  ur show brain > mine.txt        start a brain of your own
  ur show brain -o brain.svg      draw its weights`,
		Args: cli.Exactly(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.ctx = cmd.Context()
			return s.showFile(args[0])
		},
	}, s)
	_ = cmd.MarkFlagFilename("output", "svg", "html")
	return cmd
}

// checkOutput checks -o.
func (s *shower) checkOutput() error {
	if ending := cli.Extension(s.Output); s.Output != "" && ending != ".svg" && ending != ".html" {
		return cli.UsageError("-o: unknown extension of %s (want .svg or .html)", s.Output)
	}
	return cli.CheckOutput("-o", s.Output, s.Force)
}

// showFile shows a file, or a built-in brain, net or rule set when there is no such file.
func (s *shower) showFile(name string) error {
	if err := s.checkOutput(); err != nil {
		return err
	}
	k, err := kindOf(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !isBuiltIn(name) {
			return cli.UsageError("%w (want a file, or the name of a built-in brain, net or rule set)", err)
		}
		k, err = builtInKind, nil
	}
	switch {
	case err != nil:
		return err
	case k != recordKind && s.Game > 0:
		return cli.UsageError("--game is for records, and %s is none (want a file of records)", name)
	case s.Output != "" && k != brainKind && k != builtInKind:
		return notDrawn(name)
	}
	return k.show(s, name)
}

var builtInKind = &kind{show: (*shower).builtIn}

func notDrawn(name string) error {
	return cli.UsageError("-o: %s is no brain (want brain, brain:classic or a file of weights)", name)
}

func isBuiltIn(name string) bool {
	_, isPlayer := play.KindOf(name)
	_, err := board.Lookup(name)
	return isPlayer || err == nil
}

// builtIn shows a brain, net or rule set by its name.
func (s *shower) builtIn(name string) error {
	if r, err := board.Lookup(name); err == nil {
		if s.Output != "" {
			return notDrawn(name)
		}
		return s.printRules(name, r)
	}
	p, err := pick.Player(name)
	if err != nil {
		return err
	}
	brain, isBrain := p.Source.(play.Brain)
	_, isNet := p.Source.(play.Net)
	switch {
	case isBrain:
		return s.printBrain(name, brain.Weights)
	case s.Output != "":
		return notDrawn(name)
	case isNet:
		n, _, err := valuenet.BuiltinFor(board.Finkel())
		if err != nil {
			return err
		}
		return s.printNet("", n)
	}
	return cli.UsageError("player %q has no weights (want brain, brain:classic, greedy:linear or net)", name)
}

// printBrain prints the text form of a brain under a summarizing comment.
func (s *shower) printBrain(name string, b *ur.Brain) error {
	if s.Output != "" {
		return s.drawBrain(name, b)
	}
	rows, err := b.MarshalText()
	if err != nil {
		return err
	}
	zeros := 0
	for _, w := range b {
		if w == 0 {
			zeros++
		}
	}
	start := board.StartPosition(board.FinkelPieces)
	out := s.env.Stdout
	fmt.Fprintf(out, "// %q: %d weights, %d of them 0, from %d to %d\n", name, len(b), zeros,
		slices.Min(b[:]), slices.Max(b[:]))
	fmt.Fprintf(out, "// Worth to Light of the start with %d pieces: %d, and %d when Dark begins.\n",
		board.FinkelPieces, b.Value(start), b.Value(start.Pass()))
	fmt.Fprintln(out, "// Rows and columns 0 to 15: Light's squares; 16 to 31: Dark's; 32: the side to move.")
	fmt.Fprint(out, b.HashComment())
	_, err = out.Write(rows)
	return err
}

// printSquares prints the text form of square values.
func (s *shower) printSquares(name string, v play.SquareValues) error {
	rows, err := v.MarshalText()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.env.Stdout, "// %q: the values of squares 1 to %d\n%s", name, len(v), rows)
	return err
}

// drawBrain writes the picture of a brain.
func (s *shower) drawBrain(name string, b *ur.Brain) error {
	picture := play.DrawBrain(name, b)
	if cli.Extension(s.Output) == ".html" {
		picture = plot.Page(name, picture)
	}
	return safefile.Write(s.Output, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

func (s *shower) printNet(name string, n *valuenet.Net) error {
	q, err := valuenet.Quantise(n)
	if err != nil {
		return cli.UsageError("%s: %w", name, err)
	}
	r := cmp.Or(n.Rules, board.Finkel())
	e, err := play.NewEvaluator(play.Net{Spec: "net", Value: q}.Player(), r, nil)
	if err != nil {
		return err
	}
	start, err := e.Evaluate(s.ctx, r.Start(), search.NoRoll) // as "ur eval" does
	if err != nil {
		return err
	}
	out := s.env.Stdout
	fmt.Fprintf(out, "rules       %s\nhidden      %v\nweights     %d\n", r.Name(), n.Hidden, n.Weights())
	fmt.Fprintf(out, "in integers %d bytes\nthe start   %.2f %% for Light\n", q.Bytes(), 100*start.Win)
	for _, key := range slices.Sorted(maps.Keys(n.Meta)) {
		fmt.Fprintf(out, "%s: %q\n", key, n.Meta[key])
	}
	return nil
}

func (s *shower) printTable(name string, t *solve.Table) error {
	defer t.Close()
	info := t.Info()
	start := t.Win(t.Rules().Start())
	if err := t.Err(); err != nil {
		return cli.UsageError("%w", err)
	}
	rounding, decimals := "not rounded", 10
	if most := info.Encoding.Rounding(); most > 0 {
		rounding = fmt.Sprintf("rounded by %.1e at most", most)
		decimals = min(decimals, int(-math.Log10(100*most))) // those left by rounding
	}
	out := s.env.Stdout
	fmt.Fprintf(out, "%s: perfect play with %s a side\n\n", name, text.Plural(t.Pieces(), "piece"))
	fmt.Fprintf(out, "  rules       %s\n", t.Rules().Name())
	fmt.Fprintf(out, "  form        .%s, values %s, %s\n", info.Encoding.Format(), info.Encoding.Values(), rounding)
	fmt.Fprintf(out, "  positions   %s\n", text.Grouped(info.Entries))
	fmt.Fprintf(out, "  size        %s bytes\n", text.Grouped(info.Bytes))
	fmt.Fprintf(out, "  start       the first player wins %.*f %%\n", decimals, 100*start)
	if string(info.Meta) != "{}" {
		fmt.Fprintf(out, "  also        %s\n", info.Meta)
	}
	return nil
}

func (s *shower) printRules(_ string, r *board.Rules) error {
	definition, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.env.Stdout, "%s\n", definition)
	return err
}

// printBook prints a book. A position without a text is named by its key.
func (s *shower) printBook(_ string, b *search.Book) error {
	w := bufio.NewWriter(s.env.Stdout)
	fmt.Fprintf(w, "# book of %s, %d positions\n# moves: ID score/depth won-drawn-lost\n", b.Game(), b.Len())
	for k, moves := range b.All() {
		position := b.Text(k)
		if position == "" {
			position = fmt.Sprintf("%016x %016x", k.Index, k.Check)
		}
		fmt.Fprint(w, position)
		for _, m := range moves {
			score := fmt.Sprintf("%+d", m.Score)
			if b.Game() == play.BookGame(board.Finkel()) { // values are probabilities, from a certain loss to a certain win
				score = fmt.Sprintf("%+.2f", 50*float64(m.Score)/float64(search.MaxValue))
			}
			fmt.Fprintf(w, "  %d %s/%d %d-%d-%d", m.ID, score, m.Depth, m.Won, m.Drawn, m.Lost)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// printRecords prints a file's games as text.
func (s *shower) printRecords(name string) error {
	file, err := pick.GamesIf(s.env, name, "", recordsOnly(name))
	if err != nil {
		return err
	}
	form, err := record.LookupFormat("text")
	if err != nil {
		return err
	}
	return file.Each(s.Game, func(_ int, g *record.Game) error {
		var game bytes.Buffer
		to := record.NewWriter(&game, form)
		if err := errors.Join(to.Write(g), to.Close()); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.env.Stdout, text.Lines(game.String()))
		return err
	})
}

// openTable opens a table of any rules.
func openTable(name string) (*solve.Table, error) { return solve.Open(name, nil) }
