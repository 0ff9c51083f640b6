package experiment

import (
	"strings"
	"testing"
)

func FuzzParseCommand(f *testing.F) {
	f.Add(`rust="$HOME/x" --games 'a b' \$x`)
	f.Add("a/b=x $(y) | z")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCommand(text, func(string) string { return "value" })
		if err == nil && (c.Name == "" || len(c.Args) == 0) {
			t.Errorf("%q is the command %+v", text, c)
		}
	})
}

func TestParseCommand(t *testing.T) {
	lookup := func(name string) string { return map[string]string{"HOME": "/home/a b"}[name] }
	tests := []struct {
		text string
		name string
		args []string
		want string // in the error
	}{
		{"rust=./rust --games 10", "rust", []string{"./rust", "--games", "10"}, ""},
		{"a/b=x 'one word' \"two words\" \\$HOME", "a/b", []string{"x", "one word", "two words", "$HOME"}, ""},
		{`r="$HOME/x" a;b`, "", nil, "cannot split"},
		{`r="$HOME/x" 'a;b' c=d`, "r", []string{"/home/a b/x", "a;b", "c=d"}, ""},
		{"r=x | y", "", nil, "cannot split"},
		{"r=x $(rm y)", "", nil, "cannot split"},
		{"r=x 'y", "", nil, "cannot split"},
		{"rust", "", nil, "want NAME='COMMAND'"},
		{"=x", "", nil, "want one word"},
		{"a b=x", "", nil, "want one word"},
		{"a/b/c=x", "", nil, "want one word"},
		{"r= ", "", nil, "no command behind the name"},
	}
	for _, test := range tests {
		c, err := ParseCommand(test.text, lookup)
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %q, error %v; want %q", test.text, c.Args, err, test.want)
			}
			continue
		}
		if err != nil || c.Name != test.name || strings.Join(c.Args, "|") != strings.Join(test.args, "|") {
			t.Errorf("%s: %q, %q, error %v; want %q, %q", test.text, c.Name, c.Args, err, test.name, test.args)
		}
	}
	missing := Command{Name: "rust", Args: []string{"/no/such/program"}}
	if err := missing.Find(); err == nil || !strings.Contains(err.Error(), "command rust: ") {
		t.Errorf("a missing program: %v", err)
	}
}
