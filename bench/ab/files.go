package ab

import (
	"context"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/safefile"
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
	return judge.Files(files, o.fileRules())
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
