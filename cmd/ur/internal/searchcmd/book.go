package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

// newBookCommand returns "ur search book".
func newBookCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "book FILE",
		Short: "Print an opening book of any game",
		Long: `Book prints the entries of an opening book, one a line: the key of the position, the
ID of the move, the score to the side that moves and the depth it was searched to,
and the games won, drawn and lost by it.`,
		Example: "  ur search book openings.book",
		Args:    cli.Exactly(1, "one file"),
		RunE:    func(_ *cobra.Command, args []string) error { return printBook(env, args[0]) },
	}
}

// openBook reads a book of a game; with "" of any.
func openBook(name, game string) (*search.Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	defer f.Close()
	b, err := search.ReadBook(f, game)
	var unsound *search.BookError
	if errors.As(err, &unsound) {
		return nil, cli.UsageError("%s: %w", name, err)
	}
	return b, err
}

func printBook(env *cli.Env, name string) error {
	b, err := openBook(name, "")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(env.Stdout)
	fmt.Fprintf(w, "# %q: %d positions\n# position move score depth won drawn lost\n", b.Game(), b.Len())
	for k, moves := range b.All() {
		for _, m := range moves {
			fmt.Fprintf(w, "%016x%016x %d %d %d %d %d %d\n", k.Index, k.Check, m.ID, m.Score, m.Depth, m.Won, m.Drawn, m.Lost)
		}
	}
	return w.Flush()
}
