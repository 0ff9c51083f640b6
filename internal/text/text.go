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
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// List returns the texts of things.
func List[T any](things []T, text func(T) string) (texts []string) {
	for _, thing := range things {
		texts = append(texts, text(thing))
	}
	return texts
}

// Groups divides things by a key. Groups and their things have the order of the things.
func Groups[T any, K comparable](things []T, key func(T) K) (groups [][]T) {
	at := make(map[K]int)
	for _, thing := range things {
		k := key(thing)
		if _, ok := at[k]; !ok {
			at[k], groups = len(groups), append(groups, nil)
		}
		groups[at[k]] = append(groups[at[k]], thing)
	}
	return groups
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

// Regexp returns a valid regular expression, compiled at the first call: programs start
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

// Plain makes an untrusted name, of a file or a benchmark, safe to print on one line of a
// terminal, a table or a page. Characters able to move the cursor, change colours, begin a
// new line or turn the direction of writing, and invalid text, become Go escapes, as in "\x1b"
// and "\n". Other names stay unchanged.
func Plain(name string) string {
	if !strings.ContainsFunc(name, isUnsafe) && utf8.ValidString(name) {
		return name
	}
	var out strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		switch {
		case r == utf8.RuneError && size == 1 || isUnsafe(r):
			quoted := strconv.QuoteToASCII(name[:size])
			out.WriteString(quoted[1 : len(quoted)-1])
		default:
			out.WriteRune(r)
		}
		name = name[size:]
	}
	return out.String()
}

// isUnsafe reports whether a character is more than visible text: control characters, format
// characters (direction, joining, tags), line separators, and invalid ones. XML forbids the
// same set.
func isUnsafe(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co) ||
		r == 0xFFFE || r == 0xFFFF
}

// Lines makes text of several lines safe to print: each line as [Plain] does.
func Lines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Plain(line)
	}
	return strings.Join(lines, "\n")
}

// LastLine returns the last non-empty line of a text, behind the line that it is indented below.
func LastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := lines[len(lines)-1]
	if above := len(lines) - 2; above >= 0 && strings.HasPrefix(last, "\t") {
		last = strings.TrimSpace(lines[above]) + " " + strings.TrimSpace(last)
	}
	return strings.TrimSpace(last)
}

// Markdown keeps text as it is, and in its cell of a table, in GitHub's markdown: names may hold its marks.
func Markdown(cell string) string {
	return markdown().ReplaceAllStringFunc(cell, func(mark string) string {
		if mark == "<" {
			return "&lt;"
		}
		return `\` + strings.Join(strings.Split(mark, ""), `\`)
	})
}

// markdown matches marks, of links as "](", and of emphasis by "_" at the ends of words only.
var markdown = Regexp("[|<*`~&\\\\]|\\]\\(|\\b_+|_+\\b")

// Some lists the first names, at most a number: "a, b, c and 2 more".
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// Wrap breaks text into lines of at most width characters at spaces where possible, and indents
// each.
func Wrap(text, indent string, columns int) string {
	var out strings.Builder
	out.WriteString(indent)
	at, first := len(indent), true
	for word := range strings.FieldsSeq(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case first:
			first = false
		case at+1+width > columns:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += width
	}
	return out.String()
}

// Figure prints three significant digits or more, and never an exponent.
func Figure(x float64) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	magnitude, err := strconv.Atoi(exponent)
	if err != nil {
		return strconv.FormatFloat(x, 'g', 3, 64) // infinite, or not a number
	}
	return strconv.FormatFloat(x, 'f', max(0, 2-magnitude), 64)
}

// Count prints a number without a fraction, with commas between thousands.
func Count(x float64) string { return groupThousands(strconv.FormatFloat(x, 'f', 0, 64)) }

// Grouped prints an integer with commas between thousands: "137,870,097".
func Grouped[N int | int64 | uint64](n N) string { return groupThousands(fmt.Sprint(n)) }

// GroupedFigure prints a figure in up to six significant digits without an exponent,
// with commas between thousands: "2,500", "0.05".
func GroupedFigure(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if strings.Contains(text, "e") {
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return groupThousands(text)
}

// groupThousands puts commas between the thousands of the whole part of a number.
func groupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, found := strings.Cut(number, ".")
	if strings.Trim(whole, "0123456789") != "" {
		return sign + number // infinite, or not a number
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}

// Percent prints a relative change with its sign: "+2.50%".
func Percent(change float64) string { return fmt.Sprintf("%+.2f%%", 100*change) }

// Times formats a ratio of times as a speedup: 0.25 is "x4.00", and 4 is "x0.250".
func Times(ratio float64) string {
	if !(ratio > 0) {
		return ""
	}
	return "x" + Figure(1/ratio)
}

// Plural counts a noun: "1 game", "2 games".
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
