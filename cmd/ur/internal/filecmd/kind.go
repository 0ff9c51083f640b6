// Package filecmd implements the commands about files of any kind: show, convert and check.
package filecmd

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

// Commands returns this package's commands.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newShowCommand(env), newConvertCommand(env), newCheckCommand(env)}
}

// kind is a kind of file: how the commands treat such a file.
type kind struct {
	show    func(s *shower, name string) error
	convert func(ctx context.Context, c *converter, in, out string) error // nil if it has one form only
	check   func(ctx context.Context, c *checker, name string) error
}

var (
	recordKind = &kind{show: (*shower).printRecords, convert: convertRecords, check: checkRecords}
	brainKind  = &kind{show: showOpened(play.ReadBrainFile, (*shower).printBrain), check: checkOpened(play.ReadBrainFile)}
	netKind    = &kind{show: showOpened(valuenet.Open, (*shower).printNet), convert: convertNet, check: checkOpened(valuenet.Open)}
	tableKind  = &kind{show: showOpened(openTable, (*shower).printTable), convert: convertTable, check: checkTable}
	bookKind   = &kind{show: showOpened(openBook, (*shower).printBook), check: checkOpened(openBook)}
	rulesKind  = &kind{show: showOpened(board.Find, (*shower).printRules), check: checkOpened(board.Find)}

	squaresKind = &kind{show: showOpened(play.ReadSquaresFile, (*shower).printSquares),
		check: checkOpened(play.ReadSquaresFile)}
)

// kinds are the kinds by the names of [kindOfHead].
var kinds = map[string]*kind{records: recordKind, "a brain": brainKind, "square values": squaresKind, "a net": netKind,
	"a table": tableKind, "a book": bookKind, "a rule set": rulesKind}

const records = "records"

// showOpened returns a function to open a file and show its content.
func showOpened[T any](open func(name string) (T, error),
	show func(s *shower, name string, content T) error) func(*shower, string) error {
	return func(s *shower, name string) error {
		content, err := open(name)
		if err != nil {
			return cli.UsageError("%w", err)
		}
		return show(s, name, content)
	}
}

// checkOpened returns a check of files: a readable file is sound.
func checkOpened[T any](open func(name string) (T, error)) func(context.Context, *checker, string) error {
	return func(_ context.Context, _ *checker, name string) error {
		_, err := open(name)
		return err
	}
}

// openBook reads a book of any game.
func openBook(name string) (*search.Book, error) { return search.OpenBook(name, "") }

const headSize = 64 << 10 // number of bytes of a file that determine its kind

// kindOf returns the kind of a file by its content. The names of members distinguish the files
// in JSON.
func kindOf(name string) (*kind, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	defer file.Close()
	switch info, err := file.Stat(); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, cli.UsageError("%s is a folder (want a file)", name)
	case info.Mode().IsRegular() && info.Size() == 0:
		return nil, cli.UsageError("%s is empty (want a brain, net, table, book, rule set or record)", name)
	case !info.Mode().IsRegular():
		return recordKind, nil // a pipe can be read once: see [recordsOnly]
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return kinds[kindOfHead(head[:n])], nil
}

// recordsOnly returns a check of the first bytes of a file, which refuses any that begins like another kind. Only a
// pipe can.
func recordsOnly(name string) func(head []byte) error {
	return func(head []byte) error {
		if is := kindOfHead(head); is != records {
			return cli.UsageError("%s is %s in a pipe, from which only records are read (want a regular file)", name, is)
		}
		return nil
	}
}

