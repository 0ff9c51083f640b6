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
	"os"

	. "github.com/mmcloughlin/avo/build"
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
	"endgame":     {endgameKernels, ""},
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
