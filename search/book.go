package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/mapped"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// A book file is a header and records, all numbers little-endian:
//
//	header, 64 bytes: "gamebook", version 1 (4 bytes), CRC-32C of all that follows the
//	header (4), number of records (8), name of the game filled up with zeros (40)
//	record, 40 bytes: index and check of the position's key (8 each), score (8), games
//	won, drawn and lost by it (4 each), ID of the move (1), depth of the score (1), 2 zeros
//
// Records are sorted by index, check and ID, so that a position is found by bisection in
// the file as it is mapped.
const (
	bookMagic   = "gamebook"
	bookVersion = 1
	bookHeader  = 64
	bookRecord  = 40
	bookName    = 40
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// BookEntry is what a book knows of a move.
type BookEntry struct {
	Key   Key // of the position it is made in
	ID    uint8
	Depth uint8 // of the search that scored it; 0 when none did
	Score Value // to the side that moves

	// Games in which it was made, by how they ended for the side that made it.
	Won, Drawn, Lost uint32
}

func (e BookEntry) compare(f BookEntry) int {
	return cmp.Or(cmp.Compare(e.Key.Index, f.Key.Index), cmp.Compare(e.Key.Check, f.Key.Check), cmp.Compare(e.ID, f.ID))
}

// BookError says what is wrong with a book file.
type BookError struct{ Name, Problem string }

func (e *BookError) Error() string { return fmt.Sprintf("%s is no sound book: %s", e.Name, e.Problem) }

// Book is an open book file. It may be asked by many goroutines.
type Book struct {
	game    string
	file    *os.File
	memory  mapped.Memory
	records []byte
}

// OpenBook opens a book of a game; with "" of any. It reads all of it once, to see
// whether it is sound, and returns a [*BookError] when it is not.
func OpenBook(name, game string) (*Book, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := openBook(f, game)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return b, nil
}

func openBook(f *os.File, game string) (*Book, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < bookHeader {
		return nil, &BookError{f.Name(), fmt.Sprintf("it has %d bytes, a header alone has %d", info.Size(), bookHeader)}
	}
	memory, err := mapped.File(f, info.Size())
	if err != nil {
		return nil, err
	}
	b := &Book{file: f, memory: memory, records: memory.Bytes[bookHeader:]}
	problem := b.check(memory.Bytes[:bookHeader])
	if problem == "" && game != "" && game != b.game {
		problem = fmt.Sprintf("it is for the game %q, not %q", b.game, game)
	}
	if problem != "" {
		return nil, errors.Join(&BookError{f.Name(), problem}, memory.Close())
	}
	return b, nil
}

// check returns what is wrong with the book, or "".
func (b *Book) check(header []byte) string {
	if string(header[:8]) != bookMagic {
		return fmt.Sprintf("it does not begin with %q", bookMagic)
	}
	if v := binary.LittleEndian.Uint32(header[8:]); v != bookVersion {
		return fmt.Sprintf("its version is %d, want %d", v, bookVersion)
	}
	if n := binary.LittleEndian.Uint64(header[16:]); n != uint64(len(b.records)/bookRecord) || len(b.records)%bookRecord != 0 {
		return fmt.Sprintf("its header tells of %d records, and %d bytes follow", n, len(b.records))
	}
	if crc32.Checksum(b.records, castagnoli) != binary.LittleEndian.Uint32(header[12:]) {
		return "its checksum does not match: it is damaged"
	}
	b.game = string(bytes.TrimRight(header[24:], "\x00"))
	for i := 1; i < b.Len(); i++ {
		if b.at(i-1).compare(b.at(i)) >= 0 {
			return fmt.Sprintf("record %d does not come after the one before it", i)
		}
	}
	return ""
}

// Game returns the name of the game that the book is for.
func (b *Book) Game() string { return b.game }

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.records) / bookRecord }

// at returns an entry.
func (b *Book) at(i int) BookEntry {
	r := b.records[i*bookRecord:]
	return BookEntry{
		Key:   Key{binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:])},
		Score: int64(binary.LittleEndian.Uint64(r[16:])),
		Won:   binary.LittleEndian.Uint32(r[24:]),
		Drawn: binary.LittleEndian.Uint32(r[28:]),
		Lost:  binary.LittleEndian.Uint32(r[32:]),
		ID:    r[36], Depth: r[37],
	}
}

// All returns the entries in the order of the file.
func (b *Book) All() iter.Seq[BookEntry] {
	return func(yield func(BookEntry) bool) {
		for i := range b.Len() {
			if !yield(b.at(i)) {
				return
			}
		}
	}
}

