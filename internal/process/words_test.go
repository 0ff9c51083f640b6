package process

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func variables(name string) string {
	return map[string]string{"HOME": "/home/ur", "A": "two words", "_x1": "1"}[name]
}

func TestSplit(t *testing.T) {
	tests := map[string][]string{
		`go test -bench .`: {"go", "test", "-bench", "."},
		`  a	b
c `: {"a", "b", "c"},
		`./x 'a b' "c d" e\ f`:          {"./x", "a b", "c d", "e f"},
		`$HOME/bin "${_x1}" '$A' "$A"$`: {"/home/ur/bin", "1", "$A", "two words$"},
		`x ''`:                          {"x", ""},
		`"a\"b\$c\n"`:                   {`a"b$c\n`},
		`a#b`:                           {"a#b"},
	}
	for text, want := range tests {
		testkit.Equal(t, testkit.Must(SplitWords(text, variables))(t), want, "%s", text)
	}
	for _, text := range []string{"", "  ", "a | b", "a; b", "a > b", "'a", `"a`, `a\`, "$(a)", "`a`", "${a", "${}", "a # b", `"$(a)"`, "\"`\""} {
		testkit.WantError(t, testkit.ErrorOf(SplitWords(text, variables)), "", "%q", text)
	}
}

// A quoted word is read back as it was.
func TestQuoteWord(t *testing.T) {
	for _, word := range []string{"", "exec:cat", `it's "$A" \ a`, "'", "a\nb"} {
		testkit.Equal(t, testkit.Must(SplitWords(QuoteWord(word), variables))(t), []string{word}, "%q", word)
	}
}

// What is split without a shell is split as a shell does it.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{`go test -bench .`, `'a b' "c\"d" e\ f`, `$HOME ${_x1}`, `a''b`, "a\\\nb"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := SplitWords(text, variables)
		// Patterns, braces and home folders are left to shells, and so are the words that
		// a variable without quotes would fall into, and bytes that are no text.
		if err != nil || strings.ContainsAny(text, "*?[]{}~!=\r\x00\\") || strings.Contains(text, "$") || !isASCII(text) {
			return
		}
		want, err := shell.Fields(text, variables)
		testkit.FatalIf(t, err != nil || !slices.Equal(got, want), "%q: %q, a shell has %q, %v", text, got, want, err)
	})
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r > '~' })
}
