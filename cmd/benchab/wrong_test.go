package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

func TestWrongInputs(t *testing.T) {
	out, errs := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "err")
	clitest.WrongInputsOf(t, "benchab", func(_ context.Context, args []string, stdout, stderr *bytes.Buffer) int {
		to, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		complaints, err := os.Create(errs)
		if err != nil {
			t.Fatal(err)
		}
		defer complaints.Close()
		code := run(args, to, complaints)
		for name, buffer := range map[string]*bytes.Buffer{out: stdout, errs: stderr} {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			buffer.Write(content)
		}
		return code
	}, `
--bogus
--time 0s
--time x
--format xml
--json --format markdown
--undecided maybe
--missing fail
--old x
--new x
--bench (
--exclude (
--cpu x
--limit x
--limit -1%
--limit (=3%
--tests bogus
--higher-better (
--history NONE
--history NONE HEAD
--save ''
--store ''
-o FOLDER
-o NONE/report.txt
--save EMPTY/x
HEAD~1 HEAD --store EMPTY
HEAD
NONE HEAD ./...
`)
}
