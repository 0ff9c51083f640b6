package cli

import (
	"bufio"
	"bytes"
	"cmp"
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

// lineProblem is the answer to a bad line of input.
type lineProblem struct {
	Line  int    `json:"line"` // number from 1, blank lines included
	Error string `json:"error"`
}

// AnswerLines answers each non-blank line of stdin by a line of JSON, a bad one by an error object;
// answer returns either, or nil for a comment. An answer with the context's error, which may
// be partial, is the last. Answers are flushed before waiting for more input, so a program may ask
// and wait in turn. It returns a usage error if any line was bad, or if there was none; want is the
// right form of the input.
func AnswerLines(ctx context.Context, env *Env, want string, answer func(line []byte) (any, error)) (err error) {
	in := bufio.NewReader(NewContextReader(ctx, env.Stdin))
	out := bufio.NewWriter(env.Stdout)
	defer func() { err = errors.Join(err, out.Flush()) }()
	lines, bad, firstBad := 0, 0, 0
	for number := 1; ; number++ {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
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
		var reply any
		if problem == nil {
			wait := NewWait(env, fmt.Sprintf("position of line %d", number))
			reply, problem = answer(line)
			wait.Clear()
		}
		var interrupted error
		switch {
		case problem != nil && ctx.Err() != nil && errors.Is(problem, ctx.Err()): // not a fault of the line
			interrupted = problem
		case problem != nil:
			if bad++; bad == 1 {
				firstBad = number
			}
			reply = lineProblem{number, problem.Error()}
		}
		if reply != nil {
			err = WriteJSON(out, reply)
		}
		if err := cmp.Or(interrupted, err); err != nil {
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
