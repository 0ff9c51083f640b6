package truth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/commits"
)

// changed is the benchmark that the last commit of the module makes 5 % slower.
const changed = "mix.Hash/rounds=1000"

// Pairs are the commits that are compared: two between which nothing that is measured
// changes, though the binaries differ, and two of which the later is slower.
var Pairs = []struct{ Base, Head, Changed string }{
	{"comment", "same", ""},
	{"same", "slower", changed},
}

// Measure lets a program compare two commits of a repository that package commits has made.
// A run that ended without an answer is an error.
func (p *Program) Measure(ctx context.Context, binary, repo, base, head string) (Run, error) {
	work, err := os.MkdirTemp("", "truth")
	if err != nil {
		return Run{}, err
	}
	defer os.RemoveAll(work)
	tree, cache := filepath.Join(work, "tree"), filepath.Join(work, "cache")
	if err := os.Mkdir(cache, 0o777); err != nil {
		return Run{}, err
	}
	if err := commits.Git(work, "clone", "-q", repo, tree); err != nil {
		return Run{}, err
	}
	if err := commits.Git(tree, "checkout", "-q", head); err != nil {
		return Run{}, err
	}
	var out, messages bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, p.args(base, head, cache)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = tree, &out, &messages
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "GOCACHE="+goCache(ctx))
	begin := time.Now()
	err = cmd.Run()
	run := Run{Program: p.Name, Cores: runtime.NumCPU(), Load: load(), Seconds: time.Since(begin).Seconds(), Exit: cmd.ProcessState.ExitCode()}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return Run{}, err
	}
	if run.Slower, run.Rounds, err = p.read(out.Bytes()); err != nil {
		return Run{}, fmt.Errorf("%s ended with %d: %w: %s%s", p.Name, run.Exit, err, &out, &messages)
	}
	for i, name := range run.Slower { // others leave out the package
		if strings.HasSuffix(changed, "."+name) {
			run.Slower[i] = changed
		}
	}
	return run, nil
}

// goCache is the folder of what go has built, which programs that keep results in the
// user's cache shall share.
func goCache(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// load returns how many programs wanted a processor in the last minute, 0 where the system
// does not tell.
func load() (mean float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fmt.Sscan(string(text), &mean)
	return mean
}
