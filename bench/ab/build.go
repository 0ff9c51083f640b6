package ab

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The sides of a comparison.
const (
	oldSide = iota
	newSide
)

// sideNames name the sides in messages.
var sideNames = [2]string{"old", "new"}

// PackageState is the state of a package after building.
type PackageState string

// The states.
const (
	measuredState  PackageState = "measured"
	identicalState PackageState = "identical" // the change reaches none of its benchmarks
	failedState    PackageState = "failed"    // to build, or to run, on one side or both
	missingState   PackageState = "missing"   // from the new side
	newState       PackageState = "new"       // on the new side only
)

// Package describes a package with benchmarks.
type Package struct {
	Path  string       `json:"path"`            // import path
	State PackageState `json:"state"`           // measured, identical, failed, missing or new
	Error string       `json:"error,omitempty"` // the failing side and its error

	name     string     // short
	file     string     // begins the names of its links
	binaries [2]string  // with symbols: listed and profiled
	dirs     [2]string  // working folders of the binaries
	messages [2]string  // of failed builds
	recipes  [2]*recipe // links the binaries again; nil if that is impossible

	overhead time.Duration // CPU time of a process outside its benchmarks

	functions []string         // benchmarks to measure
	reach     map[string]reach // of all benchmarks
	rounds    int              // that used links or copies of their own
	links     int              // of each side
}

// use puts the files of a side to the place where both are built and run: paths are part of
// programs, and of the benchmarks' names for their data.
func (r *runner) use(side int) error {
	if r.using == side {
		return nil
	}
	if r.using >= 0 {
		if err := os.Rename(r.sides[r.using].root, r.sides[r.using].stored); err != nil {
			return err
		}
	}
	r.using = -1
	if err := os.Rename(r.sides[side].stored, r.sides[side].root); err != nil {
		return err
	}
	r.using = side
	return nil
}

// files returns where the files of a side are now.
func (r *runner) files(side int) string {
	if r.using == side {
		return r.sides[side].root
	}
	return r.sides[side].stored
}

// trees lists the packages of both sides, and finds those with benchmarks.
func (r *runner) trees(ctx context.Context) error {
	r.options.show(Progress{Doing: "reading packages"})
	if err := r.eachSide(func(side int) error {
		if err := r.sides[side].list(ctx); err != nil {
			return inputError("%s: %v", r.labels[side], err)
		}
		return nil
	}); err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	r.data = slices.DeleteFunc(slices.Clone(r.touched), func(name string) bool { return !r.isData(name) })
	r.findSwaps()
	paths := union(r.sides[oldSide].matched, r.sides[newSide].matched)
	names := shortNames(paths)
	for _, path := range paths {
		p := &Package{Path: path, State: measuredState, name: names[path]}
		r.report.Packages = append(r.report.Packages, p)
		before, after := r.sides[oldSide].packages[path], r.sides[newSide].packages[path]
		own := func(side int) bool {
			return r.options.Tests == OwnTests && !slices.Contains(r.sides[side].matched, path)
		}
		switch {
		case after == nil || own(newSide):
			p.State = missingState
		case before == nil || own(oldSide):
			p.State = newState
		case len(r.touched) == 0:
			p.State = identicalState
		default:
			p.dirs = [2]string{before.Dir, after.Dir}
		}
	}
	return nil
}

// eachSide calls a function for each side, with the files of the side in use.
func (r *runner) eachSide(call func(side int) error) error {
	for side := range r.sides {
		if err := r.use(side); err != nil {
			return err
		}
		if err := call(side); err != nil {
			return err
		}
	}
	return nil
}

// build builds the test binaries of both sides of the packages to measure, and finds the
// benchmarks the change reaches.
func (r *runner) build(ctx context.Context) error {
	if err := r.prepareBuild(ctx); err != nil {
		return err
	}
	packages := r.report.inState(measuredState)
	if len(packages) == 0 {
		return nil
	}
	patterns := r.compared()
	if r.noCode != "" {
		patterns = nil
	}
	if err := r.eachSide(func(side int) error {
		r.options.show(Progress{Doing: fmt.Sprintf("building %s of %s", text.Plural(len(packages), "package"), r.labels[side])})
		r.programs[side] = newPrograms()
		return r.buildSide(ctx, packages, side, patterns)
	}); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(r.swaps)) {
		r.swaps[path].note(r)
	}
	opaque, embedding := r.opaque()
	for i, p := range packages {
		r.addRemoved(p)
		for side, message := range p.messages {
			if message != "" {
				p.State, p.Error = failedState, strings.TrimPrefix(fmt.Sprintf("%s; %s: %s", p.Error, r.labels[side], message), "; ")
			}
		}
		if p.State == failedState {
			continue
		}
		p.file = fmt.Sprint(i)
		r.choose(p, opaque, embedding)
	}
	r.programs = [2]*programs{}
	return nil
}

