package search

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
)

// Book is an opening book for any game: a hash table of positions with one or more moves, their
// search scores, and the results of their games. Any number of goroutines may
// read a book while none changes it.
type Book struct {
	game      string
	positions map[Key]*bookPosition
}

// bookPosition is a book's entry for a position.
type bookPosition struct {
	text  string
	moves []BookMove // best first
}

// BookMove is a position's move in a book. ID is the move's [Move.ID].
type BookMove struct {
	ID    uint8
	Score Value // value for the side to move
	Depth int   // plies behind the score; 0 when no search scored the move

	// Games in which the move was made, by result for the side that made it.
	Won, Drawn, Lost uint32
}

// compareBookMoves sorts the best first, and equal ones by ID. Moves without a score
// come last.
func compareBookMoves(a, b BookMove) int {
	return cmp.Or(cmp.Compare(min(b.Depth, 1), min(a.Depth, 1)), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

// learnedGames is how many games weigh as much as a search score.
const learnedGames = 4

// adjustedScore returns a move's score adjusted by its game results: a move that won (or
// lost) n games gains (or loses) n/(n+4) of worth.
func (m BookMove) adjustedScore(worth Value) Value {
	games := float64(m.Won) + float64(m.Drawn) + float64(m.Lost)
	mean := (float64(m.Won) - float64(m.Lost)) / (games + learnedGames)
	return m.Score + Value(float64(mean*float64(worth)))
}

// NewBook returns an empty book for a game, whose name has 1 to 40 bytes and no spaces.
func NewBook(game string) (*Book, error) {
	if len(game) < 1 || len(game) > 40 || len(strings.Fields(game)) != 1 ||
		strings.ContainsFunc(game, func(r rune) bool { return r <= ' ' || r == '\u007f' }) {
		return nil, fmt.Errorf("invalid name of a game %q (want 1 to 40 bytes without spaces)", game)
	}
	return &Book{game, map[Key]*bookPosition{}}, nil
}

// Game names the book's game.
func (b *Book) Game() string { return b.game }

// Len returns the number of positions.
func (b *Book) Len() int { return len(b.positions) }

// Moves returns a position's moves, the highest score first; nil when the book does not
// hold the position. The slice is the book's: it must not be changed, and is valid until the
// book changes.
func (b *Book) Moves(k Key) []BookMove {
	if p := b.positions[k]; p != nil {
		return p.moves
	}
	return nil
}

// Best returns a position's best move by score and results. A move that won all its many
// games gains this bonus, and a move that lost them all loses it. With 0, only the score
// counts.
func (b *Book) Best(k Key, worth Value) (best BookMove, known bool) {
	for _, m := range b.Moves(k) {
		if m.Depth > 0 && (!known || m.adjustedScore(worth) > best.adjustedScore(worth)) {
			best, known = m, true
		}
	}
	return best, known
}

// Text returns a position's text, "" for none.
func (b *Book) Text(k Key) string {
	if p := b.positions[k]; p != nil {
		return p.text
	}
	return ""
}

// All returns the positions with their moves, sorted by key.
func (b *Book) All() iter.Seq2[Key, []BookMove] {
	return func(yield func(Key, []BookMove) bool) {
		for _, k := range slices.SortedFunc(maps.Keys(b.positions), func(a, b Key) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Check, b.Check))
		}) {
			if !yield(k, b.positions[k].moves) {
				return
			}
		}
	}
}

// Put adds a move to a position, or replaces the one with the same ID.
func (b *Book) Put(k Key, m BookMove) error {
	switch {
	case m.ID == NoMove:
		return fmt.Errorf("invalid move %d (want 0 to %d)", m.ID, NoMove-1)
	case m.Score < -MaxValue || m.Score > MaxValue:
		return fmt.Errorf("invalid score %d (want %d to %d)", m.Score, -MaxValue, MaxValue)
	case m.Depth < 0 || m.Depth > MaxDepth:
		return fmt.Errorf("invalid depth %d (want 0 to %d)", m.Depth, MaxDepth)
	}
	p := b.positions[k]
	if p == nil {
		p = &bookPosition{}
		b.positions[k] = p
	}
	if i := p.moveIndex(m.ID); i >= 0 {
		p.moves[i] = m
	} else {
		p.moves = append(p.moves, m)
	}
	slices.SortFunc(p.moves, compareBookMoves)
	return nil
}

// Score stores a move's search score at a depth, unless a deeper one is there.
func (b *Book) Score(k Key, id uint8, v Value, depth int) error {
	m := b.findMove(k, id)
	if depth < m.Depth {
		return nil
	}
	m.Score, m.Depth = v, depth
	return b.Put(k, m)
}

// Learn counts a game in which a move was made, by its result for the side that made the move:
// above 0 for a win, 0 for a draw, below 0 for a loss.
func (b *Book) Learn(k Key, id uint8, result int) error {
	m := b.findMove(k, id)
	switch {
	case result > 0:
		m.Won++
	case result < 0:
		m.Lost++
	default:
		m.Drawn++
	}
	return b.Put(k, m)
}

// SetText gives a book's position a text for readers: one line, without control
// characters.
func (b *Book) SetText(k Key, text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\u007f' }) ||
		text != strings.TrimSpace(text) {
		return fmt.Errorf("invalid text of a position %q (want one line)", text)
	}
	if p := b.positions[k]; p != nil {
		p.text = text
	}
	return nil
}

