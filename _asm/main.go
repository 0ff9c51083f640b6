// Command _asm generates the engines' assembly with avo. Its argument names the file with the
// kernels to write:
//
//	go run . -out ../eval_amd64.s -stubs ../eval_stubs_amd64.go -pkg ur eval
//
// It is its own module, so users of package ur never download avo. Kernels on Go structs
// find their fields by name in the package that has both. That package must build before its kernels
// can be regenerated, with stubs for new ones.
package main

import (
	"fmt"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"golang.org/x/tools/go/packages"
)

// module is the main module's path.
const module = "github.com/seed-09dcdc84/ur"

// files maps the argument to the function that writes that file's kernels, and to the
// package whose structs they access, if any.
var files = map[string]struct {
	write   func()
	structs string
}{
	"eval":        {evalKernels, module},
	"array":       {arrayKernels, module + "/engine/internal/array"},
	"incremental": {incrementalKernels, module + "/engine/internal/incremental"},
	"lanes":       {lanesKernels, module + "/engine/internal/lanes"},
	"squares":     {squaresKernels, module + "/engine/internal/squares"},
	"reversi":     {reversiKernels, module + "/reversi/movegen"},
	"endgame":     {endgameKernels, module + "/reversi/engine"},
	"patterns":    {patternKernels, ""},
	"f32":         {floatKernels, ""},
	"integer":     {integerKernels, ""},
}

func main() {
	// avo reads the flags in Generate, and truncates its output files first: the package is
	// loaded before that.
	name := os.Args[len(os.Args)-1]
	file, ok := files[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "_asm: unknown file of kernels %q\n", name)
		os.Exit(2)
	}
	if file.structs != "" {
		loadStructs(file.structs)
	}
	ConstraintExpr("!purego")
	file.write()
	Generate()
}

// scope holds the types in the kernels' package.
var scope *types.Scope

// loadStructs lets kernels refer to a package's types: in signatures, and by record.
func loadStructs(path string) {
	Package(path)
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedTypes | packages.NeedDeps | packages.NeedImports}, path)
	if err != nil || len(loaded[0].Errors) > 0 {
		fmt.Fprintln(os.Stderr, "_asm:", path, err, loaded[0].Errors)
		os.Exit(1)
	}
	scope = loaded[0].Types.Scope()
}

// record is a Go struct in memory, whose fields are found by their names. avo's own
// Field knows basic types alone, and kernels load rows in arrays of structs.
type record struct {
	typ  types.Type
	base reg.Register
}

// load loads a parameter that points to a struct with the given name.
func load(parameter, name string) record {
	return record{structOf(name), Load(Param(parameter), GP64())}
}

func structOf(name string) types.Type { return scope.Lookup(name).Type() }

// at returns where a field begins. A path such as "games.0.sums" leads to it by field
// names and element numbers.
func (r record) at(path string) Mem { return Mem{Base: r.base, Disp: r.offset(path)} }

// offset returns how many bytes into the struct a field begins.
func (r record) offset(path string) int {
	typ, offset := r.typ, int64(0)
	for step := range strings.SplitSeq(path, ".") {
		switch t := typ.Underlying().(type) {
		case *types.Struct:
			fields := slices.Collect(t.Fields())
			found := slices.IndexFunc(fields, func(f *types.Var) bool { return f.Name() == step })
			if found < 0 {
				panic(fmt.Sprintf("_asm: %s has no field %s", r.typ, path))
			}
			offset += gotypes.Sizes.Offsetsof(fields)[found]
			typ = fields[found].Type()
		case *types.Array:
			i, err := strconv.Atoi(step)
			if err != nil || int64(i) >= t.Len() {
				panic(fmt.Sprintf("_asm: %s has no element %s", r.typ, path))
			}
			offset += int64(i) * gotypes.Sizes.Sizeof(t.Elem())
			typ = t.Elem()
		default:
			panic(fmt.Sprintf("_asm: %s has nothing at %s", r.typ, path))
		}
	}
	return int(offset)
}

// size returns how many bytes the struct takes.
func (r record) size() int { return int(gotypes.Sizes.Sizeof(r.typ)) }

// kernel begins a function. Its comment begins with the name.
func kernel(name, signature string, doc ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	doc[0] = name + " " + doc[0]
	Doc(doc...)
}

// arg loads a 64-bit parameter.
func arg(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// wordOf returns a register with a 64-bit number from memory or another register.
func wordOf(from Op) reg.GPVirtual {
	r := GP64()
	MOVQ(from, r)
	return r
}

// end leaves a kernel.
func end() {
	VZEROUPPER()
	RET()
}

// rounds repeats a body as often as n says.
func rounds(n reg.Register, body func()) {
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("next")
	body()
	DECQ(n)
	JNZ(LabelRef("next"))
	Label("done")
	end()
}
