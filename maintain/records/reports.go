package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// A toolReport is a command line of ur, reversi or benchab whose JSON becomes rows of a record.
type toolReport struct {
	command  string                                       // without --json; $WORK is a temporary folder
	busy     bool                                         // with another busy process on each core
	uncached bool                                         // without benchab's cache of other runs
	silent   string                                       // JSON of exit code 4 without output
	keeps    bool                                         // it keeps its rows itself, and prints no JSON
	folder   func(work string) (folder string, err error) // makes the folder of the command; nil for this one

	list    string                    // field whose objects are the rows; "" for the whole object
	selects func(map[string]any) bool // selects from the list; nil for all
	name    string                    // the rows' name; ${NAME} is a value in the object, or in the one around it

	figure string // path of the main figure
	lo, hi string // paths of the ends of its interval; "" if there is none
	unit   string // the main figure's unit
	note   string // like name

	describe func(*record.Row) error // completes a row; nil for nothing
}

// measureAll builds the programs and measures reports. A report that fails does not stop the others.
func measureAll(ctx context.Context, folder string, chosen []chosenReport) error {
	if err := checkClean(); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ur-records-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// Without the build's stamp, programs read the commit themselves, and new records do not count as changes.
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", work, "./cmd/ur", "./cmd/reversi", "./cmd/benchab", "./maintain/trials", "./maintain/limits")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	var failed []error
	for i, r := range chosen {
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(chosen), r.command)
		if err := r.measure(ctx, folder, work); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.command, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

// checkClean returns an error if files other than records differ from the last commit.
func checkClean() error {
	if commit := record.ReadEnvironment().Commit; strings.HasSuffix(commit, "+dirty") {
		return errors.New("uncommitted changes (want a clean tree: a record names the commit that it measured)")
	}
	return nil
}

// has reports whether each word is the suite, or stands in the command line or in the name of the rows.
func (r chosenReport) has(words []string) bool {
	own := append(strings.FieldsFunc(r.command+" "+r.name, func(c rune) bool { return strings.ContainsRune(" /=", c) }), strings.Fields(r.command)...)
	own = append(own, r.suite)
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(own, word) })
}

// measure runs the command and keeps the rows of its JSON.
func (r chosenReport) measure(ctx context.Context, folder, work string) error {
	e := record.ReadEnvironment()
	e.Command = r.command
	results := record.NewResults(e, 0)
	text, err := r.run(ctx, work)
	if err != nil || r.keeps {
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
	results.SetTook()
	return r.keepRows(folder, results, rows)
}

// run runs the command and returns its JSON.
func (r toolReport) run(ctx context.Context, work string) ([]byte, error) {
	args, err := process.SplitWords(r.command, func(name string) string { return map[string]string{"WORK": work}[name] })
	if err != nil {
		return nil, err
	}
	if !r.keeps {
		args = append(args, "--json")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, args[0]), args[1:]...)
	cmd.Stderr = os.Stderr
	if r.folder != nil {
		if cmd.Dir, err = r.folder(work); err != nil {
			return nil, err
		}
	}
	if r.uncached {
		builds, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
		if err != nil {
			return nil, err
		}
		cmd.Env = append(os.Environ(), "GOCACHE="+strings.TrimSpace(string(builds)), "XDG_CACHE_HOME="+filepath.Join(work, "cache"))
	}
	if r.busy {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		for range runtime.NumCPU() {
			other := exec.CommandContext(limited, "sh", "-c", "while :; do :; done")
			if err := other.Start(); err != nil {
				return nil, err
			}
			go other.Wait() // ended by the context
		}
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(out) == 0 && exit.ExitCode() == 4 && r.silent != "" {
		return []byte(r.silent), nil
	}
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
			if own, _ := item.(map[string]any); r.selects != nil && !r.selects(own) {
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
