package record

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Format is a way to write games: a file of this package, and a line in [Formats].
type Format struct {
	Name    string   // name, as "rgn"
	Endings []string // file name endings, as ".rgn"

	One bool // a file holds a single game

	// The parts of a game the format keeps, besides players, dice, turns and result.
	clock bool
	meta  metaKept

	// read reads a game and its hash into r.game, whose lists may be used again, and plays it to
	// its last position. It returns the line where the game begins, or of the fault with an
	// error. The end is io.EOF. Skip, unless nil, continues after a game with a fault.
	read  func(in *lines, r *replay) (line int, err error)
	skip  func(in *lines)
	write func(io.Writer, *Game, string) error // writer that adds the hash
}

// metaKept is how much of a game's metadata a format keeps.
type metaKept uint8

const (
	noMeta   metaKept = iota
	someMeta          // all but partKeys
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
	formats := Formats()
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("unknown format %q (want one of %s)", name, strings.Join(FormatNames(), ", "))
	}
	return formats[i], nil
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
	return Format{}, fmt.Errorf("%s: extension %q is not of a format of records (want one of %s)",
		file, extension, strings.Join(known, ", "))
}

// byteOrderMark is written by some editors at a text's start.
const byteOrderMark = "\ufeff"

// Detect returns the format of a text by its first characters.
func Detect(text string) (Format, error) {
	text = strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n")
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
	line, _, _ := strings.Cut(text, "\n")
	return Format{}, fmt.Errorf("begins with %.20q (want a record: %s)", line, strings.Join(FormatNames(), ", "))
}

// Fault is the error for a text that is not a valid record: the line and the reason.
type Fault struct {
	Line int // number from 1
	Msg  string
}

func (e *Fault) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// Reader reads games, one after another.
type Reader struct {
	in       lines
	format   Format
	game     Game
	replay   replay
	unhashed bool
}

// NewReader returns a reader of games in a format.
func NewReader(r io.Reader, f Format) *Reader {
	return &Reader{in: lines{in: bufio.NewReaderSize(r, 1<<16)}, format: f}
}

// Next returns the next game, replayed and checked against the rules. It is valid until the
// next call. After a [*Fault] reading may continue with the next game; the end is [io.EOF].
func (r *Reader) Next() (*Game, error) {
	g := &r.game
	*g = Game{Rules: board.Finkel(), Turns: g.Turns[:0]} // formats need not name the default
	r.replay.game = g
	line, err := r.format.read(&r.in, &r.replay)
	if err == nil {
		err = cmp.Or(g.checkDice(), g.checkResult(r.replay.Next), r.checkHash())
	} else if r.format.skip != nil {
		r.format.skip(&r.in)
	}
	switch {
	case r.in.failed != nil:
		return nil, r.in.failed
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, &Fault{line, err.Error()}
	}
	return g, nil
}

