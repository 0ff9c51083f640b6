package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is text in columns: the first is aligned to the left, the others, which hold figures,
// to the right. Cells may hold any text: they are printed by [Plain].
type Table struct {
	Header []string
	Rows   [][]string // each as long as the header

	Narrow bool // one space between columns of text instead of two, no spaces beside bars of Markdown
	Marked bool // cells hold marks of Markdown
}

// columnGap is the space between columns of text.
func (t Table) columnGap() string {
	if t.Narrow {
		return " "
	}
	return "  "
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t Table) printedLines() [][]string {
	lines := make([][]string, 0, 1+len(t.Rows))
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = Plain(cell)
		}
		lines = append(lines, line)
	}
	return lines
}

// columnWidths returns every column's width in characters, least at least.
func columnWidths(lines [][]string, least int) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), least)
		}
	}
	return widths
}

func alignCells(line []string, widths []int) []string {
	cells := make([]string, len(line))
	for i, cell := range line {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			cells[i] = cell + padding
		} else {
			cells[i] = padding + cell
		}
	}
	return cells
}

// Width returns the width of the table's lines as text, in characters.
func (t Table) Width() int {
	width := len(t.columnGap()) * (len(t.Header) - 1)
	for _, column := range columnWidths(t.printedLines(), 0) {
		width += column
	}
	return width
}

// WriteText writes the table for a terminal. It returns the first error of writing.
func (t Table) WriteText(w io.Writer) error {
	lines := t.printedLines()
	widths := columnWidths(lines, 0)
	out := &Writer{To: w}
	for _, line := range lines {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(alignCells(line, widths), t.columnGap()), " "))
	}
	return out.Err
}

// WriteMarkdown writes the table in GitHub's Markdown, in aligned columns. It returns the first
// error of writing.
func (t Table) WriteMarkdown(w io.Writer) error {
	lines, escape := t.printedLines(), Markdown
	if t.Marked {
		escape = strings.NewReplacer("|", `\|`, "<", "&lt;").Replace
	}
	for _, line := range lines {
		for i := range line {
			line[i] = escape(line[i])
		}
	}
	widths := columnWidths(lines, len("--:"))
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = rule[i][1:] + ":"
		}
	}
	left, bar, right := "| ", " | ", " |\n"
	if t.Narrow {
		left, bar, right = "|", "|", "|\n"
	}
	out := &Writer{To: w}
	for i, line := range lines {
		fmt.Fprint(out, left, strings.Join(alignCells(line, widths), bar), right)
		if i == 0 {
			fmt.Fprint(out, left, strings.Join(rule, bar), right)
		}
	}
	return out.Err
}

// Object holds the members of a JSON object in written order.
type Object []Member

// Member is a member of a JSON object, its value as it was written.
type Member struct {
	Name  string
	Value json.RawMessage
}

// ParseObject reads one JSON object. Unlike package encoding/json, which matches names without
// regard to case and keeps the last of repeated ones, it refuses a name given twice. Its other
// errors name the line and what is wanted, such as "a rule set".
func ParseObject(data []byte, want string) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	fault := func(err error) (Object, error) {
		if err == nil {
			err = errors.New("not an object")
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the text ends early")
		}
		line := 1 + bytes.Count(data[:min(int(d.InputOffset()), len(data))], []byte("\n"))
		return nil, fmt.Errorf("line %d: %w (want one JSON object: %s)", line, err, want)
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fault(err)
	}
	var o Object
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return fault(err)
		}
		if _, twice := o.Get(name); twice {
			return nil, fmt.Errorf("member %.80q given twice (want it once)", name)
		}
		m := Member{Name: name}
		if err := d.Decode(&m.Value); err != nil {
			return fault(err)
		}
		o = append(o, m)
	}
	if _, err := d.Token(); err != nil {
		return fault(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fault(errors.New("text after the object"))
	}
	return o, nil
}

// Get returns a member's value.
func (o Object) Get(name string) (value json.RawMessage, ok bool) {
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return o[i].Value, true
}

// Without returns the members with other names.
func (o Object) Without(names ...string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return slices.Contains(names, m.Name) })
}

// Encode writes the members without white space between them.
func (o Object) Encode() []byte {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(m.Name) // a string can always be written
		b = append(append(append(b, name...), ':'), m.Value...)
	}
	return append(b, '}')
}
