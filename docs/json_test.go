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

	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
)

// jsonCommands are commands whose JSON docs/json.md describes, by the heading it stands
// under. The file two.urt is a table of two pieces, and made.* is made by its command.
var jsonCommands = []struct {
	heading, command, stdin string
}{
	{"ur.match/1", "match brain greedy --games 20 --json", ""},
	{"ur.match/1", "match brain greedy --pieces 2 --games 2000 --luck --sprt elo0=0,elo1=200 --json", ""},
	{"ur.tournament/1", "tournament greedy random first --games 4 --json", ""},
	{"ur.regret/1", "regret first --pieces 2 --positions 100 --json", ""},
	{"ur.solve/1", "solve --pieces 2 -o two.urt --json", ""},
	{"ur.table/1", "table info two.urt --json", ""},
	{"ur.table.verify/1", "table verify two.urt --residual --json", ""},
	{"ur.brain/1", "brain show --json", ""},
	{"ur.verify/1", "engines verify --games 2 --engine bits/scalar --json", ""},
	{"ur.version/1", "version --json", ""},
	{"ur engines list", "engines list --json", ""},
	{"ur eval", "eval", startOfTwo(`,"roll":4`)},
	{"ur table get", "table get two.urt", startOfTwo("")},
	{"ur search", "search --depth 2", startOfTwo(`,"roll":4`)},
	{"ur search --rules", "search --rules blitz --depth 2", `{"position":"5:................:0 5:................:0 L","roll":2}` + "\n"},
	{"ur.search.algorithms/1", "search --list --json", ""},
	{"ur.train/1", "train evolve --pieces 2 --games 2000 --time 0 -o made.txt --json", ""},
	{"ur.train/1", "train tree --pieces 2 --games 2000 --time 0 -o made.txt --json", ""},
	{"ur.train/1", "train fit --pieces 2 --games 2000 --time 0 -o made.txt --json", ""},
	{"ur.train/1", "train td --pieces 2 --hidden 4 --moves 1000 --time 0 -o made.safetensors --json", ""},
	{"ur.train/1", "train distill --pieces 2 --hidden 4 --positions 1000 -o made.safetensors --json", ""},
	{"ur.study/1", "train study --pieces 2 --hidden 4 --moves 500 -o made.jsonl --json", ""},
	{"ur.net-info/1", "net show --json", ""},
	{"ur.levels/1", "levels --pieces 2 --games 2 --positions 10 --json", ""},
	{"ur.analysis/1", "analyze testdata/game.jsonl --json", ""},
	{"ur.puzzle/1", "puzzle show 1 --json", ""},
	{"ur.compare/1", "bench compare ../bench/compare/testdata/compare/old.txt ../bench/compare/testdata/compare/new.txt --format json", ""},
	{"ur.gate/1", "bench gate ../bench/compare/testdata/compare/old.txt ../bench/compare/testdata/compare/new.txt --max-regress 99% --missing ignore --json", ""},
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
	table := filepath.Join(t.TempDir(), "two.urt")
	sections := jsonSections(readPage(t, "docs/json.md"))
	printed := map[string]map[string]bool{}
	for _, c := range jsonCommands {
		files := strings.NewReplacer("two.urt", table, "made.", filepath.Join(t.TempDir(), "made."))
		args := strings.Fields(files.Replace(c.command))
		var out bytes.Buffer
		if err := cli.Program().Run(context.Background(), args, strings.NewReader(c.stdin), &out, &bytes.Buffer{}); err != nil {
			t.Errorf("ur %s: %v", c.command, err)
			continue
		}
		values, err := jsonLines(&out)
		if err != nil {
			t.Errorf("ur %s: %v", c.command, err)
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
				t.Errorf("ur %s prints %q, missing in section %s", c.command, key, c.heading)
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

// addKeys adds the keys of the objects in a value. What a file tells about itself, and the
// settings of each way to learn, have keys of their own.
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
