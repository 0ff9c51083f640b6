// Package cli is the command line of ur, for its own program and for those of modules with
// engines, players or ways to learn of their own: [Main] with such parts is a program.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/benchcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/filecmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/fleetcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/playcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/solvecmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/traincmd"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

const rootLong = `ur is a performance lab and an AI for the Royal Game of Ur.

"ur help players" lists the players P.

Results go to stdout, progress and messages to stderr. With --json a result is
one JSON object, or JSON lines. NO_COLOR disables colours, and UR_PROGRESS=off
disables progress.

Exit codes: 0 done; 1 failure; 2 bad usage or bad input; 3 a gate or
verification failed; 4 inconclusive; 130 interrupted (finished work is printed or
saved); 141 the reader of a pipe has gone.`

// Program returns the command line "ur" with parts of other modules; see [Main].
func Program(parts ...any) *cli.Program {
	var refused []error
	for _, part := range parts {
		refused = append(refused, register(part))
	}
	return &cli.Program{
		Name:  "ur",
		Short: "Play and measure the Royal Game of Ur",
		Long:  rootLong,
		Example: `  ur play                  play against a casual player
  ur serve                 the same in a browser
  ur puzzle                find the best move
  ur match brain greedy    play 1000 games between two players
  ur engines --verify      check every engine of this CPU, bit for bit
  ur bench run             measure them
  ur help players          list all players`,
		Commands: commands,
		Groups: []cli.Group{
			{Title: "Play", Commands: []string{"play", "serve", "puzzle"}},
			{Title: "Games", Commands: []string{"match", "analyze"}},
			{Title: "Files", Commands: []string{"show", "convert", "check"}},
			{Title: "Study", Commands: []string{"eval", "regret", "solve", "book"}},
			{Title: "Learn", Commands: []string{"train"}},
			{Title: "Measure", Commands: []string{"bench", "engines"}},
			{Title: "Fleet", Commands: []string{"fleet"}},
			{Title: "Help", Commands: []string{"version", "completion", "help"}},
		},
		Check: func() error {
			if err := errors.Join(refused...); err != nil {
				return cli.UsageError("%w", err)
			}
			return nil
		},
		Context: withSolvingBar,
		Explain: explainTable,
	}
}

// Main runs the command line of the process and ends it with its exit code. Each part is a
// [ur.Engine], a [play.Kind] of players or a [train.Method] of another module, and takes its
// place beside those of this module: every command knows it by name. A module with an engine, a
// player and a way to learn of its own gets the whole of ur by
//
//	func main() { cli.Main(mine.Engine, mine.Player, mine.Method) }
//
// When a part cannot take its place, such as one whose name is taken, every command prints the
// reason and ends with the exit code of bad usage.
func Main(parts ...any) { Program(parts...).Main() }

// register adds a part to the list of its type.
func register(part any) error {
	switch part := part.(type) {
	case ur.Engine:
		return engine.Register(part)
	case play.Kind:
		return play.Register(part)
	case train.Method:
		return train.Register(part)
	}
	return fmt.Errorf("register %T: unknown type (want ur.Engine, play.Kind or train.Method)", part)
}

// commands returns the commands of "ur" in the order of its help.
func commands(env *cli.Env) []*cobra.Command {
	return slices.Concat(
		playcmd.Commands(env),
		filecmd.Commands(env),
		solvecmd.Commands(env),
		[]*cobra.Command{
			traincmd.Command(env), benchcmd.Command(env), newEnginesCommand(env), fleetcmd.Command(env),
			newServeCommand(env), newVersionCommand(env), newPlayersTopic(),
		},
	)
}

// withSolvingBar shows a progress bar while a game is solved on demand, for a player or a measure.
func withSolvingBar(ctx context.Context, env *cli.Env) context.Context {
	var bar *cli.Bar
	return solve.WithProgress(ctx, func(pieces int, p solve.Progress) {
		if bar == nil {
			bar = cli.NewPartBar(env, fmt.Sprintf("solving %d pieces", pieces))
		}
		bar.Done(p.Done)
		if p.Done >= 1 {
			bar.Clear()
			bar = nil
		}
	})
}

// newPlayersTopic returns the help topic "players". It has no Run, so cobra lists it as a topic
// and not as a command. It lists the players when it is built, after those of other modules are
// registered.
func newPlayersTopic() *cobra.Command {
	var algorithms []string
	for _, a := range search.Algorithms() {
		if a.Dice() {
			algorithms = append(algorithms, string(a))
		}
	}
	return &cobra.Command{
		Use:   "players",
		Short: "Players and how to name them",
		Long: "A player P is one of\n" + play.Kinds().Help() +
			"\n\nThe algorithms of a search are " + strings.Join(algorithms, ", ") + "; the default is " +
			string(play.DefaultSearchOptions().Algorithm) + ".\n\nWherever a command takes a player, the shell completes its name: see \"ur completion\".",
		Example: "  ur match brain level:3\n  ur play --dark net@2\n  ur match brain:mine.txt search:depth=3,leaf=net greedy",
	}
}

// explainTable turns an error of a missing, too small, damaged or foreign solution table into a
// usage error of any command, and adds how to make a missing one.
func explainTable(err error) error {
	var missing *solve.MissingTableError
	var wrong *solve.TableError
	set := ""
	if errors.As(err, &missing) && !missing.Rules.Equal(board.Finkel()) {
		set = "--rules " + missing.Rules.Name() + " "
		if _, err := board.Lookup(missing.Rules.Name()); err != nil {
			set = "--rules FILE " // a custom rule set has no other name for commands
		}
	}
	switch {
	case errors.As(err, &missing) && missing.Folder == "":
		return cli.UsageError("%w: name a file, as \"ur solve %s--pieces %d -o FILE\" makes it", err,
			set, missing.Rules.Pieces())
	case errors.As(err, &missing):
		return cli.UsageError("%w: make one with \"ur solve %s--pieces %d\"", err, set, missing.Rules.Pieces())
	case errors.As(err, &wrong):
		return cli.UsageError("%w", err)
	}
	return err
}

// newVersionCommand returns "ur version". It ignores the current folder, which may be another
// checkout.
func newVersionCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the CPU and its features",
		Long: `Version prints the version of ur, the commit it was built from when that is
known, the version of Go, the operating system and architecture, the CPU and
those of its features that an engine could use.`,
		Example: "  ur version",
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(env.Stdout, "ur %s\n", process.Version())
			if commit, _ := record.ReadBuild(); commit != "" {
				fmt.Fprintf(env.Stdout, "commit    %s\n", commit)
			}
			features := cmp.Or(text.Join(cpu.Detected(), " "), "none that an engine uses")
			_, err := fmt.Fprintf(env.Stdout, "go        %s %s/%s\ncpu       %s\nfeatures  %s\n",
				runtime.Version(), runtime.GOOS, runtime.GOARCH, report.CPUName(), features)
			return err
		},
	}
}
