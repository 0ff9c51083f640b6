package pick

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
)

// GameNumber is the number of a game in a file of records, from 1; 0 is all.
type GameNumber struct {
	Game int
}

// AddFlags adds --game, which is checked before the command runs.
func (n *GameNumber) AddFlags(cmd *cobra.Command, _ reflect.StructTag) {
	cmd.Flags().IntVar(&n.Game, "game", 0, "number of the game in a file of records, from 1 (default all)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if cmd.Flags().Changed("game") && n.Game < 1 {
			return cli.UsageError("--game must be at least 1, got %d", n.Game)
		}
		return nil
	}
}

type gameFile struct {
	env   *cli.Env
	file  *os.File
	noted bool // already warned about a game without a hash
	*record.Reader
}

const detectSize = 64 << 10 // number of bytes that determine a file's format

// Games opens a file of records in the format of a name. Without one, the content determines it.
func Games(env *cli.Env, name, form string) (*gameFile, error) {
	return GamesIf(env, name, form, func([]byte) error { return nil })
}

// GamesIf is [Games] for a file whose first bytes pass a check, unless there is a name of the format.
func GamesIf(env *cli.Env, name, form string, check func(head []byte) error) (*gameFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	in := bufio.NewReaderSize(file, detectSize)
	head, err := in.Peek(detectSize)
	var format record.Format
	switch {
	case len(head) > 0 && form != "":
		format, err = record.LookupFormat(form)
	case len(head) > 0:
		if err = check(head); err != nil {
			break
		}
		if format, err = record.Detect(string(head)); err != nil {
			err = cli.UsageError("%s: %w", name, err)
		}
	case err == io.EOF:
		err = cli.UsageError("%s is empty (want a file of records)", name)
	case errors.Is(err, syscall.EISDIR):
		err = cli.UsageError("%s is a folder (want a file of records)", name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &gameFile{env, file, false, record.NewReader(in, format)}, nil
}

// Close closes the file.
func (f *gameFile) Close() error { return f.file.Close() }

// Next returns the next game. The first one without a hash is noted on stderr.
func (f *gameFile) Next() (*record.Game, error) {
	g, err := f.Reader.Next()
	if err == nil && f.Unhashed() && !f.noted {
		f.noted = true
		fmt.Fprintf(f.env.Stderr,
			"ur: %s: a game has no hash, so damage to its names goes unnoticed; \"ur convert\" adds one\n",
			f.file.Name())
	}
	return g, err
}

// Each calls do with all games, or with the one of a number from 1 on, and closes the file. A
// fault ends it.
func (f *gameFile) Each(number int, do func(n int, g *record.Game) error) error {
	defer f.file.Close()
	for n := 1; ; n++ {
		g, err := f.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF && (number >= n || n == 1):
			return cli.UsageError("%s holds %s", f.file.Name(), text.Plural(n-1, "game"))
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			return cli.UsageError("%s:%d: %s", f.file.Name(), fault.Line, fault.Msg)
		case err != nil:
			return err
		case number != 0 && n != number:
			continue
		}
		if err := do(n, g); err != nil {
			return err
		}
		if n == number {
			return nil
		}
	}
}

// NameOf returns a player's name, as a record has it, safe to print.
func NameOf(player string) string { return cmp.Or(text.Plain(player), "unnamed") }
