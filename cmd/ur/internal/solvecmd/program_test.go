package solvecmd

import "github.com/seed-09dcdc84/ur/internal/cli"

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}
