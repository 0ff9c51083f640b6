package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// runs are the tests that steps of CI ran, by package and name.
type runs struct {
	done    map[string]bool   // passed or failed
	skipped map[string]string // the reasons
}

// short is the reason of a test that only steps with -short have, and skip.
const short = "is skipped with -short, and has no step without"

// again matches the number of a part with the name of another.
var again = regexp.MustCompile(`#\d+$`)

// read adds the events of a step, the output of go test -json. The long step has all tests of this system.
func (r runs) read(t *testing.T, events io.Reader, long bool) {
	t.Helper()
	last := make(map[string]string) // lines
	for decoder := json.NewDecoder(events); decoder.More(); {
		var event struct{ Action, Package, Test, Output string }
		testkit.NoError(t, decoder.Decode(&event))
		name := event.Package + "." + again.ReplaceAllString(event.Test, "")
		switch line := strings.TrimSpace(event.Output); event.Action {
		case "output":
			if !strings.HasPrefix(line, "--- ") {
				last[name] = line
			}
		case "pass", "fail":
			r.done[name] = true
		case "skip":
			if event.Test == "" || strings.Contains(event.Test, "/seed#") {
				break // a package without tests, or an input that a fuzz target refuses
			}
			if long || strings.Contains(event.Test, "/") {
				r.skipped[name] = cmp.Or(last[name], "no reason")
			} else if r.skipped[name] == "" {
				r.skipped[name] = short
			}
		}
	}
}

// check reports each test that ran nowhere, and returns those that only lack something of this machine: a program, a
// feature of its CPU, or, in a test that it does not build, an emulator.
func (r runs) check(t testkit.T, built map[string]bool, emulator bool) (lacking []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(built)) {
		switch {
		case r.done[name] || r.skipped[name] != "":
		case built[name] || emulator:
			t.Errorf("%s runs in no step", name)
		default:
			lacking = append(lacking, name+": for another system")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.skipped)) {
		switch reason := r.skipped[name]; {
		case r.done[name]:
		case reason == short || strings.Contains(reason, "(want UR_"):
			t.Errorf("%s: %s", name, reason)
		default:
			lacking = append(lacking, name+": "+reason)
		}
	}
	return lacking
}

// declaredTests returns the tests, fuzz targets and examples of the sources by package and name, and whether this
// system builds them.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	declared := make(map[string]bool)
	for file, text := range tracked(t, "*_test.go") {
		if strings.Contains(file, "testdata/") {
			continue
		}
		parsed := testkit.Must(parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments))(t)
		built := testkit.Must(build.Default.MatchFile(filepath.Join(root, path.Dir(file)), path.Base(file)))(t)
		add := func(name string) { declared[path.Join(module, path.Dir(file))+"."+name] = built }
		for _, declaration := range parsed.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && testName.MatchString(f.Name.Name) && f.Name.Name != "TestMain" {
				add(f.Name.Name)
			}
		}
		for _, example := range doc.Examples(parsed) {
			if example.Output != "" || example.EmptyOutput {
				add("Example" + example.Name)
			}
		}
	}
	return declared
}

var testName = regexp.MustCompile(`^(Test|Fuzz)([^a-z]|$)`)

// The test named by a failure is the one that runs nowhere.
func TestRuns(t *testing.T) {
	r := runs{make(map[string]bool), make(map[string]string)}
	event := func(action, test, output string) string {
		return fmt.Sprintf(`{"Action":%q,"Package":"p","Test":%q,"Output":%q}`, action, test, output)
	}
	r.read(t, strings.NewReader(event("pass", "TestA", "")+event("output", "TestB", "x_test.go:1: no jq")+
		event("output", "TestB", "--- SKIP: TestB")+event("skip", "TestB", "")+event("output", "TestC/c", "(want UR_LONG=1)")+
		event("skip", "TestC/c", "")+event("pass", "TestC", "")), true)
	r.read(t, strings.NewReader(event("skip", "TestA", "")+event("skip", "TestB", "")+event("skip", "TestD", "")), false)
	for emulator, want := range map[bool]string{
		true:  "p.TestE runs in no step|p.TestF runs in no step|p.TestC/c: (want UR_LONG=1)|p.TestD: " + short,
		false: "p.TestE runs in no step|p.TestC/c: (want UR_LONG=1)|p.TestD: " + short,
	} {
		var found failures
		lacking := r.check(&found, map[string]bool{"p.TestA": true, "p.TestB": true, "p.TestE": true, "p.TestF": false}, emulator)
		testkit.Equal(t, strings.Join(found, "|"), want, "failures")
		testkit.WantText(t, strings.Join(lacking, "|"), "p.TestB: x_test.go:1: no jq")
	}
}

// failures are those that a check reports.
type failures []string

func (*failures) Helper()                             {}
func (f *failures) Errorf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }
func (f *failures) Fatal(args ...any)                 { f.Errorf("%v", args) }
func (f *failures) Fatalf(format string, args ...any) { f.Errorf(format, args...) }

// Every test of the sources ran in a step of .ci/run, which keeps the events of its steps in the folder $UR_EVENTS.
func TestEveryTestRuns(t *testing.T) {
	folder := os.Getenv("UR_EVENTS")
	testkit.SkipIf(t, folder == "", "it is the last step of .ci/run")
	all, emulator := runs{make(map[string]bool), make(map[string]string)}, true
	testkit.NoError(t, filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if entry.Name() == "skipped" {
			emulator = false
			return nil
		}
		file, err := os.Open(name)
		if err == nil {
			defer file.Close()
			all.read(t, file, entry.Name() == "tests.json")
		}
		return err
	}))
	all.done[module+"/docs."+t.Name()] = true
	built := declaredTests(t)
	for _, name := range all.check(t, built, emulator) {
		t.Log("did not run: ", name)
	}
	t.Logf("the sources have %d tests; %d ran, parts included", len(built), len(all.done))
}
