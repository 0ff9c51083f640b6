package docs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
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
		testkit.ErrorIf(t, len(lines) < 1000, "%s: found %d lines, want more than 1,000", name, len(lines))
		for _, limit := range limits {
			found := 0
			for _, line := range lines {
				if limit.word.MatchString(line) {
					found++
				}
			}
			share := 100 * float64(found) / float64(len(lines))
			testkit.ErrorIf(t, share > limit.percent, "%s: %q stands in %.1f %% of %d lines, want at most %.1f %%",
				name, limit.name, share, len(lines), limit.percent)
		}
	}
}

// comments returns the comment lines of all Go files but tests and generated files.
func comments(t *testing.T) []string {
	var all []string
	for name, text := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") ||
			strings.HasPrefix(text, "// Code generated") {
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
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
	for _, text := range tracked(t, "*.md") {
		code := false
		for line := range strings.SplitSeq(text, "\n") {
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
	for name, text := range tracked(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			testkit.ErrorIf(t, bareWant.MatchString(line),
				"%s:%d: %s: want \"<what>: <problem> (want <right form>)\"", name, i+1, strings.TrimSpace(line))
		}
	}
}
