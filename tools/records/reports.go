package main

import (
	"bytes"
	"cmp"
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

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/process"
)

// A toolReport makes rows of a record, by a command line of ur, reversi or benchab, or in this process.
type toolReport struct {
	suite   string
	command string                                        // without --json; $WORK is a temporary folder with the programs
	name    string                                        // of its rows; ${NAME} is a value that differs among them
	folder  func(work string) (folder string, err error)  // makes the folder of the command; nil for this one
	busy    bool                                          // with another busy process on each core
	cpu     bool                                          // the rows have the CPU time of the command as cpu_seconds
	rows    func(o object) (rows []record.Row, err error) // rows of an object that the command prints

	// measure adds the rows in this process, instead of the command. Where it and rows are nil, the command keeps its rows
	// itself.
	measure func(ctx context.Context, work string, results *record.Results) error
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
		if err := r.keep(ctx, folder, work); err != nil {
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

// keep measures, and writes the rows to the record of this machine.
func (r toolReport) keep(ctx context.Context, folder, work string) error {
	e := record.ReadEnvironment()
	e.Command = r.command
	results := record.NewResults(e, 0)
	measure := r.run
	if r.measure != nil {
		measure = r.measure
	}
	if r.busy {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := keepBusy(limited); err != nil {
			return err
		}
	}
	if err := measure(ctx, work, &results); err != nil || r.rows == nil && r.measure == nil {
		return err
	}
	if len(results.Rows) == 0 {
		return errors.New("no figures in the output")
	}
	for i := range results.Rows {
		results.Rows[i].Suite = r.suite
	}
	results.SetTook()
	_, err := record.Keep(folder, results)
	return err
}

// keepBusy starts a process on each core, which ends with the context.
func keepBusy(ctx context.Context) error {
	for range runtime.NumCPU() {
		busy := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			return err
		}
		go busy.Wait() // ended by the context
	}
	return nil
}

// run runs the command, and adds the rows of its JSON.
func (r toolReport) run(ctx context.Context, work string, results *record.Results) error {
	args, err := process.SplitWords(r.command, func(name string) string {
		if name == "WORK" {
			return work
		}
		return os.Getenv(name)
	})
	if err != nil {
		return err
	}
	if r.rows != nil {
		args = append(args, "--json")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(work, args[0]), args[1:]...)
	cmd.Stderr = os.Stderr
	if r.folder != nil {
		if cmd.Dir, err = r.folder(work); err != nil {
			return err
		}
	}
	output, err := cmd.Output()
	if err != nil || r.rows == nil {
		return err
	}
	if err := r.addRows(output, results); err != nil || !r.cpu {
		return err
	}
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	for _, row := range results.Rows {
		row.Metrics["cpu_seconds"] = rounded(spent.Seconds())
	}
	return nil
}

// addRows adds the rows of objects of JSON, and the seed of the command.
func (r toolReport) addRows(output []byte, results *record.Results) error {
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var o object
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if seed, ok := o["seed"].(float64); ok {
			results.Seed = uint64(seed)
		}
		rows, err := r.rows(o)
		if err != nil {
			return err
		}
		results.Rows = append(results.Rows, rows...)
	}
}

// figureReport measures the figure of a command that prints one object; see [object.row].
func figureReport(command, name, unit string, paths ...string) toolReport {
	return toolReport{command: command, name: name, rows: func(o object) ([]record.Row, error) {
		row, err := o.row(name, unit, paths...)
		return []record.Row{row}, err
	}}
}

// describe completes the report's rows.
func (r toolReport) describe(complete func(*record.Row) error) toolReport {
	read := r.rows
	r.rows = func(o object) ([]record.Row, error) {
		rows, err := read(o)
		for i := range rows {
			err = cmp.Or(err, complete(&rows[i]))
		}
		return rows, err
	}
	return r
}

// newRow returns the row of a figure without an interval.
func newRow(name, unit string, figure float64, metrics map[string]float64) record.Row {
	return record.Row{Name: name, Unit: unit, Samples: 1, Median: figure, Lo: figure, Hi: figure, Metrics: metrics}
}

// object is an object of JSON.
type object map[string]any

// items returns the objects of a list, each with the other values of the object. Headers have no list.
func (o object) items(list string) (items []object) {
	values, _ := o[list].([]any)
	for _, value := range values {
		own, _ := value.(map[string]any)
		item := maps.Clone(o)
		delete(item, list)
		maps.Copy(item, own)
		items = append(items, item)
	}
	return items
}

// row returns a row with a figure of the object by its path, or by its path and those of the ends of its interval. Other
// numbers are metrics, but the seed; ${NAME} in the row's name is a value of the object.
func (o object) row(name, unit string, paths ...string) (row record.Row, err error) {
	metrics, figures := make(map[string]float64), make([]float64, len(paths))
	addFigures(metrics, "", map[string]any(o))
	delete(metrics, "seed")
	for i, path := range paths {
		x, ok := metrics[path]
		if !ok {
			return row, fmt.Errorf("no number %s in the output", path)
		}
		figures[i] = x
		delete(metrics, path)
	}
	row = newRow(os.Expand(name, func(key string) string { return fmt.Sprint(o[key]) }), unit, figures[0], metrics)
	if len(figures) > 1 {
		row.Lo, row.Hi = figures[1], figures[2]
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
