package truth

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Program is a program that compares two commits.
type Program struct {
	Name string

	// args returns its arguments. It is run in a work tree of the later commit; cache is an
	// empty folder of this run.
	args func(base, head, cache string) []string

	// read finds the benchmarks that it calls slower, and the rounds it made where it says so.
	read func(out []byte) (slower []string, rounds int, err error)
}

// Programs are those that can be measured, each as its authors' defaults have it: "ur bench
// ab" and the three that are called benchdiff, by nvanbenschoten, WillAbides and FiloSottile.
var Programs = []Program{
	{"ur bench ab", func(base, head, _ string) []string { return []string{base, head, "--json"} }, readReport},
	{"nvanbenschoten/benchdiff", func(base, head, _ string) []string {
		return []string{"--old", base, "--new", head, "./..."}
	}, readTable},
	{"WillAbides/benchdiff", func(base, _, cache string) []string {
		return []string{"--base-ref", base, "--cache-dir", cache}
	}, readTable},
	{"FiloSottile/benchdiff", func(base, _, _ string) []string {
		return []string{"-base-ref", base, "--", "./..."}
	}, readTable},
}

// readReport reads the JSON of "ur bench ab".
func readReport(out []byte) (slower []string, rounds int, err error) {
	var report struct {
		Rounds int
		Rows   []struct{ Name, Verdict string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, 0, err
	}
	if len(report.Rows) == 0 {
		return nil, 0, fmt.Errorf("no benchmark was compared")
	}
	for _, row := range report.Rows {
		if row.Verdict == "slower" {
			slower = append(slower, row.Name)
		}
	}
	return slower, report.Rounds, nil
}

var (
	tableUnit = regexp.MustCompile(`(?:^|\s)(time/op|sec/op|[a-zA-Z]+/op|speed|B/s)\b`)
	tableRow  = regexp.MustCompile(`^(\S+?)(?:-\d+)?\s.*\s([+-]\d+(?:\.\d+)?%|~)\s+\(`)
)

// readTable reads tables of benchstat, old and new: a time that it shows to be larger
// counts as slower. It cannot tell rounds.
func readTable(out []byte) (slower []string, rounds int, err error) {
	times, rows := false, 0
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		line := lines.Text()
		if row := tableRow.FindStringSubmatch(line); row != nil {
			if !times || row[1] == "geomean" {
				continue
			}
			rows++
			if strings.HasPrefix(row[2], "+") {
				slower = append(slower, row[1])
			}
			continue
		}
		if unit := tableUnit.FindStringSubmatch(line); unit != nil {
			times = unit[1] == "time/op" || unit[1] == "sec/op"
		}
	}
	if rows == 0 && lines.Err() == nil {
		return nil, 0, fmt.Errorf("there is no table of times")
	}
	return slower, 0, lines.Err()
}
