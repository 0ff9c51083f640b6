package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
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

// PackageState is the state of a package after building.
type PackageState string

// The states.
const (
	Measured       PackageState = "measured"
	IdenticalState PackageState = "identical" // equal test binaries, or sources that differ only in comments
	Failed         PackageState = "failed"    // to build, or to run, on one side or both
	MissingState   PackageState = "missing"   // from the new side
	newState       PackageState = "new"       // on the new side only
)

// Package describes a package with benchmarks.
type Package struct {
	Path  string       `json:"path"`            // import path
	State PackageState `json:"state"`           // measured, identical, failed, missing or new
	Error string       `json:"error,omitempty"` // the failing side and its error

	name     string     // short
	file     string     // begins the names of its links
	binaries [2]string  // with symbols: listed, compared and profiled
	dirs     [2]string  // working folders of the binaries
	messages [2]string  // of failed builds
	recipes  [2]*recipe // links the binaries again; nil if that is impossible
	size     int64      // of the files of a unit

	overhead time.Duration // CPU time of a process outside its benchmarks

	comparison *comparison // of the code of both sides; nil if unknown

	units      []*unit // guarded by the linker's mutex, like the next four
	copies     int     // units that are copies because linking again is impossible
	wantsLinks bool    // benchmarks are measured
	moreLinks  int     // beyond the usual number, to measure rows again
	linkError  error

	otherData bool // possible inputs of benchmarks differ, so equal binaries prove nothing
}

