package ab

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// storeTime is the layout of the times in stored files and their names.
const storeTime = "20060102T150405Z"

// Store adds a file with the rounds of a pair of commits to a folder, in Go's benchmark
// format: "benchstat -col side FILE" reads it, and "ur bench history" the folder.
func (r *Report) Store(dir string) error {
	if r.WorkTree || r.Head == "" || len(r.printed[oldSide]) > 0 {
		return inputError("only pairs of commits can be stored (want BASE and HEAD)")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	at := r.started.UTC().Format(storeTime)
	name := fmt.Sprintf("%s-%s-%s.txt", at, short(r.Base), short(r.Head))
	return wholefile.Write(filepath.Join(dir, name), func(w io.Writer) error {
		out := &text.Writer{To: w}
		fmt.Fprintf(out, "base: %s\nhead: %s\ndate: %s\ngo: %s\ncpu: %s\n", r.Base, r.Head, at, r.Go, r.CPU)
		for side := range sideNames {
			fmt.Fprintf(out, "side: %s\n", sideNames[side])
			if err := r.writeSide(out, side); err != nil {
				return err
			}
		}
		return out.Err
	})
}
