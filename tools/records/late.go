package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
)

// lateReports measures the slowdown of each kind of late work as go test shows it, and lets benchab judge it.
func lateReports() (list []toolReport) {
	for _, kind := range abtest.LateKinds() {
		list = append(list, toolReport{
			command: "benchab base head --late " + kind.Name, name: "Late/kind=${kind}", figure: "ratio", unit: "new/old",
			note:  "${verdict}",
			print: func(out io.Writer, programs string) error { return judgeLate(out, programs, kind) },
		})
	}
	return list
}

// judgeLate prints a line with the ratio of both sides by go test, and with the verdict, the exit code and the seconds of
// benchab.
func judgeLate(out io.Writer, programs string, kind abtest.Late) error {
	folder := filepath.Join(programs, "late", kind.Name)
	if err := errors.Join(os.RemoveAll(folder), kind.Make(folder)); err != nil {
		return err
	}
	var sides [2]float64
	for side, tag := range []string{"base", "head"} {
		if err := abtest.Git(folder, "checkout", "-q", tag); err != nil {
			return err
		}
		var err error
		if sides[side], err = lateTime(folder); err != nil {
			return fmt.Errorf("%s of %s: %w", tag, kind.Name, err)
		}
	}
	cmd := exec.Command(filepath.Join(programs, "benchab"), "base", "head", "--seed", "1", "--json")
	cmd.Dir = folder
	text, err := cmd.Output()
	var report struct {
		Verdict string
		Seconds float64
	}
	if decoding := json.Unmarshal(text, &report); decoding != nil {
		return errors.Join(err, decoding)
	}
	return json.NewEncoder(out).Encode(map[string]any{"kind": kind.Name, "about": kind.About,
		"ratio": rounded(sides[1] / sides[0]), "verdict": report.Verdict, "code": cmd.ProcessState.ExitCode(),
		"seconds": report.Seconds})
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
