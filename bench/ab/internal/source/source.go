// Package source finds what a run compares: the commits of a repository, their files with those beside them, their modules and
// packages, and the files that differ. A [Request] goes in, and [Sides] come out: the folders of both sides, each ready for the
// go command, one of them in the common place at a time.
package source

import (
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// Request names the sides of a run.
type Request struct {
	*frame.Run
	Dir        string   // where the user stands; "" is the current folder
	Base, Head string   // commits; "" is the merge base with the main branch, or the work tree
	Packages   []string // patterns as "go test" takes them; none is ./...
	Bench      string   // regular expression of benchmarks, as of go test -bench
	Tags       string   // tags for go build -tags
	Prepare    string   // command of a shell that runs in Dir of each side before it is built
}
