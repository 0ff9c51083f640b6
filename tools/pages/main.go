// Command pages writes the tables and figures of README.md and docs from the
// records in results:
//
//	go run ./tools/pages          # or go generate ./tools/pages
//	go run ./tools/pages --check
//
// The first replaces the blocks of the pages and the drawing of the terminal. The second writes nothing and
// exits with code 3 when one is not up to date. Neither measures anything; --help
// lists all generated files of the module with their commands.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

//go:generate go run .

// generated lists the module's generated files.
const generated = `Generated files, and the commands that make them:

  go generate ./...                     assembly, declarations, tables
  go generate ./web                     the page in a browser
  go run ./tools/pages               tables and figures of README and docs
  go test ./web -run Picture -update    the picture of the page in README
  go test PACKAGE -update               golden files: ./docs and ./cmd/... (output of commands),
                                        ./engine (order of engines), ./bench (the corpus),
                                        ./cmd/ur/internal/tui (the full screen, and then its
                                        picture by ./tools/pages)
  go run ./tools/records measure     records whose code has changed; then "go run
                                        ./tools/records stale", and ./tools/pages
  go run ./tools/records SUITE       a record, stale or not; it lists its suites
  go run ./tools/records measure study NAME
                                        a study of learning
  go run ./tools/puzzles             the puzzles
  go run ./cmd/ur show FILE             prints the command that made a net in valuenet; add
                                        -o FILE, and "ur convert --to safetensors16"
  go run ./cmd/ur train fit --games 1500000 -o brain_default.txt --force
                                        the built-in brain, then the tests with -update
  go run ./cmd/reversi train -o reversi/eval/weights.bin --force
                                        Reversi's weights, then go test ./reversi/engine
                                        -run PredictionError -fit 1000 -v, whose line goes
                                        into predictionError
`

func main() {
	check := flag.Bool("check", false, "change nothing, exit with code 3 when a file is not up to date")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "%s\nusage: go run ./tools/pages [--check]\n", generated)
		flag.PrintDefaults()
	}
	flag.Parse()
	root, err := moduleRoot()
	if err == nil && flag.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if err != nil {
		fail(2, err)
	}
	files, err := generate(root)
	if err != nil {
		fail(1, err)
	}
	if err := update(root, files, *check); err != nil {
		fail(3, err)
	}
}

// fail prints an error and ends the process.
func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "pages:", err)
	os.Exit(code)
}

// moduleRoot returns the module's folder.
func moduleRoot() (string, error) {
	file, err := exec.Command("go", "env", "GOMOD").Output()
	return filepath.Dir(strings.TrimSpace(string(file))), err
}

// A file is a generated file of the tree: a page with its blocks filled, or a drawing.
type file struct {
	name string // below the root, with slashes
	data []byte
}

// generate makes all pages from a checkout's records.
func generate(root string) ([]file, error) {
	records, err := readResults(root)
	if err != nil {
		return nil, err
	}
	drawing, err := terminal(root)
	if err != nil {
		return nil, err
	}
	files := append([]file{drawing, squares()}, studyCharts(records)...)
	blocks := make(map[string][]block)
	for _, b := range list(records) {
		blocks[b.page] = append(blocks[b.page], b)
	}
	for _, page := range slices.Sorted(maps.Keys(blocks)) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
		if err != nil {
			return nil, err
		}
		if text, err = fill(text, blocks[page]); err != nil {
			return nil, fmt.Errorf("%s: %w", page, err)
		}
		files = append(files, file{page, text})
	}
	return files, nil
}

// update writes the changed files, or returns an error with their names.
func update(root string, files []file, check bool) error {
	var stale []error
	for _, f := range files {
		name := filepath.Join(root, filepath.FromSlash(f.name))
		old, err := os.ReadFile(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case err == nil && bytes.Equal(old, f.data):
		case check:
			stale = append(stale, fmt.Errorf("%s is not up to date (run go run ./tools/pages)", f.name))
		default:
			if err := safefile.WriteBytes(name, f.data); err != nil {
				return err
			}
		}
	}
	return errors.Join(stale...)
}

// A block is a part of a page between the lines
//
//	<!-- generated:NAME -->
//	<!-- /generated -->
type block struct {
	page  string // file below the root of the module, with slashes
	name  string
	write func(w io.Writer) error
}

// mark matches both lines of a block. The group is the name, without one at the end of a block.
var mark = regexp.MustCompile(`(?m)^[ \t]*<!-- (?:generated:(\S+)|/generated) -->[ \t\r]*$`)

// fill returns a page with the contents of all its blocks replaced. Those of one name follow one another between
// the same marks. Every mark must be of a block of the list, and every block of the list must be on the page once.
// Errors name the line.
func fill(page []byte, blocks []block) ([]byte, error) {
	var out bytes.Buffer
	missing, copied := slices.Clone(blocks), 0
	lineOf := func(mark []int) int { return 1 + bytes.Count(page[:mark[0]], []byte("\n")) }
	nameOf := func(mark []int) string { return string(page[max(0, mark[2]):max(0, mark[3])]) }
	for marks := mark.FindAllSubmatchIndex(page, -1); len(marks) > 0; marks = marks[2:] {
		line, name := lineOf(marks[0]), nameOf(marks[0])
		isNamed := func(b block) bool { return b.name == name }
		switch {
		case name == "":
			return nil, fmt.Errorf("line %d: end of a block without a beginning", line)
		case !slices.ContainsFunc(missing, isNamed):
			return nil, fmt.Errorf("line %d: unknown or repeated block %q (want one of the list in pages.go)", line, name)
		case len(marks) == 1:
			return nil, fmt.Errorf("line %d: block %q has no end", line, name)
		case nameOf(marks[1]) != "":
			return nil, fmt.Errorf("line %d: block %q of line %d has no end", lineOf(marks[1]), name, line)
		}
		fmt.Fprintf(&out, "%s\n\n", page[copied:marks[0][1]])
		for _, b := range slices.DeleteFunc(slices.Clone(missing), func(b block) bool { return !isNamed(b) }) {
			if err := b.write(&out); err != nil {
				return nil, fmt.Errorf("line %d: block %q: %w", line, name, err)
			}
		}
		fmt.Fprintln(&out)
		missing, copied = slices.DeleteFunc(missing, isNamed), marks[1][0]
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("missing block %q (want the lines <!-- generated:%[1]s --> and <!-- /generated -->)",
			missing[0].name)
	}
	out.Write(page[copied:])
	return out.Bytes(), nil
}
