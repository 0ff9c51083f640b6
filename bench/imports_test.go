package bench

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Sampling, records, the gate and the doctor know no game: they measure any Go code. They import
// nothing of this module except each other and kits that know no game either.
func TestTheInstrumentKnowsNoGame(t *testing.T) {
	const module = "github.com/seed-09dcdc84/ur/"
	instrument := []string{"bench/sample", "bench/record", "bench/gate", "bench/doctor", "bench/verdict", "bench/ab"}
	kits := []string{"internal/text", "internal/config", "internal/safefile", "internal/cpu", "internal/process", "internal/plot"}
	checked := 0
	for _, folder := range slices.Concat(instrument, kits) {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			checked++
			for _, spec := range parsed.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				of, ours := strings.CutPrefix(path, module)
				if ours && !slices.Contains(instrument, of) && !slices.Contains(kits, of) {
					t.Errorf("%s imports %s, which knows games", file, path)
				}
			}
		}
	}
	if checked < 25 {
		t.Errorf("only %d files were found", checked)
	}
}
