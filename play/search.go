package play

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/search"
)

// lookahead has the common part of players that search: the rules, and the values of the leaves.
type lookahead struct {
	spec  string
	rules *board.Rules // the spec's rules
	leaf  Player       // the zero Player for games of random moves
}

// player returns the player with instances. Its preparation is its leaves' own, which are
// evaluated inside the search: it needs no engine.
func (l lookahead) player(source any, open func(ur.Engine) (Instance, error)) Player {
	return Player{
		Spec: l.spec, Rules: onlyRules(l.spec, l.rules), Identity: l.leaf.Identity, Source: source, New: open,
		Prepare: func(ctx context.Context, pieces int) error { _, err := l.game(ctx, pieces); return err },
	}
}

// game returns the game with a number of pieces and its leaf.
func (l lookahead) game(ctx context.Context, pieces int) (*searchGame, error) {
	r, err := l.rules.WithPieces(pieces)
	leaf := Leaf{New: func() LeafFunc { return nil }}
	if err == nil && l.leaf.Leaf != nil {
		leaf, err = l.leaf.Leaf(ctx, r)
	}
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", l.spec, err)
	}
	return newSearchGame(r, leaf), nil
}

// Search is the source for a player who searches through the dice and makes the best move found
// when its limit is reached.
type Search struct {
	Limits  search.Limits  // when the player stops to search
	Options search.Options // the switches of the search
	Memory  int            // size of the table in bytes; 0 for the table of Options
	Fresh   bool           // empties the table before every move, instead of keeping it

	lookahead
	book     *search.Book // nil for none
	bookHash string
}

// defaultMemory is the size of a searching player's table, in bytes: it fits into the
// second-level cache of most processors, where a short search is fastest.
const defaultMemory = 1 << 20

// Player returns the player that searches.
func (s Search) Player() Player {
	p := s.player(s, func(ur.Engine) (Instance, error) { return s.NewSearcher(), nil })
	p.Identity = s.identity
	return p
}

// identity returns the leaves' identity and the book's hash.
func (s Search) identity(ctx context.Context, pieces int) (string, error) {
	var parts []string
	leaf, err := Identity(ctx, s.leaf, pieces)
	if leaf != "" {
		parts = append(parts, "leaf "+leaf)
	}
	if s.book != nil {
		parts = append(parts, "book "+s.bookHash)
	}
	return strings.Join(parts, ", "), err
}

const searchName = "search"

// searchKind returns the kind for players that search. It is no variable, because a leaf is a
// player of any kind.
func searchKind() Kind {
	return Kind{Name: searchName, Patterns: searchPatterns(), Title: searchTitle, Files: searchFiles,
		Parse: parseSearch}
}

// searchTitle describes a search by its depth or its time.
func searchTitle(spec string) string {
	limit, value, _ := strings.Cut(strings.TrimPrefix(spec, searchName+":"), "=")
	switch limit {
	case "depth":
		return fmt.Sprintf("Looks %s plies ahead: an expert", value)
	case "time":
		return fmt.Sprintf("Thinks %s a move: near perfect", value)
	}
	return spec
}

// searchPatterns describes the shortest specs, and one for every value that names a file.
func searchPatterns() []Pattern {
	patterns := []Pattern{{
		Text: "search:...", Names: []string{"search:depth=3", "search:time=100ms"},
		Help: "searches through the dice, as in search:depth=3, search:time=100ms or search:nodes=10000. " +
			"More keys, separated by commas: leaf=PLAYER values the leaves (" + leafNames +
			"; the default is the net); " +
			"algorithm=NAME, memory=BYTES, table=fresh (emptied before every move), threads=N",
	}}
	for _, p := range [][2]string{
		{"leaf=net:FILE", "values positions by a net that \"ur train\" wrote"},
		{"leaf=brain:FILE", "values positions by a brain read from a text file"},
		{"leaf=perfect:FILE", "values positions by the exact solution"},
		{"book=FILE", "plays the moves of an opening book that \"ur book build\" wrote"},
	} {
		patterns = append(patterns, Pattern{Text: "search:...," + p[0], Help: p[1]})
	}
	return patterns
}

// leafNames lists the players that can value a search's leaves.
const leafNames = "net, net:FILE, brain, brain:FILE, perfect, perfect:FILE or greedy"

// searchWant describes a searching player's spec.
const searchWant = "want search:depth=N, search:time=DURATION or search:nodes=N, then, after commas, leaf=, book=, algorithm=, memory=, table= or threads="

// parseSearch reads "search:depth=3,leaf=greedy" and the like for a rule set.
func parseSearch(in ParseContext, spec, rest string) (Player, error) {
	s := Search{lookahead: lookahead{spec: spec, rules: in.Rules}, Memory: defaultMemory, Options: DefaultSearchOptions()}
	err := match.ParseOptions(spec, rest, searchWant,
		func(key, value string) error { return s.set(key, value, in.Open) })
	if err != nil {
		return Player{}, err
	}
	switch {
	case s.Limits == (search.Limits{}):
		return Player{}, fmt.Errorf("player %q: no limit (%s)", spec, searchWant)
	case s.leaf.Leaf == nil:
		if s.leaf, err = defaultLeaf(in.Rules); err != nil {
			return Player{}, err
		}
	}
	return s.Player(), nil
}

