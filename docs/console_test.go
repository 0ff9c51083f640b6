package docs

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// checkConsole runs the commands of a console block, the lines that begin with "$ ", and compares
// the output of each with the lines below it. It returns the block, with the actual output if
// -update is given.
func checkConsole(t *testing.T, block string, run func(command string) string) string {
	t.Helper()
	var result strings.Builder
	for part := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
		if part == "" {
			continue
		}
		command, want, _ := strings.Cut(part, "\n")
		got := strings.Split(strings.TrimSuffix(run(command), "\n"), "\n")
		if !matches(got, strings.Split(want, "\n")) {
			if *testkit.Update {
				want = trimLines(got)
			} else {
				t.Errorf("%s\nprints\n%s\nthe page has\n%s", command, strings.Join(got, "\n"), want)
			}
		}
		result.WriteString("$ " + command + "\n" + want + "\n")
	}
	return result.String()
}

// matches compares text with a pattern in which a line "..." stands for any lines.
func matches(text, pattern []string) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	if pattern[0] == "..." {
		return matches(text, pattern[1:]) || len(text) > 0 && matches(text[1:], pattern)
	}
	return len(text) > 0 && strings.TrimRight(text[0], " ") == pattern[0] && matches(text[1:], pattern[1:])
}

func TestMatches(t *testing.T) {
	tests := []struct {
		text, pattern string
		want          bool
	}{
		{"a b", "a b", true},
		{"a b", "a", false},
		{"a", "a b", false},
		{"a b c", "a ... c", true},
		{"a c", "a ... c", true},
		{"a b c", "... b", false},
		{"a b c", "...", true},
	}
	for _, test := range tests {
		testkit.Equal(t, matches(strings.Fields(test.text), strings.Fields(test.pattern)), test.want,
			"matches(%q, %q)", test.text, test.pattern)
	}
}

// trimLines joins lines without the spaces at their ends.
func trimLines(lines []string) string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// terminal is a user who types a line at each prompt and sees it on the screen.
type terminal struct {
	sync.Mutex
	asked  sync.Cond
	screen bytes.Buffer
	lines  []string
}

func newTerminal(lines []string) *terminal {
	t := &terminal{lines: lines}
	t.asked.L = t
	return t
}

func (t *terminal) Write(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	t.asked.Broadcast()
	return t.screen.Write(p)
}

// Read waits for a prompt.
func (t *terminal) Read(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	for !bytes.HasSuffix(t.screen.Bytes(), []byte(": ")) {
		t.asked.Wait()
	}
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.lines[0]+"\n")
	t.lines = t.lines[1:]
	t.screen.Write(p[:n])
	return n, nil
}
