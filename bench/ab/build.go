package ab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The sides of a comparison.
const (
	oldSide = iota
	newSide
)

// sideNames name the sides in messages, sideFields their commands in [Options].
var (
	sideNames  = [2]string{"old", "new"}
	sideFields = [2]string{"Old", "New"}
)

// State is what became of a package.
type State string

// The states.
const (
	Measured       State = "measured"
	IdenticalState State = "identical" // the same test binary, or sources that differ only in comments
	Failed         State = "failed"    // to build, or to run, on one side or both
	MissingState   State = "missing"   // from the new side
	newState       State = "new"       // on the new side only
)

// Package says what became of a package with benchmarks.
type Package struct {
	Path  string `json:"path"`
	State State  `json:"state"`
	Error string `json:"error,omitempty"` // of one that failed: the side and what went wrong

	name     string      // short
	binaries [2][]string // one for each layout
	dirs     [2]string   // that the binaries run in
	messages [2]string   // of builds that failed

	otherData bool // files that benchmarks may read differ, so equal binaries mean nothing
}

// trees prepares both sides: their files, their packages, and what cannot differ.
func (r *runner) trees(ctx context.Context) error {
	for side, t := range r.sides {
		r.options.tell(Progress{Doing: "reading packages of " + r.labels[side]})
		if err := t.list(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return inputError("%s: %v", r.labels[side], err)
		}
	}
	if err := r.shareTests(ctx); err != nil {
		return err
	}
	r.shareTrimming()
	paths := union(r.sides[oldSide].matched, r.sides[newSide].matched)
	names := shortNames(paths)
	for _, path := range paths {
		p := &Package{Path: path, State: Measured, name: names[path]}
		r.report.Packages = append(r.report.Packages, p)
		has := func(side int) bool { return slices.Contains(r.sides[side].matched, path) }
		switch {
		case !has(newSide):
			p.State = MissingState
		case !has(oldSide):
			p.State = newState
		default:
			for side, t := range r.sides {
				p.dirs[side] = t.packages[path].Dir
			}
			p.otherData = !slices.Equal(r.sides[oldSide].dataHash(r.sides[oldSide].packages[path]), r.sides[newSide].dataHash(r.sides[newSide].packages[path]))
			before, err := r.sides[oldSide].fingerprint(path)
			after, err2 := r.sides[newSide].fingerprint(path)
			if err == nil && err2 == nil && slices.Equal(before, after) {
				p.State = IdenticalState
			}
		}
	}
	return nil
}

// in returns the packages of a state.
func (r *runner) in(state State) []*Package {
	var packages []*Package
	for _, p := range r.report.Packages {
		if p.State == state {
			packages = append(packages, p)
		}
	}
	return packages
}

// build builds the test binaries of both sides of the packages that are to be measured,
// and finds those that are the same.
func (r *runner) build(ctx context.Context) error {
	packages := r.in(Measured)
	for layout := range max(1, r.options.Layouts) {
		for side := range r.sides {
			doing := fmt.Sprintf("building %d packages of %s", len(packages), r.labels[side])
			if r.options.Layouts > 0 {
				doing += fmt.Sprintf(", layout %d of %d", layout+1, r.options.Layouts)
			}
			r.options.tell(Progress{Doing: doing})
			if err := r.buildSide(ctx, packages, side, layout); err != nil {
				return err
			}
		}
		packages = slices.DeleteFunc(packages, func(p *Package) bool {
			switch {
			case p.messages != [2]string{}:
				p.State, p.Error = Failed, p.failure(r.labels)
			case layout == 0 && !p.otherData && sameFile(p.binaries[oldSide][0], p.binaries[newSide][0]):
				p.State = IdenticalState
			}
			return p.State != Measured
		})
	}
	return nil
}

// failure says on which sides a package failed, and how.
func (p *Package) failure(labels [2]string) string {
	var failures []string
	for side, message := range p.messages {
		if message != "" {
			failures = append(failures, fmt.Sprintf("%s: %s", labels[side], message))
		}
	}
	return strings.Join(failures, "; ")
}

// buildSide builds as many packages by one command as have binaries of different names,
// and those that failed once more by themselves, to learn why.
func (r *runner) buildSide(ctx context.Context, packages []*Package, side, layout int) error {
	rest := slices.Clone(packages)
	for batch := 0; len(rest) > 0; batch++ {
		dir := r.scratch.path("bin", sideNames[side], fmt.Sprint(layout), fmt.Sprint(batch))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		var now, later []*Package
		taken := make(map[string]bool)
		for _, p := range rest {
			if name := binaryName(p.Path); taken[name] {
				later = append(later, p)
			} else {
				taken[name] = true
				now = append(now, p)
			}
		}
		if err := r.buildBatch(ctx, now, side, layout, dir); err != nil {
			return err
		}
		rest = later
	}
	return nil
}

func (r *runner) buildBatch(ctx context.Context, packages []*Package, side, layout int, dir string) error {
	var paths []string
	for _, p := range packages {
		paths = append(paths, p.Path)
	}
	t := r.sides[side]
	compile := func(output string, paths ...string) error {
		p := t.goCommand("test", append([]string{"-c", "-o", output}, paths...)...)
		if r.options.Layouts > 0 {
			p.args = withLayout(p.args, layout+1)
		}
		_, err := p.run(ctx, r.scratch)
		return err
	}
	err := compile(dir+string(filepath.Separator), paths...)
	for _, p := range packages {
		binary := filepath.Join(dir, binaryName(p.Path))
		if _, missing := os.Stat(binary); missing != nil || err != nil {
			// Go builds what it can, but may name a binary otherwise.
			if alone := compile(binary, p.Path); alone != nil {
				p.messages[side] = buildMessage(alone)
			}
		}
		p.binaries[side] = append(p.binaries[side], binary)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// withLayout adds the seed of a layout of functions to the flags of the linker.
func withLayout(args []string, seed int) []string {
	flag := fmt.Sprintf("-randlayout=%d", seed)
	for i, arg := range args {
		if before, ok := strings.CutPrefix(strings.TrimPrefix(arg, "-"), "-ldflags="); ok {
			args = slices.Clone(args)
			args[i] = "-ldflags=" + before + " " + flag
			return args
		}
	}
	return slices.Insert(slices.Clone(args), 2, "-ldflags="+flag)
}

// buildMessage is what a build said, but for headings.
func buildMessage(err error) string {
	var failed *processError
	if !errors.As(err, &failed) {
		return err.Error()
	}
	const most = 5
	var lines []string
	for line := range strings.Lines(failed.messages) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && line != "FAIL" {
			lines = append(lines, line)
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}