// findMove returns a position's move, without score and games when the book does not hold it.
func (b *Book) findMove(k Key, id uint8) BookMove {
	if p := b.positions[k]; p != nil {
		if i := p.moveIndex(id); i >= 0 {
			return p.moves[i]
		}
	}
	return BookMove{ID: id}
}

func (p *bookPosition) moveIndex(id uint8) int {
	return slices.IndexFunc(p.moves, func(m BookMove) bool { return m.ID == id })
}

// A book file is text, one position a line, sorted by key:
//
//	search.book/1 game=NAME positions=COUNT crc32c=HEX
//	INDEX CHECK ID:SCORE:DEPTH:WON:DRAWN:LOST ... | TEXT
//
// The checksum is a CRC-32C over everything after the first line, so a truncated or changed
// file is rejected.
const (
	bookMagic  = "search.book/1"
	bookHeader = bookMagic + " game=%s positions=%d crc32c=%08x\n"
)

// bookSum returns the checksum for the lines after the header.
func bookSum(lines []byte) uint32 { return crc32.Checksum(lines, crc32.MakeTable(crc32.Castagnoli)) }

// WriteTo writes the book. Equal books are equal files.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	var lines bytes.Buffer
	for k, moves := range b.All() {
		lines.WriteString(k.fileText())
		for _, m := range moves {
			lines.WriteString(" " + m.fileText())
		}
		if text := b.Text(k); text != "" {
			fmt.Fprintf(&lines, " | %s", text)
		}
		lines.WriteByte('\n')
	}
	head, err := fmt.Fprintf(w, bookHeader, b.game, b.Len(), bookSum(lines.Bytes()))
	if err != nil {
		return int64(head), err
	}
	n, err := lines.WriteTo(w)
	return int64(head) + n, err
}

// OpenBook reads a book file; see [ReadBook].
func OpenBook(name, game string) (*Book, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b, err := ReadBook(bytes.NewReader(data), game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// ReadBook reads the book for a game, or for any game with "". The error for an invalid or incomplete
// book names the line.
func ReadBook(r io.Reader, game string) (*Book, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	fault := func(line int, format string, args ...any) (*Book, error) {
		return nil, fmt.Errorf("book, line %d: "+format, append([]any{line}, args...)...)
	}
	head := string(data[:bytes.IndexByte(data, '\n')+1])
	lines := data[len(head):]
	var name string
	var count int
	var sum uint32
	if n, _ := fmt.Sscanf(head, bookHeader, &name, &count, &sum); n != 3 {
		return fault(1, `not the header of a book (want "%s game=NAME positions=N crc32c=XXXXXXXX")`, bookMagic)
	}
	b, err := NewBook(name)
	switch {
	case err != nil:
		return fault(1, "%w", err)
	case head != fmt.Sprintf(bookHeader, name, count, sum):
		return fault(1, "damaged header")
	case game != "" && game != name:
		return fault(1, "book of the game %q (want %q)", name, game)
	case bookSum(lines) != sum:
		return fault(1, "checksum mismatch: the file was edited or truncated")
	}
	n := 1
	for line := range strings.Lines(string(lines)) {
		n++
		if err := b.readLine(strings.TrimSuffix(line, "\n")); err != nil {
			return fault(n, "%w", err)
		}
	}
	if b.Len() != count {
		return fault(1, "%d positions (want %d, as in the header)", b.Len(), count)
	}
	return b, nil
}

// readLine reads a position with its moves.
func (b *Book) readLine(line string) error {
	entry, text, _ := strings.Cut(line, " | ")
	fields := strings.Fields(entry)
	if len(fields) < 3 {
		return fmt.Errorf("%d fields (want a key in two and at least one move)", len(fields))
	}
	k, err := parseKey(fields[0], fields[1])
	if err != nil {
		return err
	}
	if b.positions[k] != nil {
		return fmt.Errorf("position %s %s appears twice", fields[0], fields[1])
	}
	for _, field := range fields[2:] {
		m, err := parseBookMove(field)
		if p := b.positions[k]; err == nil && p != nil && p.moveIndex(m.ID) >= 0 {
			err = fmt.Errorf("move %d appears twice", m.ID)
		}
		if err == nil {
			err = b.Put(k, m)
		}
		if err != nil {
			return err
		}
	}
	return b.SetText(k, text)
}

// fileText returns the key as it is written, and parseKey reads it.
func (k Key) fileText() string { return fmt.Sprintf("%016x %016x", k.Index, k.Check) }

func parseKey(index, check string) (k Key, err error) {
	n, err := fmt.Sscanf(index+" "+check, "%x %x", &k.Index, &k.Check)
	if err != nil || n != 2 || k.fileText() != index+" "+check {
		return k, fmt.Errorf("invalid key \"%s %s\" (want 16 hexadecimal digits twice)", index, check)
	}
	return k, nil
}

// bookMoveForm is a move's text: ID, score, depth, and the games won, drawn and lost.
const bookMoveForm = "%d:%d:%d:%d:%d:%d"

// parseBookMove reads a move as it is written.
func parseBookMove(text string) (m BookMove, err error) {
	n, err := fmt.Sscanf(text, bookMoveForm, &m.ID, &m.Score, &m.Depth, &m.Won, &m.Drawn, &m.Lost)
	if err != nil || n != 6 || text != m.fileText() {
		return m, fmt.Errorf("invalid move %q (want ID:SCORE:DEPTH:WON:DRAWN:LOST)", text)
	}
	return m, nil
}

func (m BookMove) fileText() string {
	return fmt.Sprintf(bookMoveForm, m.ID, m.Score, m.Depth, m.Won, m.Drawn, m.Lost)
}
