package record

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Format is a way to write games: a file of this package, and a line in [Formats].
type Format struct {
	Name    string   // as in "rgn"
	Endings []string // of files, as in ".rgn"
	Help    string

	One bool // a file holds a single game

	// The parts of a game the format keeps, besides players, dice, turns and result.
	clock bool
	meta  metaKept

	read  func(*lines) reader
	write func(io.Writer, *Game, string) error // with the hash
}

// metaKept is how much of a game's metadata a format keeps.
type metaKept uint8

const (
	noMeta   metaKept = iota
	someMeta          // all but reservedKeys
	allMeta
)

// Formats returns all formats of records.
func Formats() []Format { return []Format{linesFormat, textFormat, rgnFormat, royalUrFormat} }

// FormatNames lists the names of all formats.
func FormatNames() []string {
	return text.List(Formats(), func(f Format) string { return f.Name })
}

// LookupFormat returns the format of a name.
func LookupFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("unknown format %q (want one of %s)", name, strings.Join(FormatNames(), ", "))
}

// FormatOf returns the format of a file's extension.
func FormatOf(file string) (Format, error) {
	extension := strings.ToLower(filepath.Ext(file))
	var known []string
	for _, f := range Formats() {
		if slices.Contains(f.Endings, extension) {
			return f, nil
		}
		known = append(known, f.Endings...)
	}
	return Format{}, fmt.Errorf("%s: extension %q is not of a format of records (want one of %s)", file, extension, strings.Join(known, ", "))
}

// Detect returns the format of a text by its first characters.
func Detect(text string) (Format, error) {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	switch {
	case strings.HasPrefix(text, "//"):
		return textFormat, nil
	case strings.HasPrefix(text, "{") && strings.Contains(text, `"notation_version"`):
		return royalUrFormat, nil
	case strings.HasPrefix(text, "{"):
		return linesFormat, nil
	case strings.HasPrefix(text, "[") || strings.HasPrefix(text, "1."):
		return rgnFormat, nil
	}
	return Format{}, fmt.Errorf("begins with %q (want a record: %s)", first(text, 20), strings.Join(FormatNames(), ", "))
}

// first returns at most n characters of the first line of a text.
func first(text string, n int) string {
	line, _, _ := strings.Cut(text, "\n")
	return string([]rune(line)[:min(n, len([]rune(line)))])
}

// Fault is the error for a text that is not a valid record: the line and the reason.
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
	from     reader
	format   Format
	game     Game
	unhashed bool
}

// reader reads a text of one format.
type reader interface {
	// next reads a game and its hash into g, whose lists may be used again, and plays it
	// move by move up to its last position. Line is where it begins. After a *Fault the next call goes
	// on behind the game with the fault. The end is io.EOF.
	next(g *Game) (line int, last state, err error)
}

// NewReader returns a reader of games in a format.
func NewReader(r io.Reader, f Format) *Reader { return &Reader{from: f.read(newLines(r)), format: f} }

// Next returns the next game, replayed and checked against the rules. It is valid until the
// next call. After a [*Fault] reading may continue with the next game; the end is [io.EOF].
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
	given := r.game.hash
	if r.unhashed, r.game.hash = given == "", ""; given != "" {
		if want := r.format.hash(&r.game); given != want {
			return nil, fault(line, "hash %[2]q of a damaged or edited game (want %[1]s)", want, clip(given))
		}
	}
	return &r.game, nil
}

// Unhashed reports whether the last game had no hash, so damage to a name goes unnoticed: a
// record of an older version, of another program, or typed by hand.
func (r *Reader) Unhashed() bool { return r.unhashed }

// hash returns the hash of the parts of a game that a record in this format keeps.
func (f Format) hash(g *Game) string {
	h := safefile.NewHash("ur.game")
	for _, name := range g.Players {
		if f.Name == textFormat.Name {
			name = oneLine(name)
		}
		h.Text(name)
	}
	if g.Rules != nil {
		h.Text("rules")
		h.Text(RulesText(g.Rules))
	}
	h.Number(uint64(g.Pieces))
	if start := g.StartText(); start != "" {
		h.Text("start")
		h.Text(start)
	}
	if g.Dice != nil {
		h.Text("dice")
		h.Number(g.Dice.Seed)
		h.Number(g.Dice.Game)
	}
	h.Number(uint64(len(g.Turns)))
	for _, t := range g.Turns {
		h.Number(uint64(t.Roll))
		h.Number(uint64(t.From + 1))
		if f.clock {
			h.Number(uint64(t.Millis))
		}
	}
	h.Text(g.Result.String())
	switch f.meta {
	case allMeta:
		h.Map(g.Meta)
	case someMeta:
		h.Map(foreignMeta(g))
	}
	return h.String()
}

// foreignMeta returns the metadata for foreign formats, where some keys are parts of the game.
func foreignMeta(g *Game) map[string]string {
	meta := maps.Clone(g.Meta)
	for _, key := range reservedKeys {
		delete(meta, key)
	}
	return meta
}

// Writer writes games, one after another.
type Writer struct {
	out    *bufio.Writer
	format Format
	n      int
}

// NewWriter returns a writer of games in a format. Close it.
func NewWriter(w io.Writer, f Format) *Writer { return &Writer{out: bufio.NewWriter(w), format: f} }

// Write writes a game. The game must follow the rules.
func (w *Writer) Write(g *Game) error {
	if w.n++; w.n > 1 && w.format.One {
		return fmt.Errorf("format %q holds one game, got more", w.format.Name)
	}
	if _, err := g.Replay(nil); err != nil {
		return err
	}
	if w.n > 1 && w.format.Name != linesFormat.Name {
		if err := w.out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return w.format.write(w.out, g, w.format.hash(g))
}

// Close flushes the writer. It does not close the underlying writer.
func (w *Writer) Close() error { return w.out.Flush() }

// maxLine bounds the memory for one line of a foreign file.
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

// next returns the next line without its end, valid until the next call. It skips a line that
// is too long and returns a *Fault.
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