// choose chooses the benchmarks of a package the change reaches.
func (r *runner) choose(p *Package, opaque, embedding map[string]bool) {
	var c *comparison
	if why := r.everything(p); why != "" {
		r.note("%s: %s, so all code counts as changed", p.Path, why)
	} else {
		c = newComparison(r.programs, p.Path, opaque, embedding)
	}
	data := r.hasOtherData(p.Path)
	p.reach = make(map[string]reach)
	functions := [2][]string{r.sides[oldSide].functions[p.Path], r.sides[newSide].functions[p.Path]}
	switch r.testsOf(p.Path) {
	case HeadTests:
		functions[oldSide] = nil
	case BaseTests:
		functions[newSide] = nil
	}
	for _, function := range union(functions[oldSide], functions[newSide]) {
		to := c.reachOf(function, r.sides[newSide].root)
		if to.code == sameCode && data {
			to.code = unknownCode
		}
		if p.reach[function] = to; to.code != sameCode {
			p.functions = append(p.functions, function)
		}
	}
	if len(p.functions) == 0 {
		p.State = identicalState
	}
}

// everything returns the reason why all code of a package may differ, or "".
func (r *runner) everything(p *Package) string {
	before, after := r.sides[oldSide], r.sides[newSide]
	was, ok := before.godebug[p.Path]
	is, also := after.godebug[p.Path]
	profile := strings.TrimPrefix(after.folder(after.packages[p.Path])+"/default.pgo", "./")
	switch {
	case r.noCode != "":
		return r.noCode
	case before.toolchain != after.toolchain:
		return fmt.Sprintf("the sides are built with %s and %s", before.toolchain.GOVERSION, after.toolchain.GOVERSION)
	case ok && also && was != is:
		return fmt.Sprintf("go.mod or //go:debug change settings of the runtime from %q to %q", was, is)
	case ok != also && slices.ContainsFunc(r.touched, moduleFile().MatchString): // only one side has tests
		return "go.mod differs"
	case slices.Contains(r.touched, profile):
		return "the profile of the optimizer differs"
	}
	return ""
}

