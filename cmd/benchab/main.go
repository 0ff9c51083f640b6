// Command benchab answers "did my commit make it slower?" for the benchmarks of any Go module
// under git:
//
//	go run github.com/seed-09dcdc84/ur/cmd/benchab@latest HEAD~1
//
// It is "ur bench ab" as a separate program without dependencies outside this module.
package main

import (
	"os"

	"github.com/seed-09dcdc84/ur/internal/abcommand"
)

func main() { os.Exit(abcommand.Main("benchab", os.Args[1:], os.Stdout, os.Stderr)) }
