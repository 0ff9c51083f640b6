package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newShowCommand(env *cli.Env) *cobra.Command {
	var o struct {
		Masks bool `flag:"masks" help:"draw bitboards with their hexadecimal words"`
	}
	cmd := &cobra.Command{
		Use:   "show BOARD [SIDE] | FILE.wtb",
		Short: "Draw a position or its bitboards, or list the games of an archive",
		Long: `Show draws a position: 64 squares (a1 to h1 first: X, O, and . or -) with the side to move,
or the moves of a game from its start, such as f5d6c3, whose opening it names. In
the drawing a dot is a legal move. A board that begins with - comes after --.

With --masks it draws the words of 64 bits that the program computes with, each with
its hexadecimal number: the discs, the legal moves, the discs that each move turns
over, and the discs that nothing can turn over any more, as far as they are known. Bit
0 is a1, bit 7 is h1, bit 63 is h8.

Of an archive in the WTHOR format it prints the complete games, one a line with the
difference for Black and the opening behind "#": "reversi match --openings" and
"reversi book learn" read this list, and the archive as well.`,
		Example: `  reversi show f5d6c3d3c4
  reversi show f5d6c3 --masks
  reversi show WTH_2004.wtb > games.txt
  reversi show --masks -- ---------------------------OX------XO--------------------------- X`,
		Args: cli.Between(1, 2, "64 squares and a side, or the moves of a game"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && isArchive(args[0]) && !o.Masks {
				return showArchive(env.Stdout, args[0])
			}
			p, name, err := parseShown(args)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			text := drawPosition(p, name)
			if o.Masks {
				text += "\n" + drawMasks(masksOf(p))
			}
			_, err = fmt.Fprint(env.Stdout, text)
			return err
		},
	}
	cmd.SetFlagErrorFunc(explainBoard)
	return cli.WithFlags(cmd, &o)
}

// explainBoard explains a board that was taken for a flag.
func explainBoard(cmd *cobra.Command, err error) error {
	typed := ""
	if syntax, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		typed = syntax.GetSpecifiedFlag()
	} else if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		typed = cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
	}
	if len(typed) >= 60 && isBoard(typed) {
		return cli.UsageError(`a board that begins with - is taken for a flag (want "reversi show -- BOARD SIDE")`)
	}
	return cmd.Root().FlagErrorFunc()(cmd, err)
}

// isBoard reports whether a word has squares of a board only, and more of them than a game can pass in turn.
func isBoard(word string) bool { return len(word) > 4 && strings.Trim(word, "-.xXoO*") == "" }

// showArchive prints the games of an archive.
func showArchive(w io.Writer, name string) error {
	games, err := readRecords(name, false)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	var lines strings.Builder
	for _, g := range games {
		line := fmt.Sprintf("%s # %+d %s", g.Text(), reversi.ScoreFor(g, board.Black), reversi.Opening(g))
		lines.WriteString(strings.TrimSpace(line) + "\n")
	}
	_, err = io.WriteString(w, lines.String())
	return err
}

// parseShown reads a position, or a game and the name of its opening.
func parseShown(args []string) (p board.Position, name string, err error) {
	words := strings.Fields(strings.Join(args, " "))
	if len(words) > 0 && (len(words[0]) == 64 || isBoard(words[0])) {
		p, _, err = board.ParseOBF(strings.Join(words, " "))
		return p, "", err
	}
	r, err := board.ParseRecord(board.StartPosition(), strings.Join(words, ""))
	const want = "(want 64 squares and a side, or moves such as f5d6c3)"
	switch _, failed := os.Stat(args[0]); {
	case err != nil && isArchive(args[0]):
		err = fmt.Errorf("%s is an archive, whose games are listed without a side and --masks %s", args[0], want)
	case err != nil && failed == nil:
		err = fmt.Errorf("%s is a file and no archive (.wtb) %s", args[0], want)
	case err != nil:
		err = fmt.Errorf("%w %s", err, want)
	}
	return r.End(), reversi.Opening(r), err
}

// drawPosition draws the board with the legal moves.
func drawPosition(p board.Position, name string) string {
	squares := []byte(p.Text())
	for _, s := range board.Squares(p.Moves()) {
		squares[s] = '.'
	}
	var text strings.Builder
	text.WriteString("   a b c d e f g h\n")
	for row := range 8 {
		line := strings.Join(strings.Split(string(squares[8*row:8*row+8]), ""), " ")
		fmt.Fprintf(&text, "%d  %s\n", row+1, line)
	}
	state := title(p.Side.Name()) + " to move"
	if p.Over() {
		state = "The game is over: " + p.Verdict()
	}
	fmt.Fprintf(&text, "%s, %d discs to %d", state, bits.OnesCount64(p.Black()), bits.OnesCount64(p.White()))
	if name != "" {
		fmt.Fprintf(&text, "; opening: %s", name)
	}
	return text.String() + "\n"
}

// mask is a bitboard with a title.
type mask struct {
	title string
	set   uint64
}

// masksOf lists the bitboards of a position.
func masksOf(p board.Position) []mask {
	list := []mask{
		{"black", p.Black()}, {"white", p.White()}, {"moves", p.Moves()},
		{"black stable", eval.Stable(p.Black(), p.White())}, {"white stable", eval.Stable(p.White(), p.Black())},
	}
	for _, s := range board.Squares(p.Moves()) {
		list = append(list, mask{s.String() + " flips", p.Flips(s)})
	}
	return list
}

// drawMasks draws three bitboards beside each other.
func drawMasks(list []mask) string {
	var text strings.Builder
	for len(list) > 0 {
		group := list[:min(3, len(list))]
		list = list[len(group):]
		var lines [10]string
		for _, m := range group {
			lines[0] += fmt.Sprintf("%-20s", m.title)
			lines[1] += fmt.Sprintf("%-20s", fmt.Sprintf("%016x", m.set))
			for row := range 8 {
				for column := range 8 {
					lines[2+row] += string("-1"[m.set>>(8*row+column)&1]) + " "
				}
				lines[2+row] += "    "
			}
		}
		for _, line := range lines {
			text.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		if len(list) > 0 {
			text.WriteByte('\n')
		}
	}
	return text.String()
}
