package ur_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

var benchmarksFile = flag.String("benchmarks", "",
	"check the names of the benchmarks in this file, the output of go test -bench")

// checkNames reads benchmarks and returns how many there are, or what is wrong with the
// name of one: each part must be key=value, as benchstat splits it, with a key once.
func checkNames(r io.Reader, name string) (int, error) {
	names := map[string]bool{}
	for reader := benchfmt.NewReader(r, name); reader.Scan(); {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		full := string(result.Name.Full())
		names[full] = true
		_, parts := result.Name.Parts()
		seen := map[string]bool{}
		for _, part := range parts {
			if part[0] == '-' { // GOMAXPROCS
				continue
			}
			key, value, ok := strings.Cut(string(part[1:]), "=")
			if !ok || key == "" || value == "" || seen[key] {
				return 0, fmt.Errorf("benchmark %s: part %q is not a new key=value", full, part)
			}
			seen[key] = true
			if got, err := project(result, "/"+key); err != nil || got != value {
				return 0, fmt.Errorf("benchmark %s: by %q it is %q (%v), want %q", full, "/"+key, got, err, value)
			}
		}
	}
	return len(names), nil
}

// project returns what benchstat shows of a result in a column of a key.
func project(result *benchfmt.Result, key string) (string, error) {
	var parser benchproc.ProjectionParser
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return "", err
	}
	projection, err := parser.Parse(key, filter)
	if err != nil {
		return "", err
	}
	return projection.Project(result).StringValues(), nil
}

// Tools split a benchmark's name into keys and values, so every name must be made of
// them. With -benchmarks it is those of a file, which the checks fill with all benchmarks
// of the tree; without, those of the ladder.
func TestBenchmarkNames(t *testing.T) {
	if *benchmarksFile != "" {
		f := testkit.Must(os.Open(*benchmarksFile))(t)
		defer f.Close()
		n, err := checkNames(f, *benchmarksFile)
		if err != nil || n < 100 {
			t.Errorf("%d benchmarks: %v", n, err)
		}
		return
	}
	var text strings.Builder
	for _, e := range engine.All() {
		representation, eval, _ := strings.Cut(e.Name(), "/")
		fmt.Fprintf(&text, "BenchmarkValue/board=%s/eval=%s-2 1 5 ns/eval\n", representation, eval)
	}
	if n, err := checkNames(strings.NewReader(text.String()), "ladder"); err != nil || n != len(engine.All()) {
		t.Errorf("%d of %d names: %v", n, len(engine.All()), err)
	}
	for _, wrong := range []string{"engine=array16/scalar/tell=true", "plain", "a=", "=b", "a=1/a=2"} {
		if _, err := checkNames(strings.NewReader("BenchmarkX/"+wrong+"-2 1 5 ns/op\n"), "wrong"); err == nil {
			t.Errorf("the name X/%s is accepted", wrong)
		}
	}
}
