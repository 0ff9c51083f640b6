// Command urpairs is the command ur with the engine of package pairs in its list.
//
//	go run ./examples/pairs/urpairs bench run --engine position/pairs
package main

import (
	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/examples/pairs"
)

func main() { cli.Main(pairs.Engine{}) }
