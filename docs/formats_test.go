package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
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
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
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

// The fields of a report of benchab and of a row of results are declared, and no others.
func TestReportsAreDocumented(t *testing.T) {
	declared := interfaces(readPage(t, "docs/formats.md"))
	for name, value := range map[string]any{"Comparison": report.Report{}, "Row": record.Row{}} {
		got := []string{"line", "error"} // added to every interface
		addTags(reflect.TypeOf(value), &got)
		for _, field := range got {
			if !slices.Contains(declared[name].named, field) {
				t.Errorf("interface %s lacks %q", name, field)
			}
		}
		for _, field := range declared[name].named {
			if field != "schema" && !slices.Contains(got, field) {
				t.Errorf("interface %s names %q, which no report has", name, field)
			}
		}
	}
}

// addTags adds the names in JSON of the fields of a type, and of the types within it.
func addTags(typ reflect.Type, names *[]string) {
	switch {
	case typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer:
		addTags(typ.Elem(), names)
	case typ.Kind() == reflect.Struct:
		for field := range typ.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			*names = append(*names, name)
			addTags(field.Type, names)
		}
	}
}