// kindOfHead returns the name of the kind of a file with the given bytes at its beginning: the one of records if no
// other fits, whose formats explain what they want.
func kindOfHead(head []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	begins := func(prefix string) bool { return bytes.HasPrefix(text, []byte(prefix)) }
	has := func(members ...string) bool {
		return !slices.ContainsFunc(members, func(m string) bool { return !bytes.Contains(text, []byte(`"`+m+`"`)) })
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x89URT")), bytes.HasPrefix(head, []byte("RGU")):
		return "a table"
	case len(head) > 8 && head[8] == '{' && binary.LittleEndian.Uint64(head) < 1<<32:
		return "a net" // the length of a header of safetensors, and the header
	case begins("search.book/"):
		return "a book"
	case begins("{") && has("weights"):
		return "a brain"
	case begins("{") && (has("notation_version") || has("turns")), begins("// The Royal Game of Ur, record"):
		return records
	case begins("{") && has("dice", "light"):
		return "a rule set"
	case begins("{"):
		return "a net"
	case len(text) > 0 && bytes.IndexByte([]byte("/-0123456789"), text[0]) >= 0:
		if hasSquares(text) {
			return "square values"
		}
		return "a brain"
	}
	return records
}

// hasSquares reports whether a text has square values: 15 numbers, or the comments of "ur train tree".
func hasSquares(text []byte) bool {
	numbers := 0
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("//"))
		numbers += len(bytes.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) }))
	}
	return numbers == len(play.SquareValues{}) || bytes.Contains(text, []byte("// square 1\n"))
}

const checkLong = `Prints nothing if all files are sound. Otherwise it prints every fault with its file
and line or byte. Records are replayed by the rules, and by the dice if they name them;
checksums and hashes are compared; a net must have finite numbers of its shape.

In a .urt table the checksums detect any damage. A .rgu has none: its values are
compared with the rules of the game, as --residual does for every table.
The largest difference is the residual; it must not exceed the effect of rounding.

Exit codes: 0 all files are sound; 2 bad usage, or a fault was found; 130 interrupted.`

type checker struct {
	env    *cli.Env
	faults int

	Residual bool `flag:"residual" help:"compare every value of a table with that computed from the next positions"`
}

func newCheckCommand(env *cli.Env) *cobra.Command {
	c := &checker{env: env}
	return cli.WithFlags(&cobra.Command{
		Use:   "check FILE...",
		Short: "Check records, brains, nets, tables, books and rule sets",
		Long:  checkLong,
		Example: `  ur check games.jsonl mine.txt
  ur check finkel.urt --residual`,
		Args: cli.Between(1, math.MaxInt, "files"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.checkFiles(cmd.Context(), args) },
	}, c)
}

func (c *checker) checkFiles(ctx context.Context, names []string) error {
	for _, name := range names {
		k, err := kindOf(name)
		if err == nil {
			err = k.check(ctx, c, name)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.printFault("%v", err)
		}
	}
	if c.faults > 0 {
		return cli.UsageError("%s (want none)", text.Plural(c.faults, "fault"))
	}
	return nil
}

func (c *checker) printFault(format string, args ...any) {
	c.faults++
	fmt.Fprintln(c.env.Stdout, text.Lines(fmt.Sprintf(format, args...)))
}

// checkRecords prints the faults of all games of a file.
func checkRecords(ctx context.Context, c *checker, name string) error {
	file, err := pick.GamesIf(c.env, name, "", recordsOnly(name))
	if err != nil {
		return err
	}
	defer file.Close()
	for ctx.Err() == nil {
		_, err := file.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			c.printFault("%s:%d: %s", name, fault.Line, fault.Msg)
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// checkTable checks the checksums of a table, and its values if they are to be compared. A .rgu was
// compared with the rules when it was opened.
func checkTable(ctx context.Context, c *checker, name string) error {
	t, err := openTable(name)
	if err != nil {
		return err
	}
	defer t.Close()
	bar := cli.NewPartBar(c.env, "reading")
	err = t.Verify(ctx, func(done, total int64) { bar.Done(float64(done) / float64(total)) })
	bar.Clear()
	if err != nil || !c.Residual {
		return err
	}
	wait := cli.NewWait(c.env, "comparing all values with the rules")
	defer wait.Clear()
	residual, err := t.Certify(ctx, 0)
	if most := t.Info().Encoding.Residual(); err == nil && residual > most {
		err = cli.UsageError("%s: not a solution: the residual is %.3g (want %.3g at most)", name, residual, most)
	}
	return err
}
