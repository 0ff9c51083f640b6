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
// answer returns either. Blank lines are skipped. Answers are flushed before waiting for more
// input, so a program may ask and wait in turn. It returns a usage error if any
// line was bad, or if there was none.
func AnswerLines(ctx context.Context, env *Env, answer func(line []byte) (any, error)) error {
	in := bufio.NewReader(NewContextReader(ctx, env.Stdin))
	out := bufio.NewWriter(env.Stdout)
	lines, bad, firstBad := 0, 0, 0
	for number := 1; ; number++ {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, problem, err := ReadLine(in, MaxLine)
		if number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.Join(err, out.Flush())
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
		if ctx.Err() != nil && errors.Is(problem, ctx.Err()) { // not a fault of the line
			return errors.Join(problem, out.Flush())
		}
		if problem != nil {
			reply = LineProblem{number, problem.Error()}
			if bad++; bad == 1 {
				firstBad = number
			}
		}
		if err := WriteJSON(out, reply); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if lines == 0 {
		return UsageError("no input on stdin (want one JSON object a line)")
	}
	if bad > 0 {
		return UsageError("%s, the first is line %d", text.Plural(bad, "bad line"), firstBad)
	}
	return nil
}

// ReadLine reads a line without its end. A line longer than most bytes is skipped and reported
// as a problem. The last line may lack its end; after it comes io.EOF.
func ReadLine(in *bufio.Reader, most int) (line []byte, problem, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if problem == nil {
			line = append(line, part...)
		}
		if len(bytes.TrimSuffix(line, []byte("\n"))) > most {
			line, problem = nil, fmt.Errorf("the line is longer than %d bytes", most)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || problem != nil):
			return line, problem, nil
		case err != nil:
			return nil, nil, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), problem, nil
	}
}
