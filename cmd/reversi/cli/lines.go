package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// errInput marks an error in a line of the input: the lines behind it are read all the
// same.
type errInput struct{ err error }

func (e errInput) Error() string { return e.err.Error() }
func (e errInput) Unwrap() error { return e.err }

// eachLine calls do with every non-blank line of stdin. A line with an error is reported, by
// JSON at its place or on stderr, and makes the exit code 2 at the end. So does an input
// without lines.
func eachLine(ctx context.Context, env *cli.Env, asJSON bool, do func(line []byte) error) error {
	in := bufio.NewReader(cli.NewContextReader(ctx, env.Stdin))
	bad, firstBad, lines := 0, 0, 0
	for number := 1; ; number++ {
		line, problem, err := cli.ReadLine(in, cli.MaxLine)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if problem == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		if problem == nil {
			wait := cli.NewWait(env, fmt.Sprintf("position of line %d", number))
			err = do(line)
			wait.Clear()
			var input errInput
			if err != nil && !errors.As(err, &input) {
				return err
			}
			problem = err
		}
		if problem == nil {
			continue
		}
		if bad++; bad == 1 {
			firstBad = number
		}
		if asJSON {
			err = cli.WriteJSON(env.Stdout, cli.LineProblem{Line: number, Error: problem.Error()})
		} else {
			_, err = fmt.Fprintf(env.Stderr, "line %d: %v\n", number, problem)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case lines == 0 && ctx.Err() == nil:
		return cli.UsageError("no input on stdin (want one position a line)")
	case bad > 0:
		return cli.UsageError("%s, the first is line %d", text.Plural(bad, "bad line"), firstBad)
	}
	return nil
}
