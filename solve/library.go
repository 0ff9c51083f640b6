package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/sync/singleflight"
)

// QuickPieces is the greatest number of pieces under Finkel's rules that a [Library] without a table
// solves on demand, in some seconds and 150 MB. Under other rules it solves games as large.
const QuickPieces = 5

const (
	quickPositions = 16 << 20 // Finkel's rules with 5 pieces have 14,669,769
	keepPositions  = 4 << 20  // a solution of a second or more
)

// Quick reports whether a [Library] solves games under a rule set on demand.
func Quick(r *board.Rules) bool {
	x, err := IndexOf(r)
	return err == nil && x.Positions(r.Pieces()) <= quickPositions
}

// Library finds tables: in a folder, or by solving the game. It opens or
// solves each once, keeps it for the rest of the process, and is safe for use by many
// goroutines at once. A larger game's table serves a smaller one.
type Library struct {
	// Folder has the files; "" for none. Solutions made on demand that took more than a moment are
	// stored in it, for other processes. A folder that cannot be written is not an error.
	Folder string

	keepFrom int // positions of the smallest stored solution; 0 for keepPositions

	mutex   sync.Mutex
	tables  []*Table
	solving singleflight.Group // calls by [FileName]
}

// DefaultFolder is where tables are kept by default: "ur" in [os.UserCacheDir].
func DefaultFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for tables: %w", err)
	}
	return filepath.Join(cache, "ur"), nil
}

// FileName is the name of a rule set's table, with its number of pieces, such as "finkel7.urt".
func FileName(r *board.Rules) string { return fmt.Sprintf("%s%d.urt", r.Name(), r.Pieces()) }

// MissingTableError reports a missing table for a number of pieces too large to solve on
// demand. Commands add instructions for making one.
type MissingTableError struct {
	Rules  *board.Rules // rule set with the number of pieces
	Folder string
}

func (e *MissingTableError) Error() string {
	of := text.Plural(e.Rules.Pieces(), "piece")
	if !e.Rules.IsFinkel() {
		of = fmt.Sprintf("the rules %s with %s", e.Rules.Name(), of)
	}
	if e.Folder == "" {
		return fmt.Sprintf("there is no table of %s, and no folder to look for one in", of)
	}
	return fmt.Sprintf("there is no table of %s in %s", of, e.Folder)
}

// Table returns a table for games under a rule set with its number of pieces: an open one, the
// smallest suitable one in the folder, or else, if [Quick], a solution made on demand. Without
// any it returns a [*MissingTableError]. The table has the [Table.Reference]'s values.
func (l *Library) Table(ctx context.Context, r *board.Rules) (*Table, error) {
	for {
		t, err := l.Find(r)
		if _, missing := errors.AsType[*MissingTableError](err); !missing || !Quick(r) {
			return t, err
		}
		solving := l.solving.DoChan(FileName(r), func() (any, error) { return nil, l.solveGame(ctx, r) })
		select {
		case <-ctx.Done(): // another caller goes on
			err = ctx.Err()
		case solved := <-solving:
			err = solved.Err
		}
		ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		if err != nil && (!ended || ctx.Err() != nil) { // otherwise the context of another caller ended
			return nil, fmt.Errorf("solving the game of %s: %w", text.Plural(r.Pieces(), "piece"), err)
		}
	}
}

// solveGame solves a game. The mutex is free meanwhile, so other tables can be found and other games
// solved: a small one does not wait for a large one. The table is stored for the next process,
// unless another rule set may have its name; if that fails, the process makes it again.
func (l *Library) solveGame(ctx context.Context, r *board.Rules) error {
	if _, err := l.Find(r); err == nil {
		return nil // another goroutine has solved it since
	}
	report, _ := ctx.Value(progressKey{}).(func(int, Progress))
	t, err := Solve(ctx, r, Options{Progress: func(p Progress) {
		if report != nil {
			report(r.Pieces(), p)
		}
	}})
	if err != nil {
		return err
	}
	t = t.Reference()
	_, err = board.Lookup(r.Name())
	if l.Folder != "" && err == nil && t.index.Positions(t.pieces) >= cmp.Or(l.keepFrom, keepPositions) {
		if os.MkdirAll(l.Folder, 0o777) == nil {
			_ = t.Write(ctx, filepath.Join(l.Folder, FileName(r)), WriteOptions{})
		}
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.tables = append(l.tables, t)
	return nil
}

type progressKey struct{}

// WithProgress returns a context whose solutions on demand call f, unless nil, after every sweep.
func WithProgress(ctx context.Context, f func(pieces int, p Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// Find returns an available table: an open one or the smallest that serves in the folder, or else a
// [*MissingTableError]. The table has the [Table.Reference]'s values.
func (l *Library) Find(r *board.Rules) (*Table, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, t := range l.tables {
		if t.rules.Equal(r) && t.pieces >= r.Pieces() {
			return t, nil
		}
	}
	name, err := l.File(r)
	if err != nil {
		return nil, err
	}
	t, err := OpenFor(name, r)
	if err != nil {
		return nil, err
	}
	t = t.Reference()
	l.tables = append(l.tables, t)
	return t, nil
}

// File returns the name of the file [Library.Find] would open: the smallest suitable table in the
// folder, or else a [*MissingTableError].
func (l *Library) File(r *board.Rules) (string, error) {
	for n := r.Pieces(); l.Folder != ""; n++ {
		more, err := r.WithPieces(n)
		if err != nil {
			break // no game has more pieces
		}
		name := filepath.Join(l.Folder, FileName(more))
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
	}
	return "", &MissingTableError{r, l.Folder}
}

// OpenFor opens a table file as [Open] does. Fewer pieces than the rules' are a [*TableError], too.
func OpenFor(path string, r *board.Rules) (*Table, error) {
	t, err := Open(path, r)
	if err != nil {
		return nil, err
	}
	if err := t.Serves(r.Pieces()); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}
