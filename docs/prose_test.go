package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// limits are the largest shares of lines, in percent, that may hold a word. The words are
// harmless in themselves; text that needs them often makes a reader translate. The limits
// are about twice the shares in the Go standard library's own comments.
var limits = []struct {
	name    string
	word    *regexp.Regexp
	percent float64
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`), 1.5},
	{"that", regexp.MustCompile(`(?i)\bthat\b`), 11},
	{"which", regexp.MustCompile(`(?i)\bwhich\b`), 2.5},
	{"tell, say", regexp.MustCompile(`(?i)\b(tell|tells|told|say|says|said)\b`), 0.8},
	{"who, somebody, nobody, whoever", regexp.MustCompile(`(?i)\b(somebody|nobody|whoever|who)\b`), 0.5},
}

func TestProseShares(t *testing.T) {
	for name, lines := range map[string][]string{"comments": comments(t), "documents": documents(t)} {
		if len(lines) < 1000 {
			t.Errorf("%s: found %d lines, want more than 1,000", name, len(lines))
		}
		for _, limit := range limits {
			found := 0
			for _, line := range lines {
				if limit.word.MatchString(line) {
					found++
				}
			}
			if share := 100 * float64(found) / float64(len(lines)); share > limit.percent {
				t.Errorf("%s: %q stands in %.1f %% of %d lines, want at most %.1f %%", name, limit.name, share, len(lines), limit.percent)
			}
		}
	}
}

// tracked returns the lines of every file of an extension that git tracks.
func tracked(t *testing.T, pattern string) map[string][]string {
	t.Helper()
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", pattern).Output()
	if err != nil {
		t.Skipf("git lists the files of the module: %v", err)
	}
	files := make(map[string][]string)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed, and not committed yet
		}
		files[name] = strings.Split(string(text), "\n")
	}
	return files
}

var generated = regexp.MustCompile(`^// Code generated`)

// comments returns the comment lines of all Go files but tests and generated files.
func comments(t *testing.T) []string {
	var all []string
	for name, lines := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") || generated.MatchString(lines[0]) {
			continue
		}
		for _, line := range lines {
			text, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
			if isComment && !strings.HasPrefix(text, "go:") {
				all = append(all, text)
			}
		}
	}
	return all
}

// documents returns the lines of all pages, without code and tables.
func documents(t *testing.T) []string {
	var all []string
	for _, lines := range tracked(t, "*.md") {
		code := false
		for _, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			} else if !code && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "|") {
				all = append(all, line)
			}
		}
	}
	return all
}

// bareWant matches the text of an error that names the right form but not the problem.
var bareWant = regexp.MustCompile(`(?:Errorf|errors\.New|[uU]sageError|inputError|fieldError|malformed|fault)\("[^"]*[:,] want `)

// An error names the problem, and then the right form in parentheses.
func TestErrorsNameTheProblem(t *testing.T) {
	for name, lines := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") {
			continue
		}
		for i, line := range lines {
			if bareWant.MatchString(line) {
				t.Errorf("%s:%d: %s: want \"<what>: <problem> (want <right form>)\"", name, i+1, strings.TrimSpace(line))
			}
		}
	}
}
