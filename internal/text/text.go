// Package text formats figures, tables and names for people: significant digits, commas between
// thousands, columns, and untrusted names of files and benchmarks. It reads lines and JSON objects
// member by member.
package text

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// List returns the texts of things.
func List[T any](things []T, text func(T) string) (texts []string) {
	for _, thing := range things {
		texts = append(texts, text(thing))
	}
	return texts
}

// Join is [strings.Join] for any type of text.
func Join[T ~string](words []T, separator string) string {
	return strings.Join(List(words, func(word T) string { return string(word) }), separator)
}

// Clip shortens untrusted text, to keep an error readable.
func Clip(text string) string {
	const most = 60
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
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

// Writer writes to another writer and remembers the first error, after which it drops all
// output, so callers need not check every line.
type Writer struct {
	To  io.Writer
	Err error
}

func (w *Writer) Write(p []byte) (int, error) {
	if w.Err != nil {
		return 0, w.Err
	}
	n, err := w.To.Write(p)
	w.Err = err
	return n, err
}

// Regexp returns a valid regular expression that is compiled at the first call: programs start
// with many and use few.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// Ranked returns names by their counts, the largest first, and equal ones by name.
func Ranked[N cmp.Ordered](counts map[string]N) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
