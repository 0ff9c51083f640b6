package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// compilation builds test binaries of one side.
type compilation struct {
	*Builds
	tree     *source.Tree
	code     *code.Programs // receives the code
	side     int
	patterns []string          // packages whose code is compared
	overlay  map[string]string // replaced files
}

// buildPackages builds all packages with different binary names by one command, and builds those
// without a binary once more alone to get their errors.
func (c *compilation) buildPackages(ctx context.Context, rest []*TestPackage) error {
	content, err := json.Marshal(map[string]any{"Replace": c.overlay})
	for err == nil && len(rest) > 0 {
		var dir string
		if dir, err = os.MkdirTemp(c.Scratch.Dir, "bin"); err != nil {
			break
		}
		file := filepath.Join(dir, "overlay.json")
		if err = os.WriteFile(file, content, 0o600); err != nil {
			break
		}
		var now, later []*TestPackage
		taken := make(map[string]bool)
		for _, p := range rest {
			if name := source.BinaryName(p.Path); taken[name] {
				later = append(later, p)
			} else {
				taken[name] = true
				now = append(now, p)
			}
		}
		// An error is one of a package: it has no binary then.
		_ = c.compile(ctx, dir+string(filepath.Separator), file,
			text.List(now, func(p *TestPackage) string { return p.Path })...)
		for _, p := range now {
			p.Binaries[c.side] = filepath.Join(dir, source.BinaryName(p.Path))
			if _, missing := os.Stat(p.Binaries[c.side]); missing != nil {
				// Go builds as many as it can, but may choose another name for a binary.
				if alone := c.compile(ctx, p.Binaries[c.side], file, p.Path); alone != nil {
					p.messages[c.side] = buildMessage(alone, c.tree.Root)
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		rest = later
	}
	return err
}

// compile builds test binaries, reads their code, and records how they are linked.
func (c *compilation) compile(ctx context.Context, output, overlay string, paths ...string) error {
	folder, err := os.MkdirTemp(c.tree.Temporary, "")
	if err != nil {
		return err
	}
	flags, env := []string{"-c", "-work", "-o", output, "-overlay=" + overlay}, []string{"GOTMPDIR=" + folder}
	link, _ := c.tree.Toolchain.Flag("ldflags")
	link = strings.TrimSpace(link + " -w -dumpdep")
	if c.layouts {
		link += " -randlayout=1" // the same in each run: counts of the binary are kept
		if _, taken := c.tree.Toolchain.Flag("toolexec"); canRecord() && !taken {
			flags = append(flags, "-toolexec="+c.Scratch.Path(wrapperName))
			env = append(env, "UR_AB_LINKS="+c.Scratch.Path(fmt.Sprint("record", c.side)))
		}
	}
	p := c.tree.Go("test", append(append(flags, "-ldflags="+link), paths...)...)
	p.Env, p.Stderr = append(p.Env, env...), c.code
	_, err = p.Run(ctx)
	c.code.Write([]byte("\n"))
	if failed, ok := errors.AsType[*frame.ProgramError](err); ok {
		failed.Stderr = c.code.Rest.String()
	}
	c.code.Rest.Reset()
	c.code.Problem = cmp.Or(c.code.Problem,
		c.code.ReadPackages(folder, func(path string) bool { return source.MatchesAny(c.patterns, path) }))
	return err
}

// buildMessage is the output of a build without headings and the folder of the files.
func buildMessage(err error, root string) string {
	failed, ok := errors.AsType[*frame.ProgramError](err)
	if !ok {
		return err.Error()
	}
	const most = 5
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(failed.Stderr, root+string(filepath.Separator), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && line != "FAIL" &&
			!strings.HasPrefix(line, "WORK=") {
			lines = append(lines, line)
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return cmp.Or(strings.Join(lines, "\n"), err.Error())
}
