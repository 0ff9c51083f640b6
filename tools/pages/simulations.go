package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
)

// simulated is the table of the trials of benchab on simulated machines, a line for each noise.
func simulated(block string, benchmarks int) table {
	rows := fmt.Sprintf("^Trial/.*/benchmarks=%d/planted=0/rounds=20$", benchmarks)
	return newTable("docs/ab-validation.md", block, "trials", rows, []column{
		{"noise", key("noise")}, {"unchanged: false alarms", rate("alarms", "trials", "planted", "0")},
		{"+2 %: called slower", rate("slower", "trials", "planted", "0.02")},
		{"+3.5 %: passes", rate("passed", "trials", "planted", "0.035")},
		{"+5 %: found in 20 rounds", rate("slower", "trials", "planted", "0.05", "rounds", "20")},
		{"in 80", rate("slower", "trials", "planted", "0.05", "rounds", "80")},
		{"+10 %: found in 20", rate("slower", "trials", "planted", "0.1", "rounds", "20")},
		{"+10 % found in 80", rate("slower", "trials", "planted", "0.1", "rounds", "80")},
		{"unjudged after 80", rate("unjudged", "trials", "planted", "0", "rounds", "80")},
		{"seen, and missed", rate("missed", "seen")},
		{"+25 % passes after 6", rate("escaped", "trials", "planted", "0.25", "rounds", "6")},
		{"coverage", rate("covered", "rows")},
		{"contradictions", func(row line) string { return fmt.Sprint(counted(row, "contradicts")) }},
	}).endWith(func(rows []record.Row) string {
		return fmt.Sprintf("%g families for each planted change and number of rounds; shares in per cent.",
			rows[0].Metrics["trials"])
	})
}

// lateWork is the table of the trials with late work, a line for each noise.
func lateWork() table {
	share := func(count, benchmarks, planted, period string) cell {
		return rate(count, "trials", "benchmarks", benchmarks, "planted", planted, "period", period)
	}
	return newTable("docs/ab-validation.md", "late-trials", "trials", "^Late/.*/benchmarks=20/planted=0/", []column{
		{"noise", key("noise")}, {"unchanged: false alarms", share("alarms", "20", "0", "1s")},
		{"runs repeated", share("repeated", "20", "0", "1s")},
		{"+25 % each ms: passes", share("passed", "20", "0.25", "1ms")},
		{"each 100 ms", share("passed", "20", "0.25", "100ms")},
		{"each second", share("passed", "20", "0.25", "1s")},
		{"three benchmarks, each 100 ms", share("passed", "3", "0.25", "100ms")},
		{"+10 %: detectable, and passes", share("missed", "3", "0.1", "100ms")},
	}).endWith(func(rows []record.Row) string {
		return fmt.Sprintf("%g trials of twenty benchmarks for each change; shares in per cent.", rows[0].Metrics["trials"])
	})
}

// counted adds a count of all trials of the kind of a row, with its noise and its benchmarks, unless the keys, each
// followed by its value, have others.
func counted(row line, count string, keys ...string) (n float64) {
	kind, _, _ := strings.Cut(row.Name, "/")
	want := map[string]string{"noise": row.Keys["noise"], "benchmarks": row.Keys["benchmarks"]}
	for pair := range slices.Chunk(keys, 2) {
		want[pair[0]] = pair[1]
	}
	for _, other := range row.all {
		same := strings.HasPrefix(other.Name, kind+"/")
		for key, value := range want {
			same = same && other.Keys[key] == value
		}
		if same {
			n += other.Metrics[count]
		}
	}
	return n
}

// rate prints the share of a count in another one, in per cent.
func rate(part, whole string, keys ...string) cell {
	return func(row line) string {
		return fmt.Sprintf("%.1f", 100*counted(row, part, keys...)/counted(row, whole, keys...))
	}
}

// aboutLate says when the slower code of a kind of late work runs.
func aboutLate(row line) string {
	kinds := abtest.LateKinds()
	i := slices.IndexFunc(kinds, func(k abtest.Late) bool { return k.Name == row.Keys["kind"] })
	if i < 0 {
		return ""
	}
	return kinds[i].About
}
