package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	reversi "github.com/seed-09dcdc84/ur/cmd/reversi/cli"
	ur "github.com/seed-09dcdc84/ur/cmd/ur/cli"
)

// jsonCommands are commands whose JSON docs/json.md describes, by the heading it stands under.
var jsonCommands = []struct {
	heading, command, stdin string
}{
	{"ur.match/1", "ur match brain greedy --games 20 --json", ""},
	{"ur.match/1", "ur match brain greedy --pieces 2 --games 2000 --luck --sprt elo0=0,elo1=200 --json", ""},
	{"ur.solve/1", "ur solve --pieces 2 -o two.urt --json", ""},
	{"ur eval", "ur eval brain", startOfTwo(`,"roll":4`)},
	{"ur.analysis/1", "ur analyze testdata/game.jsonl --json", ""},
	{"reversi.match/1", "reversi match greedy random --games 400 --sprt elo0=0,elo1=50 --json", ""},
	{"reversi.solve/1", "reversi solve --json", `{"board":"XXXXXXX-OOOOOOX-OXXOXOXOOXOXXOOOOOXOXXOOOOOXXXOOOO-OXXXO--OXXXX-","side":"X"}` + "\n"},
}

// startOfTwo is the start of a game of two pieces as a line of JSON, with more members.
func startOfTwo(more string) string {
	row := "2" + strings.Repeat(",0", 15)
	return `{"board":[` + row + "," + row + ",0]" + more + "}\n"
}

// Every field that a command prints stands in docs/json.md, and a command prints every field of
// an object that is not optional there.
func TestJSONIsDocumented(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	sections := jsonSections(readPage(t, "docs/json.md"))
	printed := map[string]map[string]bool{}
	for _, c := range jsonCommands {
		args := strings.Fields(strings.ReplaceAll(c.command, "two.urt", filepath.Join(folder, "two.urt")))
		program := ur.Program()
		if args[0] == "reversi" {
			program = reversi.Program()
		}
		var out bytes.Buffer
		if err := program.Run(context.Background(), args[1:], strings.NewReader(c.stdin), &out, &bytes.Buffer{}); err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		values, err := jsonLines(&out)
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		section, ok := sections[c.heading]
		if !ok {
			t.Errorf("there is no section %s", c.heading)
			continue
		}
		if printed[c.heading] == nil {
			printed[c.heading] = map[string]bool{}
		}
		for _, value := range values {
			addKeys(printed[c.heading], value)
		}
		for key := range printed[c.heading] {
			if !slices.Contains(section.named, key) {
				t.Errorf("%s prints %q, missing in section %s", c.command, key, c.heading)
			}
		}
	}
	for heading, keys := range printed {
		for _, field := range sections[heading].fields {
			if !keys[field] {
				t.Errorf("section %s names %q, which is not printed", heading, field)
			}
		}
	}
}

// jsonLines reads values of JSON, of which there is one at least.
func jsonLines(r io.Reader) (values []any, err error) {
	for d := json.NewDecoder(r); err == nil; {
		var value any
		if err = d.Decode(&value); err == nil {
			values = append(values, value)
		}
	}
	if err == io.EOF && len(values) > 0 {
		err = nil
	}
	return values, err
}

// jsonSection is the content of docs/json.md under a heading.
type jsonSection struct {
	named  []string // all fields of its tables
	fields []string // those that are always printed
}

// jsonRow is a row of a table of fields: the path of the field, and its type.
var jsonRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|")

// jsonSections reads the sections of the page.
func jsonSections(page string) map[string]jsonSection {
	sections := map[string]jsonSection{}
	for part := range strings.SplitSeq(page, "\n## ") {
		heading, text, _ := strings.Cut(part, "\n")
		s := jsonSection{named: []string{"schema", "line", "error"}}
		for _, row := range jsonRow.FindAllStringSubmatch(text, -1) {
			name := strings.TrimSuffix(row[1][strings.LastIndexByte(row[1], '.')+1:], "[]")
			s.named = append(s.named, name)
			if !strings.Contains(row[1], ".") && !strings.Contains(row[2], "optional") {
				s.fields = append(s.fields, name)
			}
		}
		sections[heading] = s
	}
	return sections
}

// addKeys adds the keys of the objects in a value.
func addKeys(keys map[string]bool, value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			addKeys(keys, v)
		}
	case map[string]any:
		for key, v := range value {
			keys[key] = true
			if !slices.Contains([]string{"meta", "configuration", "settings"}, key) {
				addKeys(keys, v)
			}
		}
	}
}
