package record

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// Form is a way to write games: a file of this package, and a line in [Forms].
type Form struct {
	Name    string   // as in "rgn"
	Endings []string // of files, as in ".rgn"
	Help    string

	// One tells that a file holds a single game.
	One bool

	read  func(*lines) reader
	write func(io.Writer, *Game) error
}

// Forms are all forms of records.
var Forms = []Form{linesForm, textForm, rgnForm, royalUrForm}

// FormNames lists the names of all forms.
func FormNames() (names []string) {
	for _, f := range Forms {
		names = append(names, f.Name)
	}
	return names
}

// LookupForm returns the form of a name.
func LookupForm(name string) (Form, error) {
	i := slices.IndexFunc(Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}, fmt.Errorf("unknown form %q, want one of %s", name, strings.Join(FormNames(), ", "))
	}
	return Forms[i], nil
}

// FormOf returns the form that the ending of a file's name says.
func FormOf(file string) (Form, error) {
	ending := strings.ToLower(filepath.Ext(file))
	i := slices.IndexFunc(Forms, func(f Form) bool { return slices.Contains(f.Endings, ending) })
	if i < 0 {
		var endings []string
		for _, f := range Forms {
			endings = append(endings, f.Endings...)
		}
		return Form{}, fmt.Errorf("%s: the ending says no form of records, want one of %s", file, strings.Join(endings, ", "))
	}
	return Forms[i], nil
}

// Fault says where and why a text is not a record.
type Fault struct {
	Line int // from 1
	Msg  string
}

func (e *Fault) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// fault returns a fault with a formatted message.
func fault(line int, format string, args ...any) *Fault {
	return &Fault{line, fmt.Sprintf(format, args...)}
}

// Reader reads games, one after another.
type Reader struct {
	from reader
	game Game
}

// reader reads a text of one form.
type reader interface {
	// next reads a game into g, whose lists may be used again, and plays it move by move
	// up to its last position. Line is where it begins. After a *Fault the next call goes
	// on behind the game with the fault. The end is io.EOF.
	next(g *Game) (line int, last board.Position, err error)
}

// NewReader returns a reader of games in a form.
func NewReader(r io.Reader, f Form) *Reader { return &Reader{from: f.read(newLines(r))} }

// Next returns the next game, which has been replayed and found to follow the rules. It is
// valid until the next call. After a [*Fault] reading may go on, with the next game; the end
// is [io.EOF].
func (r *Reader) Next() (*Game, error) {
	r.game = Game{Turns: r.game.Turns[:0]}
	line, last, err := r.from.next(&r.game)
	if err != nil {
		return nil, err
	}
	if err := r.game.checkDice(); err != nil {
		return nil, &Fault{line, err.Error()}
	}
	if err := r.game.checkResult(last); err != nil {
		return nil, &Fault{line, err.Error()}
	}
	return &r.game, nil
}

// Writer writes games, one after another.
type Writer struct {
	out  *bufio.Writer
	form Form
	n    int
}

// NewWriter returns a writer of games in a form. Close it.
func NewWriter(w io.Writer, f Form) *Writer { return &Writer{out: bufio.NewWriter(w), form: f} }

// Write writes a game, which must follow the rules.
func (w *Writer) Write(g *Game) error {
	if w.n++; w.n > 1 && w.form.One {
		return fmt.Errorf("a file of the form %q holds one game", w.form.Name)
	}
	if _, err := g.Replay(nil); err != nil {
		return err
	}
	if w.n > 1 && w.form.Name != linesForm.Name {
		if err := w.out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return w.form.write(w.out, g)
}

// Close writes what is still in memory; the writer below is left open.
func (w *Writer) Close() error { return w.out.Flush() }

// maxLine bounds the memory that one line of a foreign file can take.
const maxLine = 1 << 24

// lines reads a text by lines, and counts them.
type lines struct {
	in     *bufio.Reader
	number int // of the last line, from 1
	long   []byte
	peeked bool
	line   []byte
	err    error
}

func newLines(r io.Reader) *lines {
	in := bufio.NewReaderSize(r, 1<<16)
	const mark = "\ufeff"
	if begin, _ := in.Peek(len(mark)); string(begin) == mark {
		in.Discard(len(mark)) //nolint:errcheck // they are there
	}
	return &lines{in: in}
}

// next returns the next line without its end, valid until the next call. A line that is
// too long is a *Fault, and skipped.
func (l *lines) next() ([]byte, error) {
	if l.peeked {
		l.peeked = false
		return l.line, l.err
	}
	l.line, l.err = l.read()
	return l.line, l.err
}

// back lets next return the same line again.
func (l *lines) back() { l.peeked = true }

func (l *lines) read() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	l.number++
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if len(l.long) <= maxLine {
				l.long = append(l.long, line...)
			}
			line, err = l.in.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		if len(l.long) > maxLine {
			return nil, fault(l.number, "longer than %d bytes", maxLine)
		}
		line = l.long
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, err
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}