// prepareBuild determines the abilities of both toolchains. The CPU clock in the timers and
// layouts are used for both sides or for none.
func (r *runner) prepareBuild(ctx context.Context) error {
	for _, dir := range []string{"links", "gotmp", "record0", "record1"} {
		if err := os.MkdirAll(r.scratch.path(dir), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(r.scratch.path(wrapperName), []byte(wrapper), 0o700); err != nil {
		return err
	}
	r.layouts = r.options.layouts
	if err := r.eachSide(func(side int) error {
		t := r.sides[side]
		if err := t.readToolchain(ctx); err != nil {
			return err
		}
		var err error
		if t.overlay, err = t.makeOverlay(r.scratch.path("overlay")); err != nil {
			r.noCPU = err.Error()
		}
		if !t.toolchain.isSupported() {
			r.layouts = false
			r.note("%s does not shuffle functions (want Go 1.23 or later): intervals do not cover layouts", t.toolchain.GOVERSION)
		}
		for _, flag := range []string{"gcflags", "asmflags"} {
			if _, ok := t.flag(flag); ok {
				r.noCode = "GOFLAGS has -" + flag
			}
		}
		return nil
	}); err != nil {
		return err
	}
	r.report.CPUClock = cpuClocks[r.sides[newSide].toolchain.GOOS].name
	if r.noCPU != "" {
		r.report.CPUClock = noClock
		r.note("times are wall-clock times: %s", r.noCPU)
		r.sides[oldSide].overlay, r.sides[newSide].overlay = nil, nil
	}
	r.report.Go = r.sides[newSide].toolchain.GOVERSION
	return nil
}

// buildSide builds all packages of a side. Where the test files of the other side do not compile,
// it tries again with fewer of them.
func (r *runner) buildSide(ctx context.Context, packages []*Package, side int, patterns []string) error {
	for open := packages; len(open) > 0; {
		overlay := maps.Clone(r.sides[side].overlay)
		if overlay == nil {
			overlay = make(map[string]string)
		}
		for _, s := range r.swaps {
			if s.target == side {
				s.addTo(overlay, r)
			}
		}
		if err := r.buildPackages(ctx, open, side, patterns, overlay); err != nil {
			return err
		}
		open = slices.DeleteFunc(slices.Clone(open), func(p *Package) bool {
			s := r.swaps[p.Path]
			if s == nil || s.target != side || p.messages[side] == "" || s.level == swapNone {
				return true
			}
			s.why, p.messages[side] = cmp.Or(s.why, p.messages[side]), ""
			s.level++
			return false
		})
	}
	recipes := readRecipes(r.scratch.path(fmt.Sprint("record", side)), r.sides[side].toolchain.GOROOT)
	for _, p := range packages {
		p.recipes[side] = recipes[p.Path]
		if s := r.swaps[p.Path]; s != nil && s.target == side && s.level != swapNone {
			if err := s.copyData(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// buildPackages builds all packages with different binary names by one command, and builds those
// without a binary once more alone to get their errors.
func (r *runner) buildPackages(ctx context.Context, rest []*Package, side int, patterns []string, overlay map[string]string) error {
	content, err := json.Marshal(map[string]any{"Replace": overlay})
	for err == nil && len(rest) > 0 {
		var dir string
		if dir, err = os.MkdirTemp(r.scratch.dir, "bin"); err != nil {
			break
		}
		file := filepath.Join(dir, "overlay.json")
		if err = os.WriteFile(file, content, 0o600); err != nil {
			break
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
		// An error is one of a package: it has no binary then.
		_ = r.compile(ctx, side, dir+string(filepath.Separator), file, patterns, paths(now)...)
		for _, p := range now {
			p.binaries[side] = filepath.Join(dir, binaryName(p.Path))
			if _, missing := os.Stat(p.binaries[side]); missing != nil {
				// Go builds as many as it can, but may choose another name for a binary.
				if alone := r.compile(ctx, side, p.binaries[side], file, patterns, p.Path); alone != nil {
					p.messages[side] = buildMessage(alone, r.sides[side].root)
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
func (r *runner) compile(ctx context.Context, side int, output, overlay string, patterns []string, paths ...string) error {
	t, code := r.sides[side], r.programs[side]
	flags, env := []string{"-c", "-o", output, "-overlay=" + overlay}, []string{"GOTMPDIR=" + r.scratch.path("gotmp")}
	for _, pattern := range patterns {
		flags = append(flags, "-gcflags="+pattern+"=-S -dwarf=false", "-asmflags="+pattern+"=-S")
	}
	link, _ := t.flag("ldflags")
	link = strings.TrimSpace(link + " -w -dumpdep")
	if r.layouts {
		link += fmt.Sprintf(" -randlayout=%d", r.layoutSeed(-1))
		if _, taken := t.flag("toolexec"); canRecord() && !taken {
			flags = append(flags, "-work", "-toolexec="+r.scratch.path(wrapperName))
			env = append(env, "UR_AB_LINKS="+r.scratch.path(fmt.Sprint("record", side)))
		}
	}
	p := t.goCommand("test", append(append(flags, "-ldflags="+link), paths...)...)
	p.env, p.messages = env, code
	_, err := p.run(ctx)
	code.Write([]byte("\n"))
	if failed, ok := errors.AsType[*processError](err); ok {
		failed.messages = code.rest.String()
	}
	code.rest.Reset()
	return err
}

// buildMessage is the output of a build without headings and the folder of the files.
func buildMessage(err error, root string) string {
	failed, ok := errors.AsType[*processError](err)
	if !ok {
		return err.Error()
	}
	const most = 5
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(failed.messages, root+string(filepath.Separator), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && line != "FAIL" && !strings.HasPrefix(line, "WORK=") {
			lines = append(lines, line)
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return cmp.Or(strings.Join(lines, "\n"), err.Error())
}
