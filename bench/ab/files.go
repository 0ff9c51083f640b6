package ab

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// maxFile is the maximum size of a file of benchmarks in bytes: half a million lines.
const maxFile = 64 << 20

// JudgeFiles judges the benchmarks that two files in Go's benchmark format share: output of "go test
// -bench", "ur bench run -o" or "benchab --save". Files of one occasion were measured in turns, and their
// verdicts hold on any machine. Others get a weaker test: a machine that changes its speed between the two
// files looks like a change of the program. Units without a known better direction are left out with a note,
// and so are units that repeat another one, as games/s repeats us/game. Errors are those of the input, and that of ctx: a pipe may
// have no writer.
func JudgeFiles(ctx context.Context, names [2]string, o Options) (*report.Report, error) {
	var files [2]*report.File
	for side, name := range names {
		content, err := readFile(ctx, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			files[side], err = report.Read(name, content, o.Ignore...)
		}
		if err != nil {
			return nil, frame.InputErrorf("%v", err)
		}
	}
	return judgeFiles(files, o)
}

// readFile reads a file until ctx ends.
func readFile(ctx context.Context, name string) ([]byte, error) {
	type content struct {
		text []byte
		err  error
	}
	read := make(chan content, 1)
	go func() {
		text, err := safefile.Read(name, maxFile)
		read <- content{text, err}
	}()
	select {
	case c := <-read:
		return c.text, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func judgeFiles(files [2]*report.File, o Options) (*report.Report, error) {
	before, after := files[frame.Old], files[frame.New]
	p, err := pairFiles(before, after, &o)
	if err != nil {
		return nil, err
	}
	r, err := judgeFigures(o, [2]string{before.Name, after.Name}, p.inTurns, p.figures)
	if err != nil {
		return nil, frame.InputErrorf("%v", err)
	}
	r.Notes = append(r.Notes, p.notes...)
	r.AddNew(p.added...)
	noteFiles(r, files)
	return r, nil
}

// noteFiles adds what files leave out, and their failures, to a report. Failures on the new side prevent a pass.
func noteFiles(r *report.Report, files [2]*report.File) {
	for side, f := range files {
		for _, note := range f.Notes {
			r.Note(f.Name + ": " + note)
		}
		if len(f.Failed) > 0 {
			r.Note(fmt.Sprintf("%s reports failures: %s", f.Name, text.Some(f.Failed, 3)))
			if side == frame.New && r.Verdict == verdict.Pass {
				r.Verdict = verdict.Undecided
			}
		}
	}
}

// judgeFigures judges figures of two named sides. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func judgeFigures(o Options, names [2]string, inTurns bool, all []figures) (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: names[frame.Old], Head: names[frame.New], Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Measurement: report.Measurement{Counter: "none"}, Packages: []*report.Package{}, Rows: []report.Row{}}
	for _, f := range all {
		if f.as != "" {
			continue
		}
		if inTurns && len(f.before) != len(f.after) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)",
				f.name, len(f.before), len(f.after))
		}
		row := family.Add(f.higher)
		row.Limit = o.rowLimit(f.name, f.unit, verdict.Median(f.before))
		err := error(nil)
		if !inTurns {
			err = row.AddSides(f.before, f.after)
		}
		for k := 0; inTurns && err == nil && k < len(f.before); k++ {
			err = row.Add(f.before[k], f.after[k])
		}
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.name, err)
		}
	}
	judged := family.Rows
	suite, means := family.AddMean(firstTimes(all, judged))
	family.Look(true)
	r.Suite = report.NewSuiteMean(suite, means)
	for _, f := range all {
		row := f.row(&o)
		if f.as == "" {
			row, judged = copyRow(judged[0]), judged[1:]
			if o.isWithinFloor(f.unit, &row) {
				row.Verdict = verdict.NotSlower
			}
			r.Rounds = max(r.Rounds, row.Rounds)
		}
		row.Name, row.Unit, row.Primary, row.Judge = f.name, f.unit, true, verdict.ByTime
		r.Rows = append(r.Rows, row)
	}
	if !inTurns {
		r.Note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	r.Decide(o.IgnoreMissing, o.Prove)
	return r, nil
}

// firstTimes returns the rows of the first time of each benchmark. Rows are those of the figures to judge.
func firstTimes(all []figures, rows []*verdict.Row) (times []*verdict.Row) {
	var of report.BenchmarkID
	for _, f := range all {
		if f.as != "" {
			continue
		}
		if strings.HasPrefix(f.unit, "sec/") && f.id != of {
			times, of = append(times, rows[0]), f.id
		}
		rows = rows[1:]
	}
	return times
}