// trees prepares both sides: their files, their packages, and the packages that cannot differ.
func (r *runner) trees(ctx context.Context) error {
	r.options.tell(Progress{Doing: "reading packages"})
	err := onBothSides(func(side int) error {
		if err := r.sides[side].list(ctx); err != nil {
			return inputError("%s: %v", r.labels[side], err)
		}
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
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
		r.addRemoved(p)
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

// onBothSides calls a function for both sides at once.
func onBothSides(call func(side int) error) error {
	var errs [2]error
	var all sync.WaitGroup
	for side := range errs {
		all.Go(func() { errs[side] = call(side) })
	}
	all.Wait()
	return cmp.Or(errs[oldSide], errs[newSide])
}

// build builds the test binaries of both sides of the packages to measure, and finds equal
// ones.
func (r *runner) build(ctx context.Context) error {
	packages := r.report.inState(Measured)
	if len(packages) == 0 {
		t := r.sides[newSide]
		err := t.readToolchain(ctx)
		r.report.Go = t.toolchain.GOVERSION
		return err
	}
	if err := r.prepareBuild(ctx); err != nil {
		return err
	}
	r.options.tell(Progress{Doing: fmt.Sprintf("building both sides of %s", text.Plural(len(packages), "package"))})
	if err := onBothSides(func(side int) error { return r.buildSide(ctx, packages, side) }); err != nil {
		return err
	}
	for i, p := range packages {
		switch {
		case p.messages != [2]string{}:
			p.State, p.Error = Failed, p.failure(r.labels)
		case !p.otherData && sameFile(p.binaries[oldSide], p.binaries[newSide]):
			p.State = IdenticalState
		}
		p.file = fmt.Sprint(i)
		for side := range r.sides {
			if info, err := os.Stat(p.binaries[side]); err == nil {
				p.size += info.Size()
			}
		}
		if p.State == Measured {
			p.comparison = compareCode(p.binaries, r.sharedStandard())
		}
	}
	return nil
}

// prepareBuild determines the abilities of both toolchains. The CPU clock in the timers and
// layouts are used for both sides or for none.
func (r *runner) prepareBuild(ctx context.Context) error {
	for _, dir := range []string{"links", "gotmp", "record0", "record1"} {
		if err := os.MkdirAll(r.scratch.path(dir), 0o700); err != nil {
			return err
		}
	}
	if err := r.scratch.writeWrapper(); err != nil {
		return err
	}
	r.layouts = r.options.Layouts > 0
	for side, t := range r.sides {
		if err := t.readToolchain(ctx); err != nil {
			return err
		}
		if err := t.makeOverlay(r.scratch.path("overlay", sideNames[side])); err != nil {
			r.noCPU = err.Error()
		}
		if !t.toolchain.canShuffle() {
			r.layouts = false
			r.note("%s does not shuffle functions (want Go 1.23 or later): intervals do not cover layouts", t.toolchain.GOVERSION)
		}
	}
	r.report.CPUClock = cpuClocks[r.sides[newSide].toolchain.GOOS].name
	if r.noCPU != "" || r.options.Clock == Wall {
		r.report.CPUClock = noClock
	}
	if r.noCPU != "" {
		r.note("times are wall-clock times: %s", r.noCPU)
		r.sides[oldSide].overlay, r.sides[newSide].overlay = "", ""
	}
	r.report.Go = r.sides[newSide].toolchain.GOVERSION
	return nil
}

// sharedStandard lists the packages of the standard library when one toolchain builds both
// sides.
func (r *runner) sharedStandard() map[string]bool {
	before, after := r.sides[oldSide], r.sides[newSide]
	if before.toolchain != after.toolchain || before.caller != after.caller {
		return nil
	}
	return before.standard
}

// failure describes the failed sides of a package, and their errors.
func (p *Package) failure(labels [2]string) string {
	var failures []string
	for side, message := range p.messages {
		if message != "" {
			failures = append(failures, fmt.Sprintf("%s: %s", labels[side], message))
		}
	}
	return strings.Join(failures, "; ")
}

// buildSide builds all packages with different binary names by one command, and builds those
// that failed once more alone to get their errors.
func (r *runner) buildSide(ctx context.Context, packages []*Package, side int) error {
	rest := slices.Clone(packages)
	for batch := 0; len(rest) > 0; batch++ {
		dir := r.scratch.path("bin", sideNames[side], fmt.Sprint(batch))
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
		if err := r.buildBatch(ctx, now, side, dir); err != nil {
			return err
		}
		rest = later
	}
	recipes := readRecipes(r.scratch.path(fmt.Sprint("record", side)), r.sides[side].toolchain.GOROOT)
	for _, p := range packages {
		p.recipes[side] = recipes[p.Path]
	}
	return nil
}

func (r *runner) buildBatch(ctx context.Context, packages []*Package, side int, dir string) error {
	err := r.compile(ctx, side, dir+string(filepath.Separator), paths(packages)...)
	for _, p := range packages {
		binary := filepath.Join(dir, binaryName(p.Path))
		if _, missing := os.Stat(binary); missing != nil || err != nil {
			// Go builds as many as it can, but may choose another name for a binary.
			if alone := r.compile(ctx, side, binary, p.Path); alone != nil {
				p.messages[side] = buildMessage(alone)
			}
		}
		p.binaries[side] = binary
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// compile builds test binaries, and records how they are linked.
func (r *runner) compile(ctx context.Context, side int, output string, paths ...string) error {
	t := r.sides[side]
	flags := []string{"-c", "-o", output}
	if t.overlay != "" {
		flags = append(flags, "-overlay="+t.overlay)
	}
	var env []string
	if r.layouts && canRecord() && !t.hasFlag("toolexec") {
		flags = append(flags, "-work", "-toolexec="+r.scratch.path(wrapperName))
		env = []string{"GOTMPDIR=" + r.scratch.path("gotmp"), "UR_AB_LINKS=" + r.scratch.path(fmt.Sprint("record", side))}
	}
	p := t.goCommand("test", append(flags, paths...)...)
	p.env = append(p.env, env...)
	if r.layouts {
		p.args = withLayout(p.args, r.layoutSeed(-1))
	}
	_, err := p.run(ctx, r.scratch)
	return err
}

// withLayout adds the seed of a layout of functions to the flags of the linker. It omits DWARF:
// linking takes half of the time without, and code and profiles need the symbols only.
func withLayout(args []string, seed int) []string {
	flag := fmt.Sprintf("-w -randlayout=%d", seed)
	for i, arg := range args {
		if before, ok := strings.CutPrefix(strings.TrimPrefix(arg, "-"), "-ldflags="); ok {
			args = slices.Clone(args)
			args[i] = "-ldflags=" + before + " " + flag
			return args
		}
	}
	return slices.Insert(slices.Clone(args), 2, "-ldflags="+flag)
}

// buildMessage is the output of a build without headings.
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
