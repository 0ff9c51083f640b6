package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// maxLine bounds the memory that one line of input can take.
const maxLine = 1 << 20

// lineProblem is the line of output for a bad line of input.
type lineProblem struct {
	Line  int    `json:"line"` // from 1, blank lines included
	Error string `json:"error"`
}

// answerLines answers each line of stdin by one of JSON, a bad one by what is wrong
// with it; answer returns either. Blank lines are skipped. What has been answered is
// written out before the input is waited for, so that a program may ask and wait in
// turn. It returns a usage error when a line was bad.
func answerLines(ctx context.Context, env *environment, answer func(line []byte) (any, error)) error {
	in := bufio.NewReader(newContextReader(ctx, env.stdin))
	out := bufio.NewWriter(env.stdout)
	bad, firstBad := 0, 0
	for number := 1; ; number++ {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, problem, err := readLine(in, maxLine)
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		if problem == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var reply any
		if problem == nil {
			reply, problem = answer(line)
		}
		if problem != nil {
			reply = lineProblem{number, problem.Error()}
			if bad++; bad == 1 {
				firstBad = number
			}
		}
		if err := writeJSON(out, reply); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return usageError("%s, the first is line %d", plural(bad, "bad line"), firstBad)
	}
	return nil
}

// readLine reads a line without its end. A line longer than most bytes is read to
// its end and reported as a problem of its own. The last line may lack its end;
// after it comes io.EOF.
func readLine(in *bufio.Reader, most int) (line []byte, problem, err error) {
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

// lineForm describes a line of input: a JSON object with a board in it.
type lineForm struct {
	example string // such an object
	members string // their names
}

// decode reads a line into a struct, and refuses what is not in it.
func (f lineForm) decode(line []byte, request any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return f.explain(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the JSON object: want one object a line")
	}
	return nil
}

// explain says what is wrong with a line in the words of its form.
func (f lineForm) explain(err error) error {
	var kind *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("a JSON %s, want an object %s", kind.Value, f.example)
	case errors.As(err, &kind) && kind.Field == "roll":
		return fmt.Errorf("roll is a %s, want an integer 0 to %d", kind.Value, board.MaxRoll)
	case errors.As(err, &kind):
		return fmt.Errorf("%s holds a %s, want an array of 33 integers", kind.Field, kind.Value)
	case isUnknown:
		return fmt.Errorf("unknown field %s, want %s", unknown, f.members)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: the line ends in the middle")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// numbers checks that a board is there and has as many integers as it must. A nil
// entry was null.
func (f lineForm) numbers(given []*int) (numbers [board.Numbers]int, err error) {
	switch {
	case given == nil:
		return numbers, fmt.Errorf(`no "board": want %s`, f.example)
	case len(given) != len(numbers):
		return numbers, fmt.Errorf("board has %d numbers, want %d", len(given), len(numbers))
	}
	for i, n := range given {
		if n == nil {
			return numbers, fmt.Errorf("board: entry %d is null, want an integer", i)
		}
		numbers[i] = *n
	}
	return numbers, nil
}
