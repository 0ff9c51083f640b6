package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/spf13/cobra"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// What nothing else completes is completed by its kind: only files are looked for among files.
func TestFlagsAreCompletedByTheirKind(t *testing.T) {
	program := &Program{Name: "p", Commands: func(*Env) []*cobra.Command {
		c := &cobra.Command{Use: "run", RunE: func(*cobra.Command, []string) error { return nil }}
		f := c.Flags()
		f.Int("count", 20, "samples")
		f.Duration("time", 0, "`time` at most")
		f.String("output", "", "`FILE` to write")
		f.String("out", "", "`folder` to write")
		f.String("name", "me", "of the worker")
		f.String("clock", "cpu", "of samples")
		CompleteFrom(c, "clock", "cpu", "wall")
		return []*cobra.Command{c}
	}}
	for flag, want := range map[string]string{
		"count":  ":4\n",
		"time":   ":4\n",
		"output": ":0\n",
		"out":    ":16\n",
		"name":   ":4\n",
		"clock":  "cpu\nwall\n:4\n",
	} {
		var out bytes.Buffer
		if err := program.Run(context.Background(), []string{"__complete", "run", "--" + flag, ""}, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("--%s is completed by %q, want %q", flag, out.String(), want)
		}
	}
}
