package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/progress"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/term"
)

// Output is a command's output, which reports the first error of writing when it ends.
// Long-running commands check Err to stop early. Writes are safe for concurrent use.
type Output struct {
	text.Writer

	mutex sync.Mutex
	last  time.Time // time when it was written last
}

func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.last = time.Now()
	return o.Writer.Write(p)
}

// Quiet returns the time since the last write.
func (o *Output) Quiet() time.Duration {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return time.Since(o.last)
}

// WriteJSON writes one value as a line of JSON.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// IsTerminal reports whether w is a terminal and not a file, pipe or buffer.
func IsTerminal(w io.Writer) bool {
	if out, ok := w.(*Output); ok {
		w = out.To
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// WantsColor reports whether w shows colour and the user has not disabled it, by NO_COLOR
// (https://no-color.org) or a dumb terminal.
func WantsColor(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Bar reports progress on stderr.
type Bar = progress.Bar

// NewProgress returns a bar with a total.
func NewProgress(env *Env, total int, what string) *Bar {
	return newBar(env, progress.Counts, total, what)
}

// NewPartBar returns a bar for the finished part of a task without counts; see [progress.Bar.Done].
func NewPartBar(env *Env, what string) *Bar { return newBar(env, progress.Parts, 0, what) }

// NewWait returns a bar for a task of unknown length.
func NewWait(env *Env, what string) *Bar { return newBar(env, progress.Waits, 0, what) }

func newBar(env *Env, kind progress.Kind, total int, what string) *Bar {
	return progress.New(env.Stderr, IsTerminal(env.Stderr) && os.Getenv("TERM") != "dumb", kind, total, what)
}

// Size is a number of bytes in words of three digits: "276 MB", "1.47 GB".
func Size(bytes int64) string {
	value, unit := float64(bytes), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.3g %s", value, unit)
}

// Hundredths rounds a time to a clock's precision.
func Hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// CheckOutput checks early that a flag's file can be written; "" is none. A regular file is
// replaced only by force; a pipe or device is always written. An existing file stays unchanged.
func CheckOutput(flag, file string, force bool) error {
	if err := CheckWritable(flag, file); err != nil {
		return err
	}
	if info, err := os.Stat(file); force || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return UsageError("%s: %s exists (want another file, or --force)", flag, file)
}

// CheckBinary refuses a terminal as a flag's file, whose content is binary; "" is none.
func CheckBinary(flag, file string) error {
	if info, err := os.Stat(file); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	out, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return nil // its writer reports the error
	}
	defer out.Close()
	if IsTerminal(out) {
		return UsageError("%s: the content is binary, and %s is a terminal (want a file)", flag, file)
	}
	return nil
}

// Extension returns the extension of a file's name in small letters: ".svg" of "BRAIN.SVG".
func Extension(file string) string { return strings.ToLower(filepath.Ext(file)) }

// CheckExtension refuses a flag's file whose extension names another form than its content will have. A file without
// an extension may have any content; "" is none.
func CheckExtension(flag, file, want string) error {
	if ending := Extension(file); ending != "" && ending != want {
		return UsageError("%s: extension of %s is wrong (want %s, or none)", flag, file, want)
	}
	return nil
}

// WindowSize returns the columns and rows of a terminal, or 0 if they are not known.
func WindowSize(w io.Writer) (columns, rows int) {
	if out, ok := w.(*Output); ok {
		w = out.To
	}
	if file, ok := w.(*os.File); ok {
		columns, rows, _ = term.GetSize(int(file.Fd()))
	}
	return max(0, columns), max(0, rows)
}

// CheckFolder refuses a flag's folder if it is a file; "" is none.
func CheckFolder(flag, folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return UsageError("%s: %s is a file (want a folder)", flag, folder)
	}
	return nil
}

// CheckWritable checks early that a flag's file can be written, where the command continues
// an existing file by itself.
func CheckWritable(flag, file string) error {
	if file == "" {
		return nil
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return UsageError("%s: folder %s does not exist", flag, folder)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return UsageError("%s: %s is a folder (want the name of a file)", flag, file)
	}
	if err := safefile.Check(file); err != nil {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// MaxLine bounds the memory of one line of input.
const MaxLine = 1 << 20

var byteOrderMark = []byte("\ufeff") // prefix that some editors write

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
	if file, ok := env.Stdin.(*os.File); ok && IsTerminal(file) {
		fmt.Fprintf(env.Stderr, "reading %s from the terminal; Ctrl-D ends the input\n", want)
	}
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
