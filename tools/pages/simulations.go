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
		{"noise", key("noise")}, {"unchanged: false alarms", rate("alarms", "trials", "0", "")},
		{"+2 %: called slower", rate("slower", "trials", "0.02", "")},
		{"+3.5 %: passes", rate("passed", "trials", "0.035", "")},
		{"+5 %: found in 20 rounds", rate("slower", "trials", "0.05", "20")},
		{"in 80", rate("slower", "trials", "0.05", "80")},
		{"+10 %: found in 20", rate("slower", "trials", "0.1", "20")},
		{"+10 % found in 80", rate("slower", "trials", "0.1", "80")},
		{"unjudged after 80", rate("unjudged", "trials", "0", "80")},
		{"seen, and missed", rate("missed", "seen", "", "")},
		{"+25 % passes after 6", rate("escaped", "trials", "0.25", "6")},
		{"coverage", rate("covered", "rows", "", "")},
		{"contradictions", func(row record.Row, all []record.Row) string {
			return fmt.Sprint(experiments(row, all, "contradicts", "", ""))
		}},
	}).endWith(func(rows []record.Row) string {
		return fmt.Sprintf("%g families for each planted change and number of rounds; shares in per cent.",
			rows[0].Metrics["trials"])
	})
}

// lateWork is the table of the trials with late work, a line for each noise.
func lateWork() table {
	share := func(count, benchmarks, planted, period string) cell {
		return func(row record.Row, all []record.Row) string {
			for _, other := range all {
				if k := other.Keys; k["noise"] == row.Keys["noise"] && k["benchmarks"] == benchmarks && k["planted"] == planted &&
					k["period"] == period {
					return fmt.Sprintf("%.1f", 100*other.Metrics[count]/other.Metrics["trials"])
				}
			}
			return ""
		}
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

// experiments adds a count of all trials with the noise and the benchmarks of a row, of a planted
// change and a number of rounds; "" is any.
func experiments(row record.Row, all []record.Row, count, planted, rounds string) (n float64) {
	for _, other := range all {
		k := other.Keys
		if strings.HasPrefix(other.Name, "Trial/") && k["noise"] == row.Keys["noise"] && k["benchmarks"] == row.Keys["benchmarks"] &&
			(planted == "" || k["planted"] == planted) && (rounds == "" || k["rounds"] == rounds) {
			n += other.Metrics[count]
		}
	}
	return n
}

// rate prints the share of a count of experiments in another one, in per cent.
func rate(part, whole, planted, rounds string) cell {
	return func(row record.Row, all []record.Row) string {
		return fmt.Sprintf("%.1f",
			100*experiments(row, all, part, planted, rounds)/experiments(row, all, whole, planted, rounds))
	}
}

// aboutLate says when the slower code of a kind of late work runs.
func aboutLate(row record.Row) string {
	kinds := abtest.LateKinds()
	i := slices.IndexFunc(kinds, func(k abtest.Late) bool { return k.Name == row.Keys["kind"] })
	if i < 0 {
		return ""
	}
	return kinds[i].About
}
