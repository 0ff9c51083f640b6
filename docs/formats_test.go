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

// jsonCommands are commands whose JSON docs/formats.md declares, by the name of the interface.
var jsonCommands = []struct {
	name, command, stdin string
}{
	{"Match", "ur match brain greedy --games 20 --json", ""},
	{"Match", "ur match brain greedy --pieces 2 --games 2000 --luck --sprt elo0=0,elo1=200 --json", ""},
	{"Solve", "ur solve --pieces 2 -o two.urt --json", ""},
	{"Eval", "ur eval brain", startOfTwo(`,"roll":4`)},
	{"Analysis", "ur analyze testdata/game.jsonl --json", ""},
	{"ReversiMatch", "reversi match greedy random --games 400 --sprt elo0=0,elo1=50 --json", ""},
	{"ReversiSolve", "reversi solve --json", `{"board":"XXXXXXX-OOOOOOX-OXXOXOXOOXOXXOOOOOXOXXOOOOOXXXOOOO-OXXXO--OXXXX-","side":"X"}` + "\n"},
}

// startOfTwo is the start of a game of two pieces as a line of JSON, with more members.
func startOfTwo(more string) string {
	row := "2" + strings.Repeat(",0", 15)
	return `{"board":[` + row + "," + row + ",0]" + more + "}\n"
}

// Every field that a command prints stands in docs/formats.md, and a command prints every field
// of an object that is not optional there.
func TestJSONIsDocumented(t *testing.T) {
	folder := t.TempDir()
	declared := interfaces(readPage(t, "docs/formats.md"))
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
		}
		for key := range printed[c.name] {
			if !slices.Contains(declared[c.name].named, key) {
				t.Errorf("%s prints %q, missing in interface %s", c.command, key, c.name)
			}
		}
	}
	for name, keys := range printed {
		if len(declared[name].fields) == 0 && name != "Eval" {
			t.Errorf("interface %s has no fields", name)
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

// The types that the page refers to exist.
func TestFormatsNameTypes(t *testing.T) {
	named := regexp.MustCompile(`(?m)^go doc github.com/seed-09dcdc84/ur/(\S+) (\w+)$`).FindAllStringSubmatch(readPage(t, "docs/formats.md"), -1)
	if len(named) == 0 {
		t.Error("the page names no type")
	}
	for _, m := range named {
		source := ""
		for _, text := range tracked(t, m[1]+"/*.go") {
			source += text
		}
		if !strings.Contains(source, "\ntype "+m[2]+" struct {") {
			t.Errorf("package %s has no struct %s", m[1], m[2])
		}
	}
}
