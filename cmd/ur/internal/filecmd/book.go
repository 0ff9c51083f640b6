package filecmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/search"
)

// openBook reads a book of any game.
func openBook(name string) (*search.Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	defer f.Close()
	b, err := search.ReadBook(f, "")
	if _, ok := errors.AsType[*search.BookError](err); ok {
		return nil, cli.UsageError("%s: %w", name, err)
	}
	return b, err
}

// book prints a book. A position without a text is named by its key.
func (s *shower) book(name string) error {
	b, err := openBook(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(s.env.Stdout)
	fmt.Fprintf(w, "# book of %s, %d positions\n# moves: ID score/depth won-drawn-lost\n", b.Game(), b.Len())
	for k, moves := range b.All() {
		position := b.Text(k)
		if position == "" {
			position = fmt.Sprintf("%016x %016x", k.Index, k.Check)
		}
		fmt.Fprint(w, position)
		for _, m := range moves {
			fmt.Fprintf(w, "  %d %+.2f/%d %d-%d-%d", m.ID, points(m.Score), m.Depth, m.Won, m.Drawn, m.Lost)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// points converts a score to percentage points: 100 for a certain win, -100 for a certain loss.
func points(v search.Value) float64 { return 100 * float64(v) / float64(search.MaxValue) }
