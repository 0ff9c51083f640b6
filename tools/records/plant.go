package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/tools/code"
)

// plantedFunction is a pure function of a public module, which a call may run twice.
type plantedFunction struct {
	project, commit, file string
	name                  string // Function or Type.Method
}

// plantedFunctions are chosen before they were measured: a benchmark calls each, from one goroutine, at a commit of the
// suite commits.
var plantedFunctions = []plantedFunction{
	{"tidwall/gjson", "896d569", "gjson.go", "Valid"},
	{"rivo/uniseg", "03509a9", "grapheme.go", "FirstGraphemeClusterInString"},
	{"google/uuid", "574e687", "uuid.go", "Parse"},
	{"shopspring/decimal", "9620fb7", "decimal.go", "NewFromString"},
	{"valyala/fastjson", "6f52d1b", "validate.go", "Validate"},
	{"mattn/go-runewidth", "cd0d2a4", "runewidth.go", "Condition.RuneWidth"},
	{"bits-and-blooms/bitset", "f0f8af2", "bitset.go", "BitSet.Count"},
	{"cespare/xxhash", "998dce2", "xxhash_unsafe.go", "Sum64String"},
	{"pelletier/go-toml", "06fb30b", "unmarshaler.go", "Unmarshal"},
	{"BurntSushi/toml", "6a671b2", "decode.go", "Decode"},
}

// smallFunctions take some nanoseconds. Their project finds benchmarks below 1 us too noisy for its CI, and lists these
// (open-telemetry/opentelemetry-collector, issue 14216, whose commit this is).
var smallFunctions = []plantedFunction{
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/value.go", "Value.Equal"},
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/map.go", "Map.Equal"},
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/slice.go", "Slice.Equal"},
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/generated_byteslice.go", "ByteSlice.Equal"},
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/generated_int64slice.go", "Int64Slice.Equal"},
	{"open-telemetry/opentelemetry-collector", "c2224e6", "pdata/pcommon/generated_stringslice.go", "StringSlice.Equal"},
}

// seldom is the condition of the base.
const seldom = "planted&(1<<20-1) == 7"

// withMore is the condition of the head for a share of the calls in percent; 0 is as seldom as the base, at another count.
func withMore(percent int) string {
	if percent == 0 {
		return "planted&(1<<20-1) == 11"
	}
	return fmt.Sprintf("planted&1023 < %d", (percent*1024+50)/100)
}

// smallTrials compares the small functions with equal work, and with more in a tenth of the calls, by the count.
func smallTrials() (list []trial) {
	for _, f := range smallFunctions {
		for _, percent := range []int{0, 10} {
			list = append(list, trial{family: "small", project: f.project, module: "pdata", base: f.commit,
				args: []string{"--judge", "count"}, plants: sidesOf(f, percent),
				keys: map[string]string{"function": f.name, "size": fmt.Sprint(percent), "judge": "count"}})
		}
	}
	return list
}

// plantedTrials compares functions with equal work on both sides (aa), and with some percent more on the head (planted).
// For aa, each side runs a function a second time in one of a million calls, at another count: the code differs in a
// constant, so it is measured, and the work is the same.
func plantedTrials() (list []trial) {
	add := func(f plantedFunction, family string, percent int, keys map[string]string) {
		keys["project"], keys["function"] = f.project, f.name
		list = append(list, trial{family: family, project: f.project, base: f.commit, keys: keys,
			plants: sidesOf(f, percent)})
	}
	for _, f := range plantedFunctions {
		for seed := range 5 {
			add(f, "aa", 0, map[string]string{"seed": fmt.Sprint(seed + 1)})
		}
	}
	for _, f := range plantedFunctions {
		for _, percent := range []int{2, 5, 10, 30} {
			for seed := range 2 {
				add(f, "planted", percent,
					map[string]string{"size": fmt.Sprint(percent), "seed": fmt.Sprint(seed + 1)})
			}
		}
	}
	return list
}

// plant is a commit where a function runs twice when a condition on the count of its calls, planted, holds.
type plant struct {
	function  plantedFunction
	condition string
	tag       string // of the commit
}

// The tags of the sides of a trial.
const plantedBase, plantedHead = "planted-base", "planted-head"

// sidesOf returns the plants of a trial.
func sidesOf(f plantedFunction, percent int) []plant {
	return []plant{{f, seldom, plantedBase}, {f, withMore(percent), plantedHead}}
}

// plantCommits clones a repository into a new folder, with commits on top of those of the functions.
func plantCommits(source, folder string, plants ...plant) error {
	err := cmp.Or(os.RemoveAll(folder), abtest.Git(".", "clone", "-q", source, folder))
	for _, p := range plants {
		if err == nil {
			err = abtest.Git(folder, "checkout", "-q", p.function.commit)
		}
		if err == nil {
			err = p.write(folder)
		}
		if err == nil {
			err = cmp.Or(abtest.Git(folder, "commit", "-qam", p.tag), abtest.Git(folder, "tag", p.tag))
		}
	}
	return err
}

// write changes the file of the function below a folder: the function gets another name, and one with its name calls it.
func (p *plant) write(folder string) error {
	name := filepath.Join(folder, p.function.file)
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	planted, err := p.change(source)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, planted, 0o666)
}

// change returns the source with the plant.
func (p *plant) change(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || code.FunctionName(f) != p.function.name {
			continue
		}
		at := func(pos token.Pos) int { return files.Position(pos).Offset }
		call := f.Name.Name + "Planted(" + strings.Join(argumentsOf(f), ", ") + ")"
		if f.Recv != nil {
			call = f.Recv.List[0].Names[0].Name + "." + call
		}
		header := string(source[at(f.Pos()):at(f.Body.Lbrace)])
		wrapper := fmt.Sprintf("var planted uint32\n\n%s{\n\tif planted++; %s {\n\t\t%s\n\t}\n\treturn %s\n}\n\n", header,
			p.condition, call, call)
		end := at(f.Name.End())
		return []byte(string(source[:at(f.Pos())]) + wrapper + string(source[at(f.Pos()):end]) + "Planted" +
			string(source[end:])), nil
	}
	return nil, fmt.Errorf("no function %s with a body", p.function.name)
}

// argumentsOf returns the names of a function's parameters as its arguments.
func argumentsOf(f *ast.FuncDecl) (names []string) {
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			text := name.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				text += "..."
			}
			names = append(names, text)
		}
	}
	return names
}
