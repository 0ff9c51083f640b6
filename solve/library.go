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
)

// QuickPieces is the greatest number of pieces a [Library] solves on demand when it has no
// table: it takes some seconds and 150 MB.
const QuickPieces = 5

// Library finds tables: in a folder of files, or by solving the game. It opens or
// solves each once, keeps it for the rest of the process, and is safe for use by many
// goroutines at once. A table of a larger game serves a smaller one.
type Library struct {
	Folder string

	// Solutions made on demand for Keep or more pieces are stored in the folder, for other
	// processes; 0 stores none. A folder that cannot be written is not an error.
	Keep int

	mutex  sync.Mutex
	tables [board.FinkelPieces + 1]Table

	// solving has, by pieces, a channel that is closed when the solution in progress ends.
	solving [board.FinkelPieces + 1]chan struct{}
}

// DefaultFolder is where tables are kept by default: "ur" in
// [os.UserCacheDir].
func DefaultFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for tables: %w", err)
	}
	return filepath.Join(cache, "ur"), nil
}

// FileName is the name in the folder of the table of a rule set with its number of pieces, such
// as "finkel7.urt".
func FileName(r *board.Rules) string { return fmt.Sprintf("%s%d.urt", r.Name(), r.Pieces()) }

// MissingTableError reports a missing table for a number of pieces too large to solve on
// demand. Commands add instructions for making one.
type MissingTableError struct {
	Pieces int
	Folder string
	Rules  string // name of the rule set; "" for Finkel's
}

func (e *MissingTableError) Error() string {
	of := "of " + text.Plural(e.Pieces, "piece")
	if e.Rules != "" {
		of = fmt.Sprintf("of the rules %s with %s", e.Rules, text.Plural(e.Pieces, "piece"))
	}
	if e.Folder == "" {
		return fmt.Sprintf("there is no table %s, and no folder to look for one in", of)
	}
	return fmt.Sprintf("there is no table %s in %s", of, e.Folder)
}

// SmallTableError reports a table for fewer pieces than wanted.
type SmallTableError struct {
	Name   string // of the file, or "" when it has none
	Pieces int    // the most it serves
	Want   int
}

func (e *SmallTableError) Error() string {
	name := cmp.Or(e.Name, "the table")
	return fmt.Sprintf("%s is for %s at most, not %d", name, text.Plural(e.Pieces, "piece"), e.Want)
}

// Table returns a table for games of 1 to 7 pieces: the smallest suitable one in the folder, or
// else, for at most [QuickPieces], a solution made on demand. Without either it returns a
// [*MissingTableError]. The table has the values of the [Reference].
func (l *Library) Table(ctx context.Context, pieces int) (Table, error) {
	for {
		t, err := l.Find(pieces)
		var missing *MissingTableError
		if !errors.As(err, &missing) || pieces > QuickPieces {
			return t, err
		}
		if other := l.claim(pieces); other != nil {
			select {
			case <-other:
				continue
			case <-ctx.Done():
				return nil, fmt.Errorf("solving the game of %d pieces: %w", pieces, ctx.Err())
			}
		}
		return l.solve(ctx, pieces)
	}
}

// claim makes the caller the only one to solve the game of a number of pieces, or returns a
// channel that is closed when another goroutine's attempt has ended.
func (l *Library) claim(pieces int) (other <-chan struct{}) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.tables[pieces] != nil { // since the caller looked
		found := make(chan struct{})
		close(found)
		return found
	}
	if l.solving[pieces] != nil {
		return l.solving[pieces]
	}
	l.solving[pieces] = make(chan struct{})
	return nil
}

// solve solves a game claimed by the caller. The mutex is free meanwhile, so other tables can
// be found.
func (l *Library) solve(ctx context.Context, pieces int) (Table, error) {
	var table Table
	s, err := Solve(ctx, pieces, demandOptions(ctx, pieces))
	if err == nil {
		table = Reference(s.Values)
		l.keep(ctx, pieces, table)
	}
	l.mutex.Lock()
	if l.tables[pieces] == nil {
		l.tables[pieces] = table
	}
	close(l.solving[pieces])
	l.solving[pieces] = nil
	l.mutex.Unlock()
	if err != nil {
		return nil, fmt.Errorf("solving the game of %d pieces: %w", pieces, err)
	}
	return table, nil
}

type progressKey struct{}

// WithProgress returns a context whose solutions on demand report their progress: f is called
// after every sweep. A nil f ends the reports.
func WithProgress(ctx context.Context, f func(pieces int, p Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// demandOptions returns the options of a solution made on demand.
func demandOptions(ctx context.Context, pieces int) Options {
	f, _ := ctx.Value(progressKey{}).(func(int, Progress))
	if f == nil {
		return Options{}
	}
	return Options{Progress: func(p Progress) { f(pieces, p) }}
}

// keep saves a table made on demand in the folder, for the next process. If saving fails, that
// process makes the same table again.
func (l *Library) keep(ctx context.Context, pieces int, t Table) {
	if l.Folder == "" || l.Keep == 0 || pieces < l.Keep {
		return
	}
	if os.MkdirAll(l.Folder, 0o777) == nil {
		_ = WriteTable(ctx, filepath.Join(l.Folder, FileName(finkel.rulesOf(pieces))), t, WriteOptions{})
	}
}

// Find returns an available table: the smallest that serves, or else a [*MissingTableError].
// The table has the values of the [Reference].
func (l *Library) Find(pieces int) (Table, error) {
	if err := board.CheckPieces(pieces); err != nil {
		return nil, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for n := pieces; n <= board.FinkelPieces; n++ {
		if l.tables[n] != nil {
			return l.tables[n], nil
		}
		t, err := l.open(n)
		if err != nil {
			return nil, err
		}
		if t != nil {
			l.tables[n] = Reference(t)
			return l.tables[n], nil
		}
	}
	return nil, &MissingTableError{Pieces: pieces, Folder: l.Folder}
}

// File returns the name of the file [Library.Find] would open: the smallest suitable table in
// the folder, or else a [*MissingTableError].
func (l *Library) File(pieces int) (string, error) {
	if err := board.CheckPieces(pieces); err != nil {
		return "", err
	}
	for n := pieces; n <= board.FinkelPieces && l.Folder != ""; n++ {
		name := filepath.Join(l.Folder, FileName(finkel.rulesOf(n)))
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
	}
	return "", &MissingTableError{Pieces: pieces, Folder: l.Folder}
}

// open opens the file of a table, and returns nil when there is none.
func (l *Library) open(pieces int) (Table, error) {
	if l.Folder == "" {
		return nil, nil
	}
	name := filepath.Join(l.Folder, FileName(finkel.rulesOf(pieces)))
	t, err := OpenTable(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case t.Pieces() < pieces:
		return nil, errors.Join(&SmallTableError{name, t.Pieces(), pieces}, t.Close())
	}
	return t, nil
}
