// Command _asm generates the assembly of package ur with avo. Its argument names
// the file of kernels to write:
//
//	go run . -out ../eval_amd64.s -stubs ../eval_stubs_amd64.go -pkg ur eval
//
// It is a module of its own so that users of package ur never meet avo.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

// files maps the argument to what writes the kernels of that file.
var files = map[string]func(){
	"eval":        evalKernels,
	"incremental": incrementalKernels,
	"lanes":       lanesKernels,
	"squares":     squaresKernels,

	"lanesWinners":   lanesWinnersKernels,
	"squaresWinners": squaresWinnersKernels,

	"reversi": reversiKernels,
}

func main() {
	flag.Parse()
	write, ok := files[flag.Arg(0)]
	if !ok {
		fmt.Fprintf(os.Stderr, "_asm: unknown file of kernels %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ConstraintExpr("!purego")
	write()
	Generate()
}
