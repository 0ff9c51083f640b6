package benchcmd

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
)

// startFleet starts a server, with a worker on this kind of processor where one is wanted,
// and returns the address.
func startFleet(t *testing.T, worker bool) string {
	t.Helper()
	s, err := fleet.Serve(fleet.ServeConfig{Store: t.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if !worker {
		return s.URL()
	}
	conn, err := fleet.Dial(t.Context(), fleet.DialConfig{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := conn.Work(ctx, fleet.WorkConfig{
			Code: work.CodeVersion(), Name: "worker", Kinds: work.Kinds(engine.Fastest()), Parallel: 1, Cache: t.TempDir(),
			About: fleet.Machine{Kind: work.MachineKind()},
		})
		if err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); working.Wait(); conn.Close() })
	for kinds := 0; kinds == 0; {
		list, err := conn.Kinds(t.Context(), work.CodeVersion())
		if err != nil {
			t.Fatal(err)
		}
		kinds = len(list)
	}
	return s.URL()
}

// On a fleet every kind of processor prints its ladder and leaves a file of samples and a
// record.
func TestBenchRunOnAFleet(t *testing.T) {
	url := startFleet(t, true)
	folder := t.TempDir()
	samples := filepath.Join(folder, "kinds")
	stdout, stderr, err := runBench(t.Context(), "--fleet", url, "--engine", "bits/scalar", "--level", "turn,value", "--count", "4", "--seed", "7", "--json", "-o", samples)
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	var results experiment.Results
	if err := json.Unmarshal([]byte(stdout), &results); err != nil {
		t.Fatal(err)
	}
	if results.Schema != "ur.bench/2" || results.Seed != 7 || len(results.Rows) != 4 {
		t.Errorf("schema %q, seed %d, %d rows; want ur.bench/2, 7, 4", results.Schema, results.Seed, len(results.Rows))
	}
	saved, err := experiment.ReadSaved(filepath.Join(samples, work.MachineKind()+".txt"))
	if err != nil || saved.Rounds != 4 || len(saved.Names) != 4 {
		t.Errorf("the samples: %+v, %v", saved, err)
	}
	if testing.Short() {
		return
	}
	stdout, stderr, err = runBench(t.Context(), "--fleet", url, "--suite", "engines,pieces", "--engine", "bits/scalar", "--count", "10", "--record", "--results", folder, "--benchtime", "1us")
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	records, err := record.Read(folder)
	if err != nil || len(records) != 1 || records[0].Slug != work.MachineKind() || len(records[0].Suite("engines")) != 8 || len(records[0].Suite("pieces")) == 0 {
		t.Errorf("%d records, %v, in\n%s", len(records), err, stderr)
	}
	if !strings.Contains(stdout, "array16/scalar") {
		t.Errorf("the ladder is\n%s", stdout)
	}
}

// What is of this machine alone is refused, and so is a fleet without workers.
func TestBenchRunOnAFleetRefuses(t *testing.T) {
	url := startFleet(t, false)
	for _, flag := range []string{"--resume=old.txt", "--cpu=1", "--core=0"} {
		_, _, err := runBench(t.Context(), "--fleet", url, flag)
		if cli.ExitCode(err) != cli.BadUsage || !strings.Contains(err.Error(), "cannot be used with --fleet") {
			t.Errorf("%s: %v", flag, err)
		}
	}
	if _, _, err := runBench(t.Context(), "--fleet", url, "--count", "2"); cli.ExitCode(err) != cli.BadUsage {
		t.Errorf("two samples: %v", err)
	}
	if _, _, err := runBench(t.Context(), "--fleet", url, "--engine", "none"); cli.ExitCode(err) != cli.BadUsage {
		t.Errorf("no engine: %v", err)
	}
	if _, _, err := runBench(t.Context(), "--fleet", url); err == nil || !strings.Contains(err.Error(), "no workers") {
		t.Errorf("no workers: %v", err)
	}
	if _, err := os.Stat("results"); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was recorded")
	}
}