// Find appends to dst what the book knows of the moves of a position, by their IDs.
func (b *Book) Find(dst []BookEntry, k Key) []BookEntry {
	low, high := 0, b.Len()
	for low < high {
		middle := int(uint(low+high) / 2)
		if b.at(middle).compare(BookEntry{Key: k}) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for ; low < b.Len() && b.at(low).Key == k; low++ {
		dst = append(dst, b.at(low))
	}
	return dst
}

// Close closes the book, which must not be asked any more.
func (b *Book) Close() error { return errors.Join(b.memory.Close(), b.file.Close()) }

// BookMaker is a book that is written.
type BookMaker struct {
	game    string
	entries map[bookMove]BookEntry
}

type bookMove struct {
	key Key
	id  uint8
}

// NewBookMaker returns an empty book of a game, whose name has 1 to 40 bytes.
func NewBookMaker(game string) (*BookMaker, error) {
	if len(game) < 1 || len(game) > bookName || bytes.IndexByte([]byte(game), 0) >= 0 {
		return nil, fmt.Errorf("name of the game is %q, must have 1 to %d bytes and no zero", game, bookName)
	}
	return &BookMaker{game, map[bookMove]BookEntry{}}, nil
}

// Add adds the entries of a book.
func (m *BookMaker) Add(b *Book) {
	for e := range b.All() {
		m.entries[bookMove{e.Key, e.ID}] = e
	}
}

// Score keeps what a search found of a move, unless a deeper one is there.
func (m *BookMaker) Score(k Key, id uint8, v Value, depth int) {
	e := m.entry(k, id)
	if depth >= int(e.Depth) {
		e.Score, e.Depth = v, uint8(depth)
	}
	m.entries[bookMove{k, id}] = e
}

// Teach counts a game in which a move was made and that ended well for its side (above
// 0), in a draw, or badly (below 0).
func (m *BookMaker) Teach(k Key, id uint8, result int) {
	e := m.entry(k, id)
	switch {
	case result > 0:
		e.Won++
	case result < 0:
		e.Lost++
	default:
		e.Drawn++
	}
	m.entries[bookMove{k, id}] = e
}

func (m *BookMaker) entry(k Key, id uint8) BookEntry {
	if e, ok := m.entries[bookMove{k, id}]; ok {
		return e
	}
	return BookEntry{Key: k, ID: id}
}

// Save writes the book to a file, whole or not at all.
func (m *BookMaker) Save(name string) error {
	return wholefile.Write(name, func(w io.Writer) error {
		_, err := w.Write(m.encode())
		return err
	})
}

// encode returns the file.
func (m *BookMaker) encode() []byte {
	entries := make([]BookEntry, 0, len(m.entries))
	for _, e := range m.entries {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, BookEntry.compare)
	file := make([]byte, bookHeader, bookHeader+len(entries)*bookRecord)
	for _, e := range entries {
		file = binary.LittleEndian.AppendUint64(file, e.Key.Index)
		file = binary.LittleEndian.AppendUint64(file, e.Key.Check)
		file = binary.LittleEndian.AppendUint64(file, uint64(e.Score))
		file = binary.LittleEndian.AppendUint32(file, e.Won)
		file = binary.LittleEndian.AppendUint32(file, e.Drawn)
		file = binary.LittleEndian.AppendUint32(file, e.Lost)
		file = append(file, e.ID, e.Depth, 0, 0)
	}
	copy(file, bookMagic)
	binary.LittleEndian.PutUint32(file[8:], bookVersion)
	binary.LittleEndian.PutUint32(file[12:], crc32.Checksum(file[bookHeader:], castagnoli))
	binary.LittleEndian.PutUint64(file[16:], uint64(len(entries)))
	copy(file[24:bookHeader], m.game)
	return file
}

// FillBook makes a book by search: it scores every move of a position within limits, and
// goes on behind those that are worth at most margin less than the best, for so many
// plies. It stops with the error of ctx, and keeps what it has found.
func FillBook[P any, G Game[P]](ctx context.Context, m *BookMaker, s *Searcher[P, G], root P, plies int, margin Value, l Limits) error {
	l.AllMoves = true
	seen := map[Key]bool{}
	var fill func(p P, plies int) error
	fill = func(p P, plies int) error {
		key := s.game.Key(&p)
		if plies == 0 || seen[key] {
			return nil
		}
		seen[key] = true
		r, err := s.Search(ctx, p, l)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || r.Moves == nil {
			return err
		}
		var next []P
		for i, move := range s.Moves() {
			m.Score(key, move.ID, r.Moves[i], r.Depth)
			if r.Moves[i] >= r.Value-margin {
				next = append(next, move.Next)
			}
		}
		for _, p := range next {
			if err := fill(p, plies-1); err != nil {
				return err
			}
		}
		return nil
	}
	return fill(root, plies)
}
