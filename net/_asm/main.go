// Command _asm generates the assembly of the rooms under package net with avo. Its
// argument names the file of kernels to write:
//
//	go run . -out ../internal/f32/f32_amd64.s -stubs ../internal/f32/f32_stubs_amd64.go -pkg f32 f32
//
// It is a module of its own so that users of package net never meet avo.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

// files maps the argument to what writes the kernels of that file.
var files = map[string]func(){
	"f32":     floatKernels,
	"integer": integerKernels,
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
