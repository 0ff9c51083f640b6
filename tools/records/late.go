package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// lateReports measures the slowdown of each kind of late work as go test shows it, and lets benchab judge it.
func lateReports() (list []toolReport) {
	for _, kind := range abtest.LateKinds() {
		list = append(list, toolReport{command: "benchab base head --late " + kind.Name, name: "Late/kind=" + kind.Name,
			measure: func(_ context.Context, work string, results *record.Results) error {
				row, err := judgeLate(work, kind)
				results.Rows = []record.Row{row}
				return err
			}})
	}
	return list
}

// judgeLate returns the row of the ratio of both sides by go test, with the verdict, the exit code and the mean of the
// seconds of benchab. Of several runs it has how many end with each verdict, and the worst exit code.
func judgeLate(programs string, kind abtest.Late) (row record.Row, err error) {
	folder := filepath.Join(programs, "late", kind.Name)
	if err := errors.Join(os.RemoveAll(folder), kind.Make(folder)); err != nil {
		return row, err
	}
	var sides [2]float64
	for side, tag := range []string{"base", "head"} {
		if err := abtest.Git(folder, "checkout", "-q", tag); err != nil {
			return row, err
		}
		if sides[side], err = lateTime(folder); err != nil {
			return row, fmt.Errorf("%s of %s: %w", tag, kind.Name, err)
		}
	}
	verdicts, code, seconds := map[string]int{}, slower, 0.0
	runs := max(1, kind.Runs)
	for seed := range runs {
		run, err := compare(folder, programs, nil, "base", "head", "--seed", strconv.Itoa(seed+1))
		if err != nil {
			return row, fmt.Errorf("benchab --seed %d in %s: %w", seed+1, kind.Name, err)
		}
		verdicts[run.Verdict]++
		code, seconds = worseCode(code, run.code), seconds+run.Seconds
	}
	row = newRow("Late/kind="+kind.Name, "new/old", rounded(sides[1]/sides[0]),
		map[string]float64{"code": float64(code), "seconds": seconds / float64(runs)})
	row.Note = countVerdicts(verdicts)
	return row, nil
}

// worseCode returns the exit code that is worse as the answer to a slowdown.
func worseCode(a, b int) int {
	order := []int{slower, undecided, passed}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// countVerdicts is the only verdict, or each with its runs.
func countVerdicts(verdicts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		if len(verdicts) == 1 && verdicts[name] == 1 {
			return name
		}
		parts = append(parts, name+" in "+text.Plural(verdicts[name], "run"))
	}
	return strings.Join(parts, ", ")
}

// lateTime returns the time of an operation by go test, in nanoseconds.
func lateTime(folder string) (float64, error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "1s", "-cpu", "1")
	cmd.Dir = folder
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("go test: %w: %s", err, text)
	}
	for line := range bytes.Lines(text) {
		if fields := strings.Fields(string(line)); len(fields) > 3 && fields[3] == "ns/op" {
			return strconv.ParseFloat(fields[2], 64)
		}
	}
	return 0, fmt.Errorf("no time in %q", text)
}
