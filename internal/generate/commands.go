package main

import (
	"bytes"
	"fmt"
	"io"

	reversi "github.com/seed-09dcdc84/ur/cmd/reversi/cli"
	ur "github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/internal/abcommand"
)

// commandBlocks returns the parts of the reference of commands, one for each program.
func commandBlocks() []block {
	return []block{
		{"docs/cli.md", "ur", ur.Program().WriteReference},
		{"docs/cli.md", "reversi", reversi.Program().WriteReference},
		{"docs/cli.md", "benchab", func(w io.Writer) error {
			var help bytes.Buffer
			abcommand.WriteHelp(&help, "benchab")
			_, err := fmt.Fprintf(w, "```text\n%s```\n", help.String())
			return err
		}},
	}
}
