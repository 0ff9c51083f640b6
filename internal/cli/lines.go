package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// MaxLine bounds the memory of one line of input.
const MaxLine = 1 << 20

// byteOrderMark is the prefix that some editors write.
var byteOrderMark = []byte("\ufeff")

// LineProblem is the line of output for a bad line of input.
type LineProblem struct {
	Line  int    `json:"line"` // from 1, blank lines included
	Error string `json:"error"`
}

// AnswerLines answers each line of stdin by a line of JSON, a bad one by an error object;
// answer returns either. Answers are flushed before waiting for more input, so a program may ask
// and wait in turn. Otherwise it is [EachLine].
func AnswerLines(ctx context.Context, env *Env, answer func(line []byte) (any, error)) error {
	out := bufio.NewWriter(env.Stdout)
	err := EachLine(ctx, env, "one JSON object a line", out.Flush, func(line []byte) (problem, err error) {
		reply, problem := answer(line)
		switch {
		case problem == nil:
			return nil, WriteJSON(out, reply)
		case ctx.Err() != nil && errors.Is(problem, ctx.Err()): // not a fault of the line
			return nil, problem
		}
		return problem, nil
	}, func(p LineProblem) error { return WriteJSON(out, p) })
	return errors.Join(err, out.Flush())
}

// EachLine calls do with each non-blank line of stdin, and ready before waiting for more input.
// A line with a problem goes to report, and the lines behind it are read all the same; an error
// ends the reading. It returns a usage error if any line was bad, or if there was none; want is
// the right form of the input.
func EachLine(ctx context.Context, env *Env, want string, ready func() error, do func(line []byte) (problem, err error), report func(LineProblem) error) error {
	in := bufio.NewReader(NewContextReader(ctx, env.Stdin))
	lines, bad, firstBad := 0, 0, 0
	for number := 1; ; number++ {
		if in.Buffered() == 0 {
			if err := ready(); err != nil {
				return err
			}
		}
		line, problem, err := text.ReadLine(in, MaxLine)
		if number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
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
			wait := NewWait(env, fmt.Sprintf("position of line %d", number))
			problem, err = do(line)
			wait.Clear()
			if err != nil {
				return err
			}
		}
		if problem == nil {
			continue
		}
		if bad++; bad == 1 {
			firstBad = number
		}
		if err := report(LineProblem{number, problem.Error()}); err != nil {
			return err
		}
	}
	switch {
	case lines == 0 && ctx.Err() == nil:
		return UsageError("no input on stdin (want %s)", want)
	case bad > 0:
		return UsageError("%s, the first is line %d", text.Plural(bad, "bad line"), firstBad)
	}
	return nil
}

// NewContextReader returns a reader of a source whose Read ends with the context, even while the
// source waits for a user.
func NewContextReader(ctx context.Context, source io.Reader) io.Reader {
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(w, source)
		w.CloseWithError(err)
	}()
	return r
}
