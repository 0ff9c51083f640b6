package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
)

const page = "../../docs/reversi.md"

// Blocks of the page that are marked "reversi" are run: behind "$ " stands a command, and
// below it what it prints; "..." stands for anything, at the end of a line or on a line of
// its own.
func TestPageSaysWhatCommandsPrint(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```reversi\n(.*?)```").FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("no block to run")
	}
	for _, b := range blocks {
		for _, part := range strings.Split("\n"+string(b[1]), "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			if got := execute(t, command); !regexp.MustCompile(pattern(want)).MatchString(got) {
				t.Errorf("$ %s\nprints\n%s\nthe page says\n%s", command, got, want)
			}
		}
	}
}

// pattern makes a regular expression of what a page says.
func pattern(want string) string {
	quoted := regexp.QuoteMeta(strings.TrimSuffix(want, "\n"))
	return `(?s)^` + strings.ReplaceAll(quoted, `\.\.\.`, `.*`) + `\n?$`
}

// execute runs a command, whose input may be an echo in front of it.
func execute(t *testing.T, command string) string {
	input := ""
	if before, after, ok := strings.Cut(command, " | "); ok {
		input = strings.Trim(strings.TrimPrefix(before, "echo "), `"`) + "\n"
		command = after
	}
	args, ok := strings.CutPrefix(command, "reversi ")
	if !ok {
		t.Fatalf("%q is no command of reversi", command)
	}
	var out bytes.Buffer
	if err := program().Run(context.Background(), strings.Fields(args), strings.NewReader(input), &out, &out); err != nil {
		t.Errorf("$ %s: %v", command, err)
	}
	return out.String()
}

// The tables of the page must be those of the newest record.
func TestPageShowsTheRecord(t *testing.T) {
	records, err := filepath.Glob("../../results/reversi-*.json")
	if err != nil || len(records) == 0 {
		t.Fatalf("no record: %v", err)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range records {
		r, err := readRecord(name)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := fill(old, r); err == nil && bytes.Equal(text, old) {
			return
		}
	}
	t.Errorf("docs/reversi.md shows none of %v: run reversi bench --docs docs/reversi.md --from RECORD", records)
}

// Threads have a table of their own where they are on record.
func TestPerftTableShowsThreads(t *testing.T) {
	r := benchRecord{Rows: []suite.Row{{Name: "Perft/depth=12/threads=2", Samples: 1, Median: 1.25}, {Name: "Perft/depth=12/threads=1", Samples: 1, Median: 2.5}}}
	var out bytes.Buffer
	perftTable(&out, r)
	if want := "| 1 | 2.50 | 1.00 |\n| 2 | 1.25 | 2.00 |\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%s\nwant at its end\n%s", out.String(), want)
	}
	out.Reset()
	if perftTable(&out, benchRecord{}); strings.Contains(out.String(), "threads") {
		t.Errorf("a table without rows: %s", out.String())
	}
}

func TestFillNamesBadBlocks(t *testing.T) {
	for _, bad := range []string{"", "<!-- reversi:luck:begin -->\n<!-- reversi:luck:end -->", "<!-- reversi:perft:begin -->\n<!-- reversi:solve:end -->"} {
		if _, err := fill([]byte(bad), benchRecord{}); err == nil {
			t.Errorf("%q is filled", bad)
		}
	}
}
