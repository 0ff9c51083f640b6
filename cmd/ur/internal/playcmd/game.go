package playcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
)

const gameLong = `Game reads records of games, as written by "ur play --record" and
"ur match --record". The extension determines the format: .jsonl or .json has one
JSON object a line, .txt a line for each turn, .rgn is RGN, and .royalur the JSON of
RoyalUr.

Reading is strict: every turn is replayed by the rules, and by the dice if the record
names them. Errors are reported with their line.`

// newGameCommand returns "ur game".
func newGameCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("game", "Show, replay, convert and check game records", gameLong,
		newGameShowCommand(env), newGameReplayCommand(env), newGameConvertCommand(env), newGameValidateCommand(env), newGameMineCommand(env))
}

// gameFile is an open file of records.
type gameFile struct {
	env   *cli.Env
	name  string
	noted bool // already warned about a game without a hash
	file  *os.File
	*record.Reader
}

// openGames opens a file in the form of a name, or of its ending.
func openGames(env *cli.Env, name, form string) (*gameFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	f, err := fileForm(file, form)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &gameFile{env, name, false, file, record.NewReader(file, f)}, nil
}

// fileForm returns the format of an open file. A folder and an empty file are reported as such,
// and not by their extension.
func fileForm(file *os.File, form string) (record.Format, error) {
	switch info, err := file.Stat(); {
	case err != nil:
		return record.Format{}, err
	case info.IsDir():
		return record.Format{}, cli.UsageError("%s is a folder (want a file of records)", file.Name())
	case info.Mode().IsRegular() && info.Size() == 0:
		return record.Format{}, cli.UsageError("%s is empty (want a file of records)", file.Name())
	}
	return gameForm("--from", file.Name(), form)
}

// Next returns the next game. The first one without a hash is noted on stderr.
func (f *gameFile) Next() (*record.Game, error) {
	g, err := f.Reader.Next()
	if err == nil && f.Unhashed() && !f.noted {
		f.noted = true
		fmt.Fprintf(f.env.Stderr, "ur: %s: a game has no hash, so damage to its names goes unnoticed; \"ur game convert\" adds one\n", f.name)
	}
	return g, err
}

// gameForm returns the format of a flag, or of a file's extension.
func gameForm(flag, file, name string) (f record.Format, err error) {
	if name != "" {
		if f, err = record.LookupFormat(name); err != nil {
			return f, cli.UsageError("%s: %w", flag, err)
		}
		return f, nil
	}
	if f, err = record.FormatOf(file); err != nil {
		return f, cli.UsageError("%w; or name the format with %s", err, flag)
	}
	return f, nil
}

// each calls do with all games, or with the one of a number from 1 on. A fault ends it.
func (f *gameFile) each(number int, do func(n int, g *record.Game) error) error {
	defer f.file.Close()
	for n := 1; ; n++ {
		g, err := f.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF && (number >= n || n == 1):
			return cli.UsageError("%s holds %s", f.name, text.Plural(n-1, "game"))
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			return cli.UsageError("%s:%d: %s", f.name, fault.Line, fault.Msg)
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

// newGameShowCommand returns "ur game show".
func newGameShowCommand(env *cli.Env) *cobra.Command {
	var from string
	var number int
	cmd := &cobra.Command{
		Use:     "show FILE",
		Short:   "Print players, moves and result",
		Example: "  ur game show game.txt\n  ur game show games.jsonl --game 3",
		Args:    cli.Exactly(1, "a FILE of records"),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := openGames(env, args[0], from)
			if err != nil {
				return err
			}
			return file.each(number, func(n int, g *record.Game) error { return showGame(env.Stdout, n, g) })
		},
	}
	addGameFlags(cmd, &from, &number)
	return cmd
}

// addGameFlags adds --game, checked before the command runs, and --from.
func addGameFlags(cmd *cobra.Command, from *string, number *int) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if cmd.Flags().Changed("game") && *number < 1 {
			return cli.UsageError("--game must be at least 1, got %d", *number)
		}
		return nil
	}
	cmd.Flags().IntVar(number, "game", 0, "number of the game in the file, from 1 (default all)")
	addFormFlag(cmd, "from", from)
}

// addFormFlag adds a flag for a form of records.
func addFormFlag(cmd *cobra.Command, name string, form *string) {
	names := strings.Join(record.FormatNames(), ", ")
	cmd.Flags().StringVar(form, name, "", "`format` of the file: "+names+" (default by extension)")
	cli.CompleteFrom(cmd, name, record.FormatNames()...)
}

// nameOf returns the name of a player, as a record has it, safe to print.
func nameOf(player string) string {
	if player == "" {
		return "somebody"
	}
	return text.Plain(player)
}

