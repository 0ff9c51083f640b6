package bench

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The instrument knows no game: whoever measures hash maps can use it. Its rooms import
// nothing of this module but each other and what knows no game either.
func TestTheInstrumentKnowsNoGame(t *testing.T) {
	const module = "github.com/seed-09dcdc84/ur/"
	free := []string{"rating", "internal/text", "internal/config", "internal/wholefile", "internal/cpu", "internal/samebits", "internal/filelock", "internal/plot", "internal/golden", "internal/long", "internal/affinity", "internal/perfevent"}
	rooms := []string{"bench/stat", "bench/compare", "internal/experiment", "internal/gobench", "internal/bench/doctor", "internal/profile", "bench/verdict", "internal/trials"}
	checked := 0
	for _, room := range slices.Concat(rooms, []string{"rating", "internal/text", "internal/config", "internal/wholefile", "internal/cpu", "internal/plot"}) {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(room), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			checked++
			for _, spec := range parsed.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				of, ours := strings.CutPrefix(path+"/", module)
				if of = strings.TrimSuffix(of, "/"); ours && !slices.Contains(rooms, of) && !slices.Contains(free, of) {
					t.Errorf("%s imports %s, which is not of the instrument", file, path)
				}
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d files were found", checked)
	}
}
