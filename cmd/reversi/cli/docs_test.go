package cli

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const page = "../../../docs/reversi.md"

// Blocks of the page that are marked "reversi" are run: behind "$ " stands a command, and
// below it what it prints; "..." stands for anything, at the end of a line or on a line of
// its own.
func TestPageSaysWhatCommandsPrint(t *testing.T) {
	text := testkit.Must(os.ReadFile(page))(t)
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
	if err := Program().Run(context.Background(), strings.Fields(args), strings.NewReader(input), &out, &out); err != nil {
		t.Errorf("$ %s: %v", command, err)
	}
	return out.String()
}