// showGame prints a game. Consecutive turns of a side share a line.
func showGame(w io.Writer, n int, g *record.Game) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Game %d: %s (light) against %s (dark), %s", n, nameOf(g.Players[0]), nameOf(g.Players[1]), text.Plural(g.Pieces, "piece"))
	if g.Rules != nil {
		fmt.Fprintf(&out, ", %s rules", g.Rules.Title())
	}
	if g.Dice != nil {
		fmt.Fprintf(&out, ", game %d of seed %d", g.Dice.Game, g.Dice.Seed)
	}
	out.WriteString("\n")
	column := 0
	_, err := g.Replay(func(s *record.Step) {
		side := [2]string{"light", "dark "}[s.Side()]
		if s.Number == 0 || column == 0 {
			fmt.Fprintf(&out, "%4d %s", s.Number+1, side)
		}
		fmt.Fprintf(&out, "  %d %s", s.Roll, s.Text())
		if column++; s.NextSide() != s.Side() || column == 5 {
			out.WriteString("\n")
			column = 0
		}
	})
	if err != nil {
		return err
	}
	if column > 0 {
		out.WriteString("\n")
	}
	fmt.Fprintf(&out, "result: %s after %s\n", g.Result, text.Plural(len(g.Turns), "turn"))
	_, err = io.WriteString(w, out.String())
	return err
}

// newGameReplayCommand returns "ur game replay".
func newGameReplayCommand(env *cli.Env) *cobra.Command {
	var from string
	var number int
	cmd := &cobra.Command{
		Use:     "replay FILE",
		Short:   "Print each turn with the position after it",
		Example: "  ur game replay game.rgn",
		Args:    cli.Exactly(1, "a FILE of records"),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := openGames(env, args[0], from)
			if err != nil {
				return err
			}
			form, err := record.LookupFormat("text")
			if err != nil {
				return err
			}
			out := record.NewWriter(env.Stdout, form)
			err = file.each(number, func(_ int, g *record.Game) error {
				g.Players = [2]string{text.Plain(g.Players[0]), text.Plain(g.Players[1])}
				return out.Write(g)
			})
			return errors.Join(err, out.Close())
		},
	}
	addGameFlags(cmd, &from, &number)
	return cmd
}

// newGameConvertCommand returns "ur game convert".
func newGameConvertCommand(env *cli.Env) *cobra.Command {
	var from, to string
	var number int
	var force bool
	cmd := &cobra.Command{
		Use:     "convert IN OUT",
		Short:   "Convert games to another format",
		Example: "  ur game convert game.txt game.rgn\n  ur game convert games.jsonl third.royalur --game 3",
		Args:    cli.Exactly(2, "a FILE to read and a FILE to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := openGames(env, args[0], from)
			if err != nil {
				return err
			}
			form, err := gameForm("--to", args[1], to)
			if err != nil {
				return err
			}
			if err := cli.CheckOutput("OUT", args[1], force); err != nil {
				return err
			}
			return wholefile.Write(args[1], func(w io.Writer) error {
				out := record.NewWriter(w, form)
				err := file.each(number, func(n int, g *record.Game) error {
					if n > 1 && number == 0 && form.One {
						return cli.UsageError("%s can hold only one game, but %s has more: select one with --game", args[1], args[0])
					}
					err := out.Write(g)
					var disk *fs.PathError
					if err != nil && !errors.As(err, &disk) {
						return cli.UsageError("%w", err) // the format cannot hold the game
					}
					return err
				})
				if err != nil {
					return err
				}
				return out.Close()
			})
		},
	}
	addGameFlags(cmd, &from, &number)
	addFormFlag(cmd, "to", &to)
	cli.ForceFlag(cmd, &force)
	return cmd
}

// newGameValidateCommand returns "ur game validate".
func newGameValidateCommand(env *cli.Env) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:     "validate FILE",
		Short:   "Check records against the rules",
		Long:    "Validate prints nothing if all games of a file follow the rules. Otherwise it prints\nevery invalid game with its line and exits with code 2.",
		Example: "  ur game validate games.jsonl",
		Args:    cli.Exactly(1, "a FILE of records"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := openGames(env, args[0], from)
			if err != nil {
				return err
			}
			defer file.file.Close()
			faults := 0
			for {
				_, err := file.Next()
				var fault *record.Fault
				switch {
				case err == io.EOF && faults > 0:
					return cli.UsageError("%s: %s", args[0], text.Plural(faults, "invalid game"))
				case err == io.EOF:
					return nil
				case errors.As(err, &fault):
					faults++
					if _, err := fmt.Fprintf(env.Stdout, "%s:%d: %s\n", args[0], fault.Line, fault.Msg); err != nil {
						return err
					}
				case err != nil:
					return err
				}
				if err := cmd.Context().Err(); err != nil {
					return err
				}
			}
		},
	}
	addFormFlag(cmd, "from", &from)
	return cmd
}
