package play

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Search searches through the dice and makes the best move found when its limit is reached.
type Search struct {
	spec   string
	limits search.Limits
	memory int // of the table, in bytes
	config ursearch.Config
	leaf   string      // hash of the brain or net that values leaves; "" when a table does
	leaves solve.Table // values every leaf; nil if another evaluator does
	file   string      // of the exact solution

	book     *search.Book // nil for none
	bookHash string
}

// DefaultMemory is the size of a searching player's table, in bytes: it fits into the
// second-level cache of most processors, where a short search is fastest.
const DefaultMemory = 1 << 20

// Name returns the spec.
func (s Search) Name() string { return s.spec }

// Limits returns when the player stops to search.
func (s Search) Limits() search.Limits { return s.limits }

// Sit takes a seat. It needs no engine: leaves are valued inside the search.
func (s Search) Sit(ur.Engine) (Seat, error) { return &searchSeat{player: s}, nil }

// identity returns the hash of the leaf evaluator, the fingerprint of the table, and the hash
// of the book.
func (s Search) identity(_ context.Context, pieces int) (string, error) {
	var parts []string
	if s.leaves == nil {
		parts = append(parts, "leaf "+s.leaf)
	}
	for _, t := range []solve.Table{s.leaves, s.config.Exact} {
		if t != nil {
			parts = append(parts, "table "+solve.Fingerprint(t, min(pieces, t.Pieces())))
		}
	}
	if s.book != nil {
		parts = append(parts, "book "+s.bookHash)
	}
	return strings.Join(parts, ", "), nil
}

// Prepare checks that the exact solution covers games with a number of pieces, if it values
// every leaf.
func (s Search) Prepare(_ context.Context, pieces int) error {
	if s.leaves != nil && s.leaves.Pieces() < pieces {
		return fmt.Errorf("player %q: %w", s.spec, &solve.SmallTableError{Name: s.file, Pieces: s.leaves.Pieces(), Want: pieces})
	}
	return nil
}

