package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/trials"
	"github.com/seed-09dcdc84/ur/solve"
)

func TestTrialsWritesItsRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trials.json")
	if err := run(t.Context(), []string{"trials", "-trials", "1", "-o", name}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if r, err := trials.Read(file); err != nil || r.Trials != 1 {
		t.Errorf("the record is %+v, %v", r, err)
	}
}

func TestCurveNeedsTheTable(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	name := filepath.Join(t.TempDir(), "curve.go")
	var missing *solve.MissingTableError
	if err := run(t.Context(), []string{"curve", "-o", name}); !errors.As(err, &missing) || missing.Pieces != 7 {
		t.Errorf("error %v, want one of a missing table of 7 pieces", err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a curve is written")
	}
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                  "usage: measure curve | trials [flags]",
		"fit":               "usage: measure curve | trials [flags]",
		"trials all":        `unexpected argument "all"`,
		"trials -trials 0":  "want at least 1",
		"curve -rounds 0":   "want at least 1 of each",
		"trials -no-such 1": "flag provided but not defined",
	} {
		if err := run(t.Context(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
