package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	reversi "github.com/seed-09dcdc84/ur/cmd/reversi/cli"
	ur "github.com/seed-09dcdc84/ur/cmd/ur/cli"
)

// jsonCommands are commands whose JSON docs/formats.md describes: by an interface, or in its table by a
// schema with a struct.
var jsonCommands = []struct {
	name, command, stdin string
}{
	{"Match", "ur match brain greedy --games 20 --json", ""},
	{"Match", "ur match brain greedy --pieces 2 --games 2000 --luck --sprt elo0=0,elo1=200 --json", ""},
	{"ur.solve/1", "ur solve --pieces 2 -o two.urt --json", ""},
	{"Eval", "ur eval brain", startOfTwo(`,"roll":4`)},
	{"ur.analysis/1", "ur analyze testdata/game.jsonl --json", ""},
	{"reversi.match/1", "reversi match greedy random --games 400 --sprt elo0=0,elo1=50 --json", ""},
	{"reversi.solve/1", "reversi solve --json", reversiEnd},
}

// reversiEnd is a position of Reversi with few empty squares.
const reversiEnd = `{"board":"XXXXXXX-OOOOOOX-OXXOXOXOOXOXXOOOOOXOXXOOOOOXXXOOOO-OXXXO--OXXXX-","side":"X"}` + "\n"

// startOfTwo is the start of a game of two pieces as a line of JSON, with more members.
func startOfTwo(more string) string {
	row := "2" + strings.Repeat(",0", 15)
	return `{"board":[` + row + "," + row + ",0]" + more + "}\n"
}

// Every field that a command prints stands in docs/formats.md or in the struct that the page names, and a
// command prints every field of an interface that is not optional there.
func TestJSONIsDocumented(t *testing.T) {
	folder := t.TempDir()
	declared := interfaces(readPage(t, "docs/formats.md"))
	maps.Copy(declared, structs(t, declared["Score"].named))
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
		if printed[c.name] == nil {
			printed[c.name] = map[string]bool{}
		}
		for _, value := range values {
			addKeys(printed[c.name], value)
			if schema := value.(map[string]any)["schema"]; strings.Contains(c.name, "/") && schema != c.name {
				t.Errorf("%s prints schema %v, want %s", c.command, schema, c.name)
			}
		}
		for key := range printed[c.name] {
			if !slices.Contains(declared[c.name].named, key) {
				t.Errorf("%s prints %q, missing in interface %s", c.command, key, c.name)
			}
		}
	}
	for name, keys := range printed {
		if len(declared[name].named) == 0 || len(declared[name].fields) == 0 && name == "Match" {
			t.Errorf("%s has no fields", name)
		}
		for _, field := range declared[name].fields {
			if !keys[field] {
				t.Errorf("interface %s names %q, which is not printed", name, field)
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

// declaration is an interface of docs/formats.md.
type declaration struct {
	named  []string // all fields
	fields []string // those that are always printed
}

var (
	interfaceBlock = regexp.MustCompile(`(?ms)^interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}`)
	lineComment    = regexp.MustCompile(`(?m) *//.*$`)
	field          = regexp.MustCompile(`(?m)(^ *|[{,] *)(\w+)(\??): `)
)

// interfaces reads the declarations of the page. An interface stands behind the one that it extends.
func interfaces(page string) map[string]declaration {
	found := map[string]declaration{}
	for _, block := range interfaceBlock.FindAllStringSubmatch(page, -1) {
		d := declaration{named: []string{"schema", "line", "error"}}
		for _, f := range field.FindAllStringSubmatch(lineComment.ReplaceAllString(block[3], ""), -1) {
			d.named = append(d.named, f[2])
			if f[1] == "  " && f[3] == "" {
				d.fields = append(d.fields, f[2])
			}
		}
		base := found[block[2]]
		found[block[1]] = declaration{slices.Concat(base.named, d.named), slices.Concat(base.fields, d.fields)}
	}
	return found
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

// structs returns the declarations by schema in the page's table: the fields of the packages named there,
// and those of a score. The structs exist.
func structs(t *testing.T, score []string) map[string]declaration {
	t.Helper()
	rows := regexp.MustCompile("(?m)^\\| (\\S+/\\d).*`\\./(\\S+) (\\w+)` \\|$").FindAllStringSubmatch(readPage(t, "docs/formats.md"), -1)
	if len(rows) < 6 {
		t.Errorf("the page names %d structs", len(rows))
	}
	found := map[string]declaration{}
	tag := regexp.MustCompile(`json:"(\w+)`)
	for _, row := range rows {
		named, exists := slices.Clone(score), false
		for _, text := range tracked(t, row[2]+"/*.go") {
			exists = exists || strings.Contains(text, "\ntype "+row[3]+" struct {")
			for _, m := range tag.FindAllStringSubmatch(text, -1) {
				named = append(named, m[1])
			}
		}
		if !exists {
			t.Errorf("package %s has no struct %s", row[2], row[3])
		}
		found[row[1]] = declaration{named: named}
	}
	return found
}
