package searchcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

// newBookCommand returns "ur search book".
func newBookCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "book FILE",
		Short: "Print what an opening book of any game holds",
		Long: `Book prints the entries of an opening book, one a line: the key of the position, the
ID of the move, the score to the side that moves and the depth it was searched to,
and the games won, drawn and lost by it.`,
		Example: "  ur search book openings.book",
		Args:    cli.Exactly(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := search.OpenBook(args[0], "")
			var unsound *search.BookError
			if errors.As(err, &unsound) || errors.Is(err, fs.ErrNotExist) {
				return cli.UsageError("%w", err)
			}
			if err != nil {
				return err
			}
			defer b.Close()
			w := bufio.NewWriter(env.Stdout)
			fmt.Fprintf(w, "# %q: %d entries\n# position move score depth won drawn lost\n", b.Game(), b.Len())
			for e := range b.All() {
				fmt.Fprintf(w, "%016x%016x %d %d %d %d %d %d\n", e.Key.Index, e.Key.Check, e.ID, e.Score, e.Depth, e.Won, e.Drawn, e.Lost)
			}
			return w.Flush()
		},
	}
}
