package ab

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// reports are the files of [Report.Save] and their formats.
var reports = map[string]string{"report.txt": "text", "report.md": "markdown", "report.json": "json", "annotations.txt": "github"}

// SavedFiles returns the names of the files of [Report.Save], in order.
func SavedFiles() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(reports)), sideFiles[:]...)))
}

// sideFiles are the files of the samples of both sides.
var sideFiles = [2]string{"old.txt", "new.txt"}

// Save writes old.txt and new.txt in Go's benchmark format to a folder. It creates the folder if
// necessary, and also writes the report in all formats for CI. Line k of a benchmark in one file was
// measured side by side with its line k in the other. A line "interleaved:" records this for
// [JudgeFiles]. Times are of the judged clock, followed by those of
// the other clock.
func (r *Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for side, name := range sideFiles {
		write := func(w io.Writer) error { return r.writeSide(w, side) }
		if err := safefile.Write(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	for name, format := range reports {
		if err := safefile.Write(filepath.Join(dir, name), func(w io.Writer) error { return r.Write(w, format) }); err != nil {
			return err
		}
	}
	return nil
}

// writeSide writes the file of one side.
func (r *Report) writeSide(w io.Writer, side int) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "# benchab: %s of %s, seed %d\ninterleaved: %s seed %d\ngoos: %s\ngoarch: %s\n", sideNames[side],
		strconv.Quote([]string{r.Base, r.Head}[side]), r.Seed, r.Date, r.Seed, runtime.GOOS, runtime.GOARCH)
	pkg, clock := "", Clock("")
	for _, b := range r.benchmarks {
		if b.pkg.Path != pkg {
			pkg = b.pkg.Path
			fmt.Fprintf(out, "pkg: %s\n", pkg)
		}
		if b.clock != clock {
			clock = b.clock
			fmt.Fprintf(out, "clock: %s\n", clock)
		}
		for _, pair := range b.pairs {
			b.writeSample(out, pair[side])
		}
	}
	return out.Err
}

// writeSample writes a line.
func (b *benchmark) writeSample(w io.Writer, s sample) {
	fmt.Fprintf(w, "Benchmark%s", b.printed)
	if b.procs != 1 {
		fmt.Fprintf(w, "-%d", b.procs)
	}
	judged, other, unit := s.wall, s.cpu, "cpu-ns/op"
	if b.clock == CPU {
		judged, other, unit = s.cpu, s.wall, "wall-ns/op"
	}
	fmt.Fprintf(w, "\t%d", s.iterations)
	if s.hasTime() {
		fmt.Fprintf(w, "\t%.4f ns/op", judged*1e9)
	}
	if !math.IsNaN(other) {
		fmt.Fprintf(w, "\t%.4f %s", other*1e9, unit)
	}
	for _, unit := range slices.Sorted(maps.Keys(s.figures)) {
		if unit != timePrinted {
			fmt.Fprintf(w, "\t%s %s", strconv.FormatFloat(s.figures[unit], 'g', -1, 64), unit)
		}
	}
	fmt.Fprintln(w)
}
