package report

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// reports are the files by [Report.Save] and their formats.
var reports = map[string]string{"report.txt": "text", "report.md": "markdown", "report.json": "json",
	"annotations.txt": "github"}

// SavedFiles returns the names of the files by [Report.Save], in order.
func SavedFiles() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(reports)), sideFiles[:]...)))
}

// sideFiles are the files for both sides' samples.
var sideFiles = [2]string{"old.txt", "new.txt"}

// sideNames name the sides in messages.
var sideNames = [2]string{"old", "new"}

// Save writes old.txt and new.txt in Go's benchmark format to a folder. It creates the folder if
// necessary, and also writes the report in all formats for CI. Line k for a benchmark in one file was
// measured side by side with its line k in the other. A line "interleaved:" records this for
// when two files are compared. Times are by the judged clock, followed by those by
// the other clock.
func (r *Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for side, name := range sideFiles {
		write := func(w io.Writer) error { return writeSide(w, r, side) }
		if err := safefile.Write(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		if err := safefile.Write(filepath.Join(dir, name),
			func(w io.Writer) error { return r.Write(w, reports[name]) }); err != nil {
			return err
		}
	}
	return nil
}

// SampleSet holds a benchmark's samples: sample k of both sides was measured side by side.
type SampleSet struct {
	Package string // import path
	Clock   Clock
	Results [2][]Result // old and new side
}

// writeSide writes one side's file.
func writeSide(w io.Writer, r *Report, side int) error {
	out := NewWriter(w)
	fmt.Fprintf(out, "# benchab: %s of %q, seed %d\n", sideNames[side], []string{r.Base, r.Head}[side], r.Seed)
	for _, s := range r.Samples {
		out.Configure(Setting{InTurns, fmt.Sprintf("%s seed %d", r.Date, r.Seed)}, Setting{"goos", runtime.GOOS},
			Setting{"goarch", runtime.GOARCH},
			Setting{"pkg", s.Package}, Setting{"clock", string(s.Clock)})
		for _, result := range s.Results[side] {
			out.Result(result)
		}
	}
	return out.Err
}