// defaultLeaf returns the built-in net, or progress where the rule set has none.
func defaultLeaf(r *board.Rules) (Player, error) {
	if p, err := parseLeaf(r, netName, inPlace); err == nil {
		return p, nil
	}
	return parseLeaf(r, "greedy", inPlace)
}

// searchFiles replaces a search's files.
func searchFiles(rest string, replace func(name string) string) string {
	return match.ReplaceOptions(rest, func(key, value string) string {
		switch {
		case key == "leaf":
			if kind, ok := KindOf(value); ok && kind.Files != nil && kind.Name != searchName {
				return kind.Name + kind.Files(strings.TrimPrefix(value, kind.Name), replace)
			}
		case key == "book" && value != "":
			return replace(value)
		}
		return value
	})
}

// DefaultSearchOptions are the searching players' switches: those that save time in this
// game.
func DefaultSearchOptions() search.Options {
	return search.Options{Algorithm: search.Star2, Static: true}
}

// set sets a part of a spec, or returns [match.ErrSpec] for an unknown key.
func (s *Search) set(key, value string, open Opener) (err error) {
	switch key {
	case "depth":
		s.Limits.Depth, err = number(value, 1, search.MaxDepth)
	case "time":
		s.Limits.Time, err = duration(value)
	case "nodes":
		var n int
		n, err = number(value, 1, math.MaxInt)
		s.Limits.Nodes = uint64(n)
	case "threads":
		s.Options.Threads, err = number(value, 1, runtime.NumCPU())
	case "memory":
		s.Memory, err = parseMemory(value)
	case "table":
		if s.Fresh = value == "fresh"; value != "fresh" && value != "kept" {
			err = fmt.Errorf("is %q (want fresh or kept)", value)
		}
	case "algorithm":
		s.Options.Algorithm = search.Algorithm(value)
		if !slices.Contains(diceAlgorithms(), value) {
			err = fmt.Errorf("unknown algorithm %q, or one for games without dice (want one of %s)",
				value, strings.Join(diceAlgorithms(), ", "))
		}
	case "leaf":
		s.leaf, err = parseLeaf(s.rules, value, open)
	case "book":
		err = s.readBook(value, open)
	default:
		return match.ErrSpec
	}
	return err
}

// parseLeaf returns the player that values the leaves, by its name.
func parseLeaf(r *board.Rules, name string, open Opener) (Player, error) {
	unknown := fmt.Errorf("unknown leaf %q (want %s)", name, leafNames)
	if kind, _ := KindOf(name); slices.Contains([]string{searchName, mctsName, levelKind.Name}, kind.Name) {
		return Player{}, unknown
	}
	p, err := ParsePlayerFrom(r, name, open)
	if _, isUnknown := err.(*UnknownPlayerError); err != nil && !isUnknown {
		return p, err
	}
	if _, searches := p.Source.(Search); searches {
		return p, fmt.Errorf("leaf %q searches by itself (want it without @, and a greater depth)", name)
	}
	if p.Leaf == nil {
		return p, unknown
	}
	return p, nil
}

// readBook reads the book in a file.
func (s *Search) readBook(file string, open Opener) error {
	if file == "" {
		return errors.New(`names no file (want a book that "ur book build" wrote)`)
	}
	path, err := open(file)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(data)
	s.bookHash = fmt.Sprintf("sha256:%x", hash[:8])
	s.book, err = search.ReadBook(bytes.NewReader(data), BookGame(s.rules))
	return err
}

// diceAlgorithms returns the names of all algorithms that can search this game.
func diceAlgorithms() (names []string) {
	for _, a := range search.Algorithms() {
		if a.Dice() {
			names = append(names, string(a))
		}
	}
	return names
}

// number reads an integer within bounds.
func number(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("is %q (want %d to %d)", text, least, most)
	}
	return n, nil
}

// duration reads a time above 0.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > 24*time.Hour {
		return 0, fmt.Errorf("is %q (want a time as in 100ms or 2s)", text)
	}
	return d, nil
}

// parseMemory parses a size in bytes, with KB, MB or GB for powers of 1024: at least 64 bytes,
// and at most the machine's memory if it is known.
func parseMemory(text string) (int, error) {
	digits, shift := text, 0
	for i, unit := range []string{"KB", "MB", "GB"} {
		if before, ok := strings.CutSuffix(text, unit); ok {
			digits, shift = before, 10*(i+1)
		}
	}
	n, err := strconv.Atoi(digits)
	most := search.MaxTableBytes
	if installed := process.MemoryInstalled(); installed > 0 {
		most = int(min(int64(most), installed))
	}
	if err != nil || n < 1 || n > most>>shift || n<<shift < 64 {
		return 0, fmt.Errorf("is %q (want a size of 64 to %d bytes (this machine's memory), as in 65536, 16MB or 1GB)",
			text, most)
	}
	return n << shift, nil
}
