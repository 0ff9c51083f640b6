package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
)

// The lists of commands, and what plays, are read first, and on a terminal of 80 columns.
func TestHelpFitsATerminal(t *testing.T) {
	for _, command := range []string{"", "play", "match", "solve", "regret", "bench", "bench run", "search", "train", "engines", "brain", "net report", "train study"} {
		var out bytes.Buffer
		args := append(strings.Fields(command), "--help")
		if err := cli.Program.Run(context.Background(), args, strings.NewReader(""), &out, &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("ur %s --help has a line of %d columns: %s", command, n, line)
			}
		}
	}
}
