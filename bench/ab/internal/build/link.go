package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// linkCommand is the link command of a test binary.
type linkCommand struct {
	args []string // arguments, the link command first
	env  []string
}

// WrapperName is the recorder of link commands.
const WrapperName = "record-link"

// Wrapper runs a tool, and records the linker's arguments in a file of their own.
const Wrapper = `#!/bin/sh
case "$1" in
*/compile)
	if [ "$2" != -V=full ]; then
		: > "$UR_AB_LINKS/compiled"
	fi ;;
*/link)
	if [ "$2" != -V=full ]; then
		{ pwd; for a; do printf '%s\n' "$a"; done; } > "$UR_AB_LINKS/$$"
	fi ;;
esac
exec "$@"
`

// canRecord reports whether the linker's commands can be recorded.
func canRecord() bool { return runtime.GOOS != "windows" && runtime.GOOS != "plan9" }

// readLinkCommands reads the commands recorded by the wrapper, by the package's import path.
func readLinkCommands(dir string, goroot string) map[string]*linkCommand {
	commands := make(map[string]*linkCommand)
	entries, _ := os.ReadDir(dir) // or none were recorded
	for _, entry := range entries {
		record, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(string(record), "\n"), "\n")
		c := &linkCommand{args: lines[1:], env: []string{"GOROOT=" + goroot, "GOGC=400"}}
		if path := c.testedPackage(); path != "" {
			commands[path] = c
		}
	}
	return commands
}

// TestedPackage returns the import path of the package whose test binary was linked.
func (c *linkCommand) testedPackage() string {
	at := slices.Index(c.args, "-importcfg")
	if at < 0 || at+1 >= len(c.args) {
		return ""
	}
	config, _ := os.ReadFile(c.args[at+1])
	return code.TestedPackage(string(config))
}

// Link links the binary once more, with another order of functions.
func (c *linkCommand) Link(ctx context.Context, seed int, path string) error {
	args := []string{c.args[0], "-s", "-w", fmt.Sprintf("-randlayout=%d", seed)}
	rest := c.args[1:]
	for i := 0; i < len(rest); i++ {
		switch arg := rest[i]; {
		case arg == "-o":
			args = append(args, "-o", path)
			i++
		case strings.HasPrefix(arg, "-randlayout"), arg == "-s", arg == "-w", arg == "-dumpdep":
		default:
			args = append(args, arg)
		}
	}
	p := frame.Program{Args: args, Dir: filepath.Dir(path), Env: c.env, Core: frame.NoCore, Timeout: 5 * time.Minute}
	_, err := p.Run(ctx)
	return err
}
