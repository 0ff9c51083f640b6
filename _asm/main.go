// Command _asm generates the assembly of the engines with avo. Its argument names the
// file of kernels to write:
//
//	go run . -out ../eval_amd64.s -stubs ../eval_stubs_amd64.go -pkg ur eval
//
// It is a module of its own so that users of package ur never meet avo. Kernels that work
// on Go structs find their fields by name, in the package that holds both: that package
// must build before its kernels can be written again, with stubs in place of new ones.
package main

import (
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

// module is the path of the module that the kernels belong to.
const module = "github.com/seed-09dcdc84/ur"

// files maps the argument to the function that writes the kernels of that file, and to
// the package whose structs they access, if any.
var files = map[string]struct {
	write   func()
	structs string
}{
	"eval":        {evalKernels, module},
	"incremental": {incrementalKernels, module + "/engine/internal/incremental"},
	"lanes":       {lanesKernels, module + "/engine/internal/lanes"},
	"squares":     {squaresKernels, module + "/engine/internal/squares"},
	"reversi":     {reversiKernels, module + "/reversi/movegen"},
	"f32":         {floatKernels, ""},
	"integer":     {integerKernels, ""},
}

func main() {
	// avo reads the flags in Generate, and empties the files that it is to write: the
	// package is loaded before that.
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
