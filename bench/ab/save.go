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
// "ur bench gate". Times are of the judged clock, followed by those of
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
	commit := []string{r.Base, r.Head}[side]
	_, err := fmt.Fprintf(w, "# benchab: %s of %s, seed %d\ninterleaved: %s seed %d\ngoos: %s\ngoarch: %s\n",
		sideNames[side], strconv.Quote(commit), r.Seed, r.started.UTC().Format("2006-01-02T15:04:05Z"), r.Seed, runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, r.printed[side]); err != nil {
		return err
	}
	pkg, clock := "", Clock("")
	for _, b := range r.benchmarks {
		if b.pkg.Path != pkg {
			pkg = b.pkg.Path
			if _, err := fmt.Fprintf(w, "pkg: %s\n", pkg); err != nil {
				return err
			}
		}
		if b.clock != clock {
			clock = b.clock
			if _, err := fmt.Fprintf(w, "clock: %s\n", clock); err != nil {
				return err
			}
		}
		if err := b.write(w, side); err != nil {
			return err
		}
	}
	return nil
}

// write writes the rounds of a benchmark.
func (b *benchmark) write(w io.Writer, side int) error {
	name := "Benchmark" + b.printed
	if b.procs != 1 {
		name += "-" + strconv.Itoa(b.procs)
	}
	for _, pair := range b.pairs {
		s := pair[side]
		judged, other, unit := s.wall, s.cpu, "cpu-ns/op"
		if b.clock == CPU {
			judged, other, unit = s.cpu, s.wall, "wall-ns/op"
		}
		if _, err := fmt.Fprintf(w, "%s\t%d", name, s.line.iterations); err != nil {
			return err
		}
		if s.hasTime() {
			if _, err := fmt.Fprintf(w, "\t%s ns/op", nanoseconds(judged)); err != nil {
				return err
			}
		}
		if !math.IsNaN(other) {
			if _, err := fmt.Fprintf(w, "\t%s %s", nanoseconds(other), unit); err != nil {
				return err
			}
		}
		for _, f := range s.line.figures {
			if f.unit == "ns/op" {
				continue
			}
			if _, err := fmt.Fprintf(w, "\t%s %s", strconv.FormatFloat(f.value, 'g', -1, 64), f.unit); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

func nanoseconds(seconds float64) string { return strconv.FormatFloat(seconds*1e9, 'f', 4, 64) }