// damage returns the damage found in the exact solution while reading it, or nil.
func (s Search) damage() error {
	for _, t := range []solve.Table{s.leaves, s.config.Exact} {
		if t != nil {
			if err := t.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Searcher returns a new searcher for games with a number of pieces.
func (s Search) Searcher(pieces int) (*ursearch.Searcher, error) {
	if err := s.Prepare(context.Background(), pieces); err != nil {
		return nil, err
	}
	table, err := search.NewTable(s.memory, search.Buckets)
	if err != nil {
		return nil, err
	}
	c := s.config
	c.Pieces, c.Options.Table = pieces, table
	return ursearch.New(c)
}

type searchSeat struct {
	player   Search
	searcher *ursearch.Searcher
	pieces   int
}

// Choose searches. A limit of time makes choices depend on the machine; one of depth or
// nodes does not.
func (s *searchSeat) Choose(ctx context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	if s.player.book != nil {
		if move, known := ursearch.BookMove(s.player.book, t.Position, t.Roll, t.Moves); known {
			return move, nil
		}
	}
	if err := s.ready(t.Position.Pieces()); err != nil {
		return 0, err
	}
	r, err := s.searcher.Search(ctx, t.Position, t.Roll, s.player.limits)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = s.player.damage()
	}
	return max(0, r.Best), err
}

// ready makes the searcher one for a number of pieces.
func (s *searchSeat) ready(pieces int) error {
	if s.searcher != nil && s.pieces == pieces {
		return nil
	}
	searcher, err := s.player.Searcher(pieces)
	if err == nil {
		s.searcher, s.pieces = searcher, pieces
	}
	return err
}

var searchKind = Kind{
	Name:     "search",
	Patterns: searchPatterns(),
	Files:    searchFiles,
	Parse:    parseSearch, ParseRules: parseRulesSearch,
}

// searchPatterns describes the shortest specs, and one for every key with a file.
func searchPatterns() []Pattern {
	patterns := []Pattern{{
		Text: "search:...", Names: []string{"search:depth=3", "search:time=100ms"},
		Help: "searches through the dice, as in search:depth=3, search:time=100ms or search:nodes=10000. " +
			"More keys, separated by commas: leaf=net or leaf=greedy replaces the built-in brain at the leaves; " +
			"algorithm=NAME, memory=BYTES, threads=N",
	}}
	for _, key := range searchKeys {
		for _, file := range key.files {
			patterns = append(patterns, Pattern{Text: "search:...," + key.name + "=" + file.value, Help: file.help})
		}
	}
	return patterns
}

// searchWant describes the spec of a searching player.
const searchWant = "want search:depth=N, search:time=DURATION or search:nodes=N, then, after commas, leaf=, table=, pieces=, book=, algorithm=, memory= or threads="

// parseSearch reads "search:depth=3,leaf=greedy" and the like.
func parseSearch(spec, rest string, open Opener) (Player, error) {
	s := Search{spec: spec, memory: DefaultMemory, leaf: ur.DefaultBrain().Hash()}
	s.config.Options = DefaultSearchOptions()
	given, err := searchItems(spec, rest, searchWant, searchKeys, func(k searchKey, value string) error { return k.set(&s, value, open) })
	if err != nil {
		return nil, err
	}
	return s, s.check(given)
}

// searchItems sets the items of a spec, as in "key=value", and returns the values by key. want
// describes the spec in errors. One limit must be given.
func searchItems(spec, rest, want string, keys []searchKey, set func(k searchKey, value string) error) (map[string]string, error) {
	list, ok := strings.CutPrefix(rest, ":")
	if !ok || list == "" {
		return nil, fmt.Errorf("player %q: no limit (%s)", spec, want)
	}
	given := map[string]string{}
	for item := range strings.SplitSeq(list, ",") {
		name, value, ok := strings.Cut(item, "=")
		i := slices.IndexFunc(keys, func(k searchKey) bool { return k.name == name })
		if _, twice := given[name]; !ok || i < 0 || twice {
			return nil, fmt.Errorf("player %q: unknown or repeated option %q (%s)", spec, item, want)
		}
		given[name] = value
		if err := set(keys[i], value); err != nil {
			return nil, fmt.Errorf("player %q: %s: %w", spec, name, err)
		}
	}
	if given["depth"] == "" && given["time"] == "" && given["nodes"] == "" {
		return nil, fmt.Errorf("player %q: no limit (%s)", spec, want)
	}
	return given, nil
}

// searchFiles replaces the files of a search.
func searchFiles(rest string, replace func(name string) string) string {
	list, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return rest
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		name, value, _ := strings.Cut(item, "=")
		key, _ := findSearchKey(name)
		for _, file := range key.files {
			prefix, _ := strings.CutSuffix(file.value, "FILE")
			if name, ok := strings.CutPrefix(value, prefix); ok && name != "" && !slices.Contains(key.words, value) {
				items[i] = key.name + "=" + prefix + replace(name)
			}
		}
	}
	return ":" + strings.Join(items, ",")
}

// DefaultSearchOptions are the switches of searching players: those that save time in this
// game.
func DefaultSearchOptions() search.Options {
	return search.Options{Algorithm: search.Star2, Static: true}
}

// check validates the parts of a spec against each other.
func (s *Search) check(given map[string]string) error {
	_, table := given["table"]
	_, pieces := given["pieces"]
	_, leaf := given["leaf"]
	switch {
	case pieces && !table:
		return fmt.Errorf("player %q: pieces= without a table (want table=FILE too)", s.spec)
	case table && !pieces && leaf:
		return fmt.Errorf("player %q: both table= and leaf= value every leaf (want pieces=N too)", s.spec)
	case table && !pieces:
		s.leaves = s.config.Exact
		s.config.Leaf, s.config.Exact = ursearch.TableLeaf(s.leaves), nil
	case pieces && s.config.ExactPieces > s.config.Exact.Pieces():
		small := &solve.SmallTableError{Name: given["table"], Pieces: s.config.Exact.Pieces(), Want: s.config.ExactPieces}
		return fmt.Errorf("player %q: %w", s.spec, small)
	}
	return nil
}

// searchKey is a part of the spec of a search.
type searchKey struct {
	name  string
	set   func(s *Search, value string, open Opener) error
	files []fileValue // values that name a file; set opens it
	words []string    // values that look like file names but are not
}

// fileValue describes values that end with a file name.
type fileValue struct {
	value string // as in "net:FILE"
	help  string
}

// searchKeys are the parts of a spec.
var searchKeys = []searchKey{
	{name: "depth", set: func(s *Search, v string, _ Opener) (err error) {
		s.limits.Depth, err = number(v, 1, search.MaxDepth)
		return err
	}},
	{name: "time", set: func(s *Search, v string, _ Opener) (err error) {
		s.limits.Time, err = duration(v)
		return err
	}},
	{name: "nodes", set: func(s *Search, v string, _ Opener) error {
		n, err := number(v, 1, math.MaxInt)
		s.limits.Nodes = uint64(n)
		return err
	}},
	{name: "pieces", set: func(s *Search, v string, _ Opener) (err error) {
		s.config.ExactPieces, err = number(v, 1, 7)
		return err
	}},
	{name: "threads", set: func(s *Search, v string, _ Opener) (err error) {
		s.config.Options.Threads, err = number(v, 1, runtime.NumCPU())
		return err
	}},
	{name: "memory", set: func(s *Search, v string, _ Opener) (err error) {
		s.memory, err = ParseMemory(v)
		return err
	}},
	{name: "leaf", set: func(s *Search, v string, open Opener) (err error) {
		s.leaf, err = setLeaf(&s.config, v, open)
		return err
	}, files: []fileValue{
		{"net:FILE", "values positions by a net that \"ur train\" wrote"},
		{"brain:FILE", "values positions by a brain read from a text file"},
	}, words: []string{"brain:" + classicBrain}},
	{name: "table", set: setTable, files: []fileValue{
		{"FILE", "values positions by the exact solution, or with pieces=N only once N pieces a side are left"},
	}},
	{name: "book", set: setBook, files: []fileValue{
		{"FILE", "plays the moves of an opening book that \"ur search book\" wrote"},
	}},
	{name: "algorithm", set: setAlgorithm},
}

// findSearchKey returns the key of a name.
func findSearchKey(name string) (key searchKey, ok bool) {
	i := slices.IndexFunc(searchKeys, func(k searchKey) bool { return k.name == name })
	if i < 0 {
		return searchKey{}, false
	}
	return searchKeys[i], true
}

func setTable(s *Search, file string, open Opener) error {
	if file == "" {
		return fmt.Errorf(`names no file (want a table that "ur solve" made)`)
	}
	path, err := open(file)
	if err != nil {
		return err
	}
	s.file = file
	s.config.Exact, err = solve.OpenTable(path)
	return err
}

func setBook(s *Search, file string, open Opener) error {
	if file == "" {
		return fmt.Errorf(`no file (want a book that "ur search book" wrote)`)
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
	s.book, err = search.ReadBook(bytes.NewReader(data), ursearch.BookGame)
	return err
}

func setAlgorithm(s *Search, name string, _ Opener) error {
	a, err := search.ParseAlgorithm(name)
	if err == nil && !a.Dice() {
		err = fmt.Errorf("algorithm %q: for games without dice (want one of %s)", a, strings.Join(DiceAlgorithms(), ", "))
	}
	if err != nil {
		return err
	}
	s.config.Options.Algorithm = a
	return nil
}

// DiceAlgorithms returns the names of the algorithms that can search this game.
func DiceAlgorithms() (names []string) {
	for _, a := range search.Algorithms() {
		if a.Dice() {
			names = append(names, string(a))
		}
	}
	return names
}

// SetLeaf makes a leaf= value the leaves of a search: a brain as leafBrain reads it, or
// "net" or "net:FILE".
func SetLeaf(c *ursearch.Config, name string) error {
	_, err := setLeaf(c, name, inPlace)
	return err
}

// setLeaf also returns the hash of the leaf's weights.
func setLeaf(c *ursearch.Config, name string, open Opener) (hash string, err error) {
	rest, isNet := strings.CutPrefix(name, netName)
	if !isNet || rest != "" && !strings.ContainsAny(rest[:1], ":@") {
		if c.Brain, err = leafBrain(name, open); err != nil {
			return "", fmt.Errorf("%w, net or net:FILE", err)
		}
		return c.Brain.Hash(), nil
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return "", fmt.Errorf("leaf %q searches by itself (want it without %s, and a greater depth)", name, rest[at:])
	}
	p, err := parseNet(nil, name, rest, open)
	if err != nil {
		return "", err
	}
	n := p.(Net)
	c.ForkLeaf = ursearch.NetLeaf(n.Value)
	return n.Hash, nil
}

// leafBrain returns the brain named by leaf=: "brain", "brain:FILE", or "greedy", which counts
// the progress of the pieces.
func leafBrain(name string, open Opener) (*ur.Brain, error) {
	if file, ok := strings.CutPrefix(name, "brain:"); ok && file != "" {
		if !isBrainFile(file) {
			return ur.ClassicBrain(), nil
		}
		path, err := open(file)
		if err != nil {
			return nil, err
		}
		return ReadBrainFile(path)
	}
	switch name {
	case "brain":
		return ur.DefaultBrain(), nil
	case "greedy":
		if v, ok := BuiltinSquares("linear"); ok {
			return v.Brain(), nil
		}
	}
	return nil, fmt.Errorf("unknown leaf %q (want brain, brain:classic, brain:FILE, greedy)", name)
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

// ParseMemory parses a size in bytes, with KB, MB or GB for powers of 1024: at least 64 bytes,
// and at most the machine's memory if it is known.
func ParseMemory(text string) (int, error) {
	digits, shift := text, 0
	for i, unit := range []string{"KB", "MB", "GB"} {
		if before, ok := strings.CutSuffix(text, unit); ok {
			digits, shift = before, 10*(i+1)
		}
	}
	n, err := strconv.Atoi(digits)
	most := search.MaxTableBytes
	if installed := memoryInstalled(); installed > 0 {
		most = min(most, installed)
	}
	if err != nil || n < 1 || n > most>>shift || n<<shift < 64 {
		return 0, fmt.Errorf("is %q (want a size of 64 to %d bytes (this machine's memory), as in 65536, 16MB or 1GB)", text, most)
	}
	return n << shift, nil
}
