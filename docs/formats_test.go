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
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// jsonCommands are commands whose JSON docs/formats.md describes: by an interface, or in its table by a
// schema with a struct.
var jsonCommands = []struct {
	name, command, stdin string
}{
	{"ur.match/1", "ur match brain greedy --games 20 --json", ""},
	{"ur.match/1", "ur match brain greedy --pieces 2 --games 2000 --luck --sprt elo0=0,elo1=200 --json", ""},
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

// Every field that a command prints stands in docs/formats.md or in the package whose struct the page names.
func TestJSONIsDocumented(t *testing.T) {
	folder := t.TempDir()
	declared := interfaces(readPage(t, "docs/formats.md"))
	maps.Copy(declared, structs(t))
	for _, c := range jsonCommands {
		args := strings.Fields(strings.ReplaceAll(c.command, "two.urt", filepath.Join(folder, "two.urt")))
		program := ur.Program()
		if args[0] == "reversi" {
			program = reversi.Program()
		}
		var out bytes.Buffer
		err := program.Run(context.Background(), args[1:], strings.NewReader(c.stdin), &out, io.Discard)
		testkit.MustEqual(t, err, nil, "%s", c.command)
		printed := map[string]bool{}
		for _, value := range testkit.Must(jsonLines(&out))(t) {
			addKeys(printed, value)
			schema := value.(map[string]any)["schema"]
			testkit.ErrorIf(t, strings.Contains(c.name, "/") && schema != c.name,
				"%s prints schema %v", c.command, schema)
		}
		for key := range printed {
			testkit.ErrorIf(t, !slices.Contains(declared[c.name], key),
				"%s prints %q, missing in %s", c.command, key, c.name)
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

var (
	interfaceBlock = regexp.MustCompile(`(?ms)^interface (\w+) \{\n(.*?)^\}`)
	lineComment    = regexp.MustCompile(`(?m) *//.*$`)
	field          = regexp.MustCompile(`(?m)(?:^ *|[{,] *)(\w+)\??: `)
)

// interfaces reads the fields of the page's declarations, by the name of the interface.
func interfaces(page string) map[string][]string {
	found := map[string][]string{}
	for _, block := range interfaceBlock.FindAllStringSubmatch(page, -1) {
		found[block[1]] = []string{"schema", "line", "error"}
		for _, f := range field.FindAllStringSubmatch(lineComment.ReplaceAllString(block[2], ""), -1) {
			found[block[1]] = append(found[block[1]], f[1])
		}
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

// structs returns the fields by the schemas in the page's table: those of the package named there, and of
// every match. The structs exist.
func structs(t *testing.T) map[string][]string {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| ?(\\S+/\\d).*`\\./(\\S+) (\\w+)` ?\\|$")
	rows := row.FindAllStringSubmatch(readPage(t, "docs/formats.md"), -1)
	testkit.ErrorIf(t, len(rows) < 7, "the page names %d structs", len(rows))
	found := map[string][]string{}
	tag := regexp.MustCompile(`json:"(\w+)`)
	for _, row := range rows {
		exists := false
		for _, text := range tracked(t, row[2]+"/*.go", "cmd/internal/matchcmd/*.go", "match/rating/sprt.go") {
			exists = exists || strings.Contains(text, "\ntype "+row[3]+" struct {")
			for _, m := range tag.FindAllStringSubmatch(text, -1) {
				found[row[1]] = append(found[row[1]], m[1])
			}
		}
		testkit.ErrorIf(t, !exists, "package %s has no struct %s", row[2], row[3])
	}
	return found
}
