package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// A toolReport is a command line of ur, reversi or benchab whose JSON becomes rows of a record.
type toolReport struct {
	suite    string                                       // of its rows
	command  string                                       // without --json; $WORK is a temporary folder
	print    func(out io.Writer, programs string) error   // prints the JSON in this process; nil for the command
	busy     bool                                         // with another busy process on each core
	uncached bool                                         // without benchab's cache of other runs
	silent   string                                       // JSON of exit code 4 without output
	cpu      bool                                         // the rows have its CPU time as cpu_seconds
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

// measureAll builds the programs and measures reports. A failed report does not stop the others.
func measureAll(ctx context.Context, folder string, chosen []toolReport) error {
	if commit := record.ReadEnvironment().Commit; strings.HasSuffix(commit, "+dirty") {
		return errors.New("uncommitted changes (want a clean tree: a record names the commit that it measured)")
	}
	work, err := os.MkdirTemp("", "ur-records-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	// Without the build's stamp, programs read the commit themselves, and new records do not count as changes.
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", work, "./cmd/ur", "./cmd/reversi",
		"./cmd/benchab")
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

// has reports whether each word is the suite, or stands in the command line or in the name of the rows.
func (r toolReport) has(words []string) bool {
	isEnd := func(c rune) bool { return strings.ContainsRune(" /=", c) }
	own := slices.Concat(strings.FieldsFunc(r.command+" "+r.name, isEnd), strings.Fields(r.command), []string{r.suite})
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(own, word) })
}

// measure runs the command and writes the rows of its JSON to the record of this machine.
func (r toolReport) measure(ctx context.Context, folder, work string) error {
	e := record.ReadEnvironment()
	e.Command = r.command
	results := record.NewResults(e, 0)
	var text bytes.Buffer
	var err error
	var spent time.Duration
	if r.print != nil {
		err = r.print(&text, work)
	} else {
		spent, err = r.run(ctx, &text, work)
	}
	if err != nil || r.keeps {
		return err
	}
	if results.Rows, results.Seed, err = r.rows(text.Bytes()); err != nil {
		return err
	}
	if len(results.Rows) == 0 {
		return errors.New("no figures in the output")
	}
	for _, row := range results.Rows {
		if r.cpu {
			row.Metrics["cpu_seconds"] = rounded(spent.Seconds())
		}
	}
	results.SetTook()
	_, err = record.Keep(folder, results)
	return err
}

// run runs the command, which prints its JSON, and returns its CPU time.
func (r toolReport) run(ctx context.Context, text *bytes.Buffer, work string) (spent time.Duration, err error) {
	args, err := process.SplitWords(r.command, func(name string) string {
		if name == "WORK" {
			return work
		}
		return os.Getenv(name)
	})
	if err != nil {
		return 0, err
	}
	if !r.keeps {
		args = append(args, "--json")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, args[0]), args[1:]...)
	cmd.Stdout, cmd.Stderr = text, os.Stderr
	if r.folder != nil {
		if cmd.Dir, err = r.folder(work); err != nil {
			return 0, err
		}
	}
	if r.uncached {
		builds, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
		if err != nil {
			return 0, err
		}
		cmd.Env = append(os.Environ(), "GOCACHE="+strings.TrimSpace(string(builds)),
			"XDG_CACHE_HOME="+filepath.Join(work, "cache"))
	}
	if r.busy {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		for range runtime.NumCPU() {
			other := exec.CommandContext(limited, "sh", "-c", "while :; do :; done")
			if err := other.Start(); err != nil {
				return 0, err
			}
			go other.Wait() // ended by the context
		}
	}
	if err = cmd.Run(); cmd.ProcessState != nil {
		spent = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && text.Len() == 0 && exit.ExitCode() == undecided && r.silent != "" {
		text.WriteString(r.silent)
	}
	if errors.As(err, &exit) && text.Len() > 0 && (exit.ExitCode() == slower || exit.ExitCode() == undecided) {
		return spent, nil // a verdict of benchab
	}
	return spent, err
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
			own, _ := item.(map[string]any)
			if r.selects != nil && !r.selects(own) {
				continue
			}
			row, err := r.row(object, own)
			if err == nil && r.describe != nil {
				err = r.describe(&row)
			}
			if err != nil {
				return nil, 0, err
			}
			rows = append(rows, row)
		}
	}
}

// row returns the row of an object and of an item of its list.
func (r toolReport) row(object, item map[string]any) (record.Row, error) {
	values := maps.Clone(object)
	maps.Copy(values, item)
	metrics := make(map[string]float64)
	addFigures(metrics, "", values)
	delete(metrics, "seed")
	value := func(name string) string { return fmt.Sprint(values[name]) }
	row := record.Row{Suite: r.suite, Name: os.Expand(r.name, value), Unit: r.unit, Samples: 1, Metrics: metrics,
		Note: os.Expand(r.note, value)}
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

// addFigures adds the numbers of a tree of JSON by their paths: those of {"a":{"b":1},"c":[2]} are a.b and c.0.
// The path of the tree itself has a point at its end.
func addFigures(figures map[string]float64, path string, tree any) {
	switch tree := tree.(type) {
	case float64:
		figures[path[:max(0, len(path)-1)]] = tree
	case map[string]any:
		for key, value := range tree {
			addFigures(figures, path+key+".", value)
		}
	case []any:
		for i, value := range tree {
			addFigures(figures, fmt.Sprintf("%s%d.", path, i), value)
		}
	}
}
