package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// A toolReport is a command line of ur, reversi or benchab whose JSON becomes rows of a record.
type toolReport struct {
	command string                                       // without --json; $WORK is a temporary folder
	folder  func(work string) (folder string, err error) // makes the folder of the command; nil for this one

	list  string                    // field whose objects are the rows; "" for the whole object
	keeps func(map[string]any) bool // selects from the list; nil for all
	name  string                    // of the rows; ${NAME} is a value of the object, or of the one around it

	figure string // path of the main figure
	lo, hi string // paths of the ends of its interval; "" if there is none
	unit   string // of the main figure
	note   string // like name

	describe func(*record.Row) error // completes a row; nil for nothing
}

// reportFlags returns the command of reports. Its arguments choose reports by the words of their
// command lines and names. A report that fails does not stop the others.
func reportFlags(reports []toolReport) func(*flag.FlagSet, keeper) func(context.Context) error {
	return func(f *flag.FlagSet, keep keeper) func(context.Context) error {
		return func(ctx context.Context) error {
			chosen := slices.DeleteFunc(slices.Clone(reports), func(r toolReport) bool { return !r.has(f.Args()) })
			if len(chosen) == 0 {
				return fmt.Errorf("the words choose none of %d commands", len(reports))
			}
			work, err := os.MkdirTemp("", "ur-records-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(work)
			build := exec.CommandContext(ctx, "go", "build", "-o", work, "./cmd/ur", "./cmd/reversi", "./cmd/benchab")
			if out, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("go build: %w\n%s", err, out)
			}
			var failed []error
			for _, r := range chosen {
				fmt.Fprintln(os.Stderr, r.command)
				if err := r.measure(ctx, keep, work); err != nil {
					failed = append(failed, fmt.Errorf("%s: %w", r.command, err))
				}
				if ctx.Err() != nil {
					break
				}
			}
			return errors.Join(failed...)
		}
	}
}

// has reports whether all words are in the command line or in the name of the rows.
func (r toolReport) has(words []string) bool {
	own := strings.FieldsFunc(r.command+" "+r.name, func(c rune) bool { return strings.ContainsRune(" /=", c) })
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(own, word) })
}

// measure runs the command and keeps the rows of its JSON.
func (r toolReport) measure(ctx context.Context, keep keeper, work string) error {
	results := begin(r.command)
	text, err := r.run(ctx, work)
	if err != nil {
		return err
	}
	rows, seed, err := r.rows(text)
	if err == nil && len(rows) == 0 {
		err = errors.New("no figures in the output")
	}
	if err != nil {
		return err
	}
	results.Seed = seed
	return keep(results, rows)
}

// run runs the command and returns its JSON.
func (r toolReport) run(ctx context.Context, work string) ([]byte, error) {
	args, err := process.SplitWords(r.command, func(name string) string { return map[string]string{"WORK": work}[name] })
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, args[0]), append(args[1:], "--json")...)
	cmd.Stderr = os.Stderr
	if r.folder != nil {
		if cmd.Dir, err = r.folder(work); err != nil {
			return nil, err
		}
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(out) > 0 && (exit.ExitCode() == 3 || exit.ExitCode() == 4) {
		err = nil // a verdict of benchab
	}
	return out, err
}

// rows returns the rows of JSON, and the seed of the command.
func (r toolReport) rows(data []byte) (rows []record.Row, seed uint64, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var object map[string]any
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return rows, seed, nil
		} else if err != nil {
			return nil, 0, err
		}
		if x, ok := object["seed"].(float64); ok {
			seed = uint64(x)
		}
		items := []any{map[string]any{}}
		if r.list != "" {
			items, _ = object[r.list].([]any) // none in a header
		}
		delete(object, r.list)
		for _, item := range items {
			if own, _ := item.(map[string]any); r.keeps != nil && !r.keeps(own) {
				continue
			}
			row, err := r.row(object, item)
			if err != nil {
				return nil, 0, err
			}
			if r.describe != nil {
				if err := r.describe(&row); err != nil {
					return nil, 0, err
				}
			}
			rows = append(rows, row)
		}
	}
}

// row returns the row of an object and of an item of its list.
func (r toolReport) row(object map[string]any, item any) (record.Row, error) {
	figures, err := record.Figures([]any{object, item})
	if err != nil {
		return record.Row{}, err
	}
	metrics := make(map[string]float64)
	for _, part := range []string{"0.", "1."} { // the item overrides the object
		for path, x := range figures {
			if path, ok := strings.CutPrefix(path, part); ok {
				metrics[path] = x
			}
		}
	}
	delete(metrics, "seed")
	own, _ := item.(map[string]any)
	value := func(name string) string {
		if x, ok := own[name]; ok {
			return fmt.Sprint(x)
		}
		return fmt.Sprint(object[name])
	}
	row := record.Row{Name: os.Expand(r.name, value), Unit: r.unit, Samples: 1, Metrics: metrics, Note: os.Expand(r.note, value)}
	row.Median = metrics[r.figure]
	row.Lo, row.Hi = row.Median, row.Median
	for _, from := range []struct {
		path string
		to   *float64
	}{{r.figure, &row.Median}, {r.lo, &row.Lo}, {r.hi, &row.Hi}} {
		if x, ok := metrics[from.path]; ok {
			*from.to = x
			delete(metrics, from.path)
		} else if from.path != "" {
			return row, fmt.Errorf("no number %s in the output", from.path)
		}
	}
	return row, nil
}
