package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine/internal/lanes"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// recordFiles returns the records of engines, one for each machine.
func recordFiles(t *testing.T) []string {
	t.Helper()
	files := testkit.Must(filepath.Glob("../results/*/engines.json"))(t)
	testkit.FatalIf(t, len(files) == 0, "no records found")
	return files
}

// recordedGameTimes returns the time of a game by each engine in some records, as a share of the
// oracle's: the geometric mean of the medians of those machines that have the engine.
func recordedGameTimes(t *testing.T, files []string) map[string]float64 {
	t.Helper()
	logs, machines := map[string]float64{}, map[string]float64{}
	for _, file := range files {
		times := gameTimes(t, file)
		for _, samples := range times {
			slices.Sort(samples)
		}
		oracle := times[OracleName]
		testkit.FatalIf(t, len(oracle) == 0, "%s has no games of %s", file, OracleName)
		for name, samples := range times {
			logs[name] += math.Log(samples[len(samples)/2] / oracle[len(oracle)/2])
			machines[name]++
		}
	}
	for name := range logs {
		logs[name] = math.Exp(logs[name] / machines[name])
	}
	return logs
}

// The part of a record that ranks engines.
type (
	timesRecord struct{ Runs []timesRun }
	timesRun    struct{ Rows []timesRow }
	timesRow    struct {
		Engine, Level string
		Times         []float64
	}
)

// gameTimes reads the samples of the game level of one record, by engine.
func gameTimes(t *testing.T, file string) map[string][]float64 {
	t.Helper()
	var record timesRecord
	testkit.MustEqual(t, json.Unmarshal([]byte(testkit.ReadText(t, file)), &record), nil, "%s", file)
	times := map[string][]float64{}
	for _, run := range record.Runs {
		for _, row := range run.Rows {
			if row.Level == "game" {
				times[row.Engine] = row.Times
			}
		}
	}
	return times
}

// byRecord returns the engines that Fastest can be asked to choose from, best first:
// those that need not all that a faster one needs. Until an arm64 CPU has a record, the time of
// the AVX2 form of the same engine ranks one of NEON.
func byRecord(times map[string]float64, engines []ur.Engine) []string {
	for _, e := range engines {
		if stem, ok := strings.CutSuffix(e.Name(), "neon"); ok && times[e.Name()] == 0 {
			times[e.Name()] = times[stem+"avx2"]
		}
	}
	slices.SortStableFunc(engines, func(a, b ur.Engine) int {
		return int(math.Copysign(1, times[a.Name()]-times[b.Name()]))
	})
	var names []string
	var kept []ur.Engine
	for _, e := range engines {
		reached := !slices.ContainsFunc(kept, func(faster ur.Engine) bool {
			return !slices.ContainsFunc(faster.Needs(),
				func(f ur.Feature) bool { return !slices.Contains(e.Needs(), f) })
		})
		if times[e.Name()] > 0 && reached {
			kept, names = append(kept, e), append(names, e.Name())
		}
	}
	return names
}

// skipWithoutNEON skips a test where the list has no engines of NEON: on arm64, in a build without
// its kernels.
func skipWithoutNEON(t *testing.T) {
	t.Helper()
	testkit.SkipOn(t, testkit.ErrorOf(Lookup("squares/neon")))
}

// A record of an arm64 CPU must decide on its engines as those of amd64 do.
func TestArm64RecordDecides(t *testing.T) {
	skipWithoutNEON(t)
	times := map[string]float64{"lanes/go": 4, "squares/avx2": 1}
	got := byRecord(maps.Clone(times), All())
	testkit.ErrorIf(t, !slices.Contains(got, "squares/neon") || slices.Contains(got, "bits/incremental-neon"),
		"without a record: %q", got)
	times["squares/neon"], times["bits/incremental-neon"] = 3, 2
	got = byRecord(times, All())
	testkit.ErrorIf(t, slices.Contains(got, "squares/neon") || !slices.Contains(got, "bits/incremental-neon"),
		"with a record in which bits/incremental-neon is faster: %q", got)
}

// A record of an arm64 machine, as a reader makes one, must decide on the engines of NEON and leave
// the order of the others. It has other engines, and is of a faster machine here.
func TestArm64RecordCanBeAdded(t *testing.T) {
	skipWithoutNEON(t)
	rows := []timesRow{
		{OracleName, "game", []float64{32}},
		{"lanes/go", "game", []float64{0.4, 0.3, 0.5}},
		{"squares/neon", "game", []float64{0.3}},
		{"bits/incremental-neon", "game", []float64{0.35}},
		{"lanes/neon", "game", []float64{0.2}},
		{"lanes/neon", "turn", []float64{99}},
	}
	text := testkit.Must(json.Marshal(timesRecord{[]timesRun{{rows}}}))(t)
	file := filepath.Join(t.TempDir(), "engines.json")
	testkit.WriteText(t, file, string(text))
	// Without NEON, the order of all records must be that of those before.
	ranked := func(files []string) (others, neon []string) {
		for _, name := range byRecord(recordedGameTimes(t, files), slices.Clone(All())) {
			if strings.Contains(name, "neon") {
				neon = append(neon, name)
			} else {
				others = append(others, name)
			}
		}
		return others, neon
	}
	before, _ := ranked(recordFiles(t))
	after, neon := ranked(append(recordFiles(t), file))
	testkit.Equal(t, after, before, "the order with the record")
	testkit.Equal(t, neon, []string{"lanes/neon"}, "engines of NEON with the record")
}

// The choice of the fastest engine must be what the records say, without an entry that
// is never reached. A build without assembly has not all of the list and cannot check.
func TestFastestFollowsTheRecords(t *testing.T) {
	testkit.SkipIf(t, lanes.AVX512 == nil, "this build has no assembly")
	names := byRecord(recordedGameTimes(t, recordFiles(t)), slices.Clone(ladder))
	var text bytes.Buffer
	text.WriteString(`// Code generated by go test ./engine -update. DO NOT EDIT.

package engine

// fastest are the built-in engines that Fastest chooses from, by the time of a game in
// the records, without those that need all that a faster one does.
var fastest = []string{
`)
	for _, name := range names {
		fmt.Fprintf(&text, "\t%q,\n", name)
	}
	text.WriteString("}\n")
	const file = "fastest_gen.go"
	if *testkit.Update {
		testkit.WriteText(t, file, text.String())
	}
	testkit.ErrorIf(t, testkit.ReadText(t, file) != text.String(),
		"%s does not follow the records, which say %q: run go test ./engine -update", file, names)
	if last := names[len(names)-1]; last != names[0] {
		testkit.Equal(t, len(testkit.Must(Lookup(last))(t).Needs()), 0, "needs of the last of %q", names)
	}
}