// checkHash compares the game with its record's hash.
func (r *Reader) checkHash() error {
	given := r.game.hash
	if r.unhashed, r.game.hash = given == "", ""; given == "" {
		return nil
	}
	if want := r.format.hash(&r.game); given != want {
		return fmt.Errorf("hash %[2]q of a damaged or edited game (want %[1]s)", want, text.Clip(given))
	}
	return nil
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
	if !g.Rules.IsFinkel() {
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

// partKeys are the keys for the parts of a [Game] and its hash in formats with metadata. All
// other keys are its Meta.
var partKeys = []string{"Light", "Dark", "Rules", "Pieces", "Start", "Seed", "Game", "Result", "Hash"}

// foreignMeta returns the metadata for foreign formats, where some keys are parts of the game.
func foreignMeta(g *Game) map[string]string {
	meta := maps.Clone(g.Meta)
	maps.DeleteFunc(meta, func(key, _ string) bool { return slices.Contains(partKeys, key) })
	return meta
}

// parts returns the parts of a game and its hash by [partKeys]: all but Start, Seed and Game,
// which stand there only where they are known.
func (g *Game) parts(hash string) map[string]string {
	parts := map[string]string{
		"Light": g.Players[board.Light], "Dark": g.Players[board.Dark], "Rules": RulesText(g.Rules),
		"Pieces": strconv.Itoa(g.Pieces),
		"Result": g.Result.String(), "Hash": hash,
	}
	if start := g.StartText(); start != "" {
		parts["Start"] = start
	}
	if g.Dice != nil {
		parts["Seed"], parts["Game"] = strconv.FormatUint(g.Dice.Seed, 10), strconv.FormatUint(g.Dice.Game, 10)
	}
	return parts
}

// header is the parts and the metadata of a game as they are read, by key.
type header map[string]part

// part is a text with its line.
type part struct {
	text string
	line int
}

// begin puts the header, which begins at a line, into the game of a replay and goes to its start. It
// returns the line of an error.
func (h header) begin(r *replay, begin int) (line int, err error) {
	g, dice := r.game, DiceOrigin{}
	g.Players, g.hash = [2]string{h["Light"].text, h["Dark"].text}, h["Hash"].text
	for _, key := range partKeys {
		value, given := h[key]
		if key == "Pieces" {
			g.Pieces = g.Rules.Pieces()
		}
		if !given {
			continue
		}
		n, noNumber := strconv.ParseUint(value.text, 10, 64)
		switch key {
		case "Rules":
			g.Rules, err = ParseRules(value.text)
		case "Pieces":
			g.Pieces = int(min(n, math.MaxInt32))
			_, wrong := g.Rules.WithPieces(g.Pieces)
			err = cmp.Or(noNumber, wrong)
		case "Start":
			err = g.SetStart(value.text)
		case "Seed":
			dice.Seed, err = n, noNumber
		case "Game":
			dice.Game, err = n, noNumber
			g.Dice = &dice
		case "Result":
			g.Result, err = parseResult(value.text)
		}
		if err != nil {
			return cmp.Or(value.line, begin), fmt.Errorf("%s is %q: %w", key, text.Clip(value.text), err)
		}
	}
	seed, seeded := h["Seed"]
	if _, numbered := h["Game"]; seeded != numbered {
		return cmp.Or(seed.line, h["Game"].line, begin), errors.New("only one of Seed and Game (want both or neither)")
	}
	for key, value := range h {
		if !slices.Contains(partKeys, key) {
			if g.Meta == nil {
				g.Meta = map[string]string{}
			}
			g.Meta[key] = value.text
		}
	}
	return begin, r.begin()
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
		w.out.WriteByte('\n')
	}
	return w.format.write(w.out, g, w.format.hash(g))
}

// Close flushes the writer. It does not close the underlying writer.
func (w *Writer) Close() error { return w.out.Flush() }

// WriteFile writes a game to a file in the given format, atomically, and replaces an existing
// file.
func WriteFile(name string, f Format, g *Game) error {
	return safefile.Write(name, func(w io.Writer) error {
		out := NewWriter(w, f)
		return errors.Join(out.Write(g), out.Close())
	})
}

// WriteNewFile writes a game to a new file, in its extension's format. It fails if the
// file exists.
func WriteNewFile(name string, g *Game) error {
	f, err := FormatOf(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists (want another name)", name)
	}
	return WriteFile(name, f, g)
}

// maxLine bounds the memory for one line of a foreign file.
const maxLine = 1 << 24

// lines reads a text by lines, and counts them.
type lines struct {
	in     *bufio.Reader
	number int // the last line's number, from 1
	line   string
	err    error
	again  bool
	failed error // why the text cannot be read on, unless it has ended
}

// next returns the next line without its end. It skips a line that is too long, and returns an
// error.
func (l *lines) next() (string, error) {
	if l.again {
		l.again = false
		return l.line, l.err
	}
	line, problem, err := text.ReadLine(l.in, maxLine)
	l.number++
	if l.number == 1 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	if err != nil && err != io.EOF {
		l.failed = err
	}
	l.line, l.err = strings.TrimSuffix(string(line), "\r"), cmp.Or(err, problem)
	return l.line, l.err
}

// back lets next return the same line again.
func (l *lines) back() { l.again = true }

// skipTo goes on to the next line that begins a game.
func (l *lines) skipTo(begins func(line string) bool) {
	for {
		line, err := l.next()
		if err == io.EOF || l.failed != nil || err == nil && begins(line) {
			l.back()
			return
		}
	}
}
