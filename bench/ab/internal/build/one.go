package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// BuildOne builds the test binaries of one commit. Both sides of its packages are the same.
func BuildOne(ctx context.Context, r *Request, s *source.Sides) (*Builds, error) {
	r.Show("reading packages", 0)
	t := s.Trees[frame.New]
	if err := t.List(ctx); err != nil {
		return nil, errors.Join(ctx.Err(), frame.InputErrorf("%s: %v", s.Labels[frame.New], err))
	}
	b := newBuilds(r, s)
	if len(b.Packages) == 0 {
		return nil, noBenchmarks(r, s)
	}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	r.Show("building "+s.Labels[frame.New], 0)
	b.Programs[frame.New] = code.NewPrograms()
	if err := b.buildSide(ctx, b.Packages, frame.New, nil); err != nil {
		return nil, err
	}
	for _, p := range b.Packages {
		p.Binaries[frame.Old], p.links[frame.Old] = p.Binaries[frame.New], p.links[frame.New]
		p.Args[frame.New], p.Env[frame.New] = append(t.Toolchain.TestArgs(), r.Args...), t.Env
		p.Args[frame.Old], p.Env[frame.Old] = p.Args[frame.New], p.Env[frame.New]
		if p.messages[frame.New] != "" {
			p.State, p.Error = report.Failed, p.messages[frame.New]
			r.Note("%s does not build: %s", p.Path, p.Error)
		}
	}
	if failed := b.InState(report.Failed); len(failed) == len(b.Packages) {
		return nil, frame.InputErrorf("no package with benchmarks builds:\n%s", failed[0].Error)
	}
	return b, nil
}

// newBuilds lists the packages of one commit.
func newBuilds(r *Request, s *source.Sides) *Builds {
	b, t := &Builds{Request: r, Sides: s}, s.Trees[frame.New]
	names := source.ShortNames(t.Matched)
	for i, path := range t.Matched {
		dir := t.Packages[path].Dir
		p := &TestPackage{Package: &report.Package{Path: path, State: report.Measured}, name: names[path],
			file: fmt.Sprint(i), Tests: report.OwnTests, Dirs: [2]string{dir, dir}}
		b.Packages = append(b.Packages, p)
	}
	return b
}
