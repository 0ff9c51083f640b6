package cli

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Helps are read on a terminal of 80 columns. Only an example may be wider: what is to be
// copied cannot be broken.
func TestHelpFitsATerminal(t *testing.T) {
	checkHelp(t, nil)
}

// listed is a command in the list of those below one.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`)

// checkHelp checks the help of a command, and of those below it.
func checkHelp(t *testing.T, command []string) {
	t.Helper()
	var out bytes.Buffer
	if err := Program().Run(context.Background(), append(slices.Clone(command), "--help"), strings.NewReader(""), &out, &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 && !strings.HasPrefix(line, "  echo '{") {
			t.Errorf("ur %s --help has a line of %d columns: %s", strings.Join(command, " "), n, line)
		}
	}
	names := listed.FindAllStringSubmatch(out.String(), -1)
	if len(command) == 0 && len(names) < 10 {
		t.Errorf("ur lists %d commands", len(names))
	}
	for _, name := range names {
		checkHelp(t, append(slices.Clone(command), name[1]))
	}
}
