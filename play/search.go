package play

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Search looks ahead through the dice and makes the best move of what it has seen when
// its limit is reached.
type Search struct {
	spec   string
	limits search.Limits
	memory int // of the table, in bytes
	config ursearch.Config
	leaves solve.Table // values every leaf; nil when something else does
	file   string      // of the exact solution
}

// DefaultMemory is the size of a searching player's table, in bytes: it fits into the
// second-level cache of most processors, where a short search is fastest.
const DefaultMemory = 1 << 20

// Name returns the spec.
func (s Search) Name() string { return s.spec }

// Limits returns when the player stops to search.
func (s Search) Limits() search.Limits { return s.limits }

// Sit takes a seat, which needs no engine: leaves are valued inside the search.
func (s Search) Sit(ur.Engine) (Seat, error) { return &searchSeat{player: s}, nil }

// Prepare checks that the exact solution serves games of a number of pieces where it values
// every leaf.
func (s Search) Prepare(_ context.Context, pieces int) error {
	if s.leaves != nil && s.leaves.Pieces() < pieces {
		return fmt.Errorf("player %q: %w", s.spec, &solve.SmallTableError{Name: s.file, Pieces: s.leaves.Pieces(), Want: pieces})
	}
	return nil
}

// damage returns what was found to be wrong with the exact solution while it was read.
func (s Search) damage() error {
	for _, t := range []solve.Table{s.leaves, s.config.Exact} {
		if t != nil {
			if err := solve.Damage(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// Searcher returns a searcher of its own for games of a number of pieces.
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
	if pieces := t.Position.Pieces(); s.searcher == nil || s.pieces != pieces {
		searcher, err := s.player.Searcher(pieces)
		if err != nil {
			return 0, err
		}
		s.searcher, s.pieces = searcher, pieces
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

var searchKind = Kind{
	Name: "search",
	Forms: []Form{
		{Pattern: "search:...", Names: []string{"search:depth=3", "search:time=100ms"},
			Help: "looks ahead through the dice, as in search:depth=3, search:time=100ms or search:nodes=10000. " +
				"More behind commas: leaf=net, leaf=net:FILE, leaf=brain:FILE or leaf=greedy values positions otherwise than by the built-in brain; " +
				"table=FILE by the exact solution, or with pieces=N only once N pieces a side are left; " +
				"algorithm=NAME, memory=BYTES, threads=N"},
	},
	Parse: parseSearch,
}

// searchWant is what a spec of a searching player may look like.
const searchWant = "want search:depth=N, search:time=DURATION or search:nodes=N, and behind commas leaf=, table=, pieces=, algorithm=, memory=, threads="

// parseSearch reads "search:depth=3,leaf=greedy" and the like.
func parseSearch(spec, rest string) (Player, error) {
	list, ok := strings.CutPrefix(rest, ":")
	if !ok || list == "" {
		return nil, fmt.Errorf("player %q has no limit: %s", spec, searchWant)
	}
	s := Search{spec: spec, memory: DefaultMemory}
	s.config.Options = DefaultSearchOptions()
	given := map[string]string{}
	for _, item := range strings.Split(list, ",") {
		key, value, ok := strings.Cut(item, "=")
		set, known := searchKeys[key]
		if _, twice := given[key]; !ok || !known || twice {
			return nil, fmt.Errorf("player %q: %q is not understood: %s", spec, item, searchWant)
		}
		given[key] = value
		if err := set(&s, value); err != nil {
			return nil, fmt.Errorf("player %q: %s: %w", spec, key, err)
		}
	}
	return s, s.check(given)
}

// DefaultSearchOptions are the switches that searching players have on: those that save
// time in this game.
func DefaultSearchOptions() search.Options {
	return search.Options{Algorithm: "star2", Static: true}
}

// check looks at what a spec says as a whole.
func (s *Search) check(given map[string]string) error {
	_, table := given["table"]
	_, pieces := given["pieces"]
	_, leaf := given["leaf"]
	switch {
	case given["depth"] == "" && given["time"] == "" && given["nodes"] == "":
		return fmt.Errorf("player %q has no limit: %s", s.spec, searchWant)
	case pieces && !table:
		return fmt.Errorf("player %q: pieces= says where an exact table begins, so table=FILE must name one", s.spec)
	case table && !pieces && leaf:
		return fmt.Errorf("player %q: table= values every leaf, so leaf= needs pieces= beside it", s.spec)
	case table && !pieces:
		s.leaves = s.config.Exact
		s.config.Leaf, s.config.Exact = ursearch.TableLeaf(s.leaves), nil
	case pieces && s.config.ExactPieces > s.config.Exact.Pieces():
		small := &solve.SmallTableError{Name: given["table"], Pieces: s.config.Exact.Pieces(), Want: s.config.ExactPieces}
		return fmt.Errorf("player %q: %w", s.spec, small)
	}
	return nil
}

// searchKeys are what a spec may say, by its name.
var searchKeys = map[string]func(s *Search, value string) error{
	"depth": func(s *Search, v string) (err error) { s.limits.Depth, err = number(v, 1, search.MaxDepth); return },
	"time":  func(s *Search, v string) (err error) { s.limits.Time, err = duration(v); return },
	"nodes": func(s *Search, v string) error {
		n, err := number(v, 1, math.MaxInt)
		s.limits.Nodes = uint64(n)
		return err
	},
	"pieces": func(s *Search, v string) (err error) { s.config.ExactPieces, err = number(v, 1, 7); return },
	"threads": func(s *Search, v string) (err error) {
		s.config.Options.Threads, err = number(v, 1, runtime.NumCPU())
		return
	},
	"memory":    func(s *Search, v string) (err error) { s.memory, err = ParseMemory(v); return },
	"leaf":      func(s *Search, v string) error { return SetLeaf(&s.config, v) },
	"table":     func(s *Search, v string) (err error) { s.file = v; s.config.Exact, err = openExact(v); return },
	"algorithm": setAlgorithm,
}

func openExact(file string) (solve.Table, error) {
	if file == "" {
		return nil, fmt.Errorf(`names no file, want a table that "ur solve" made`)
	}
	return solve.OpenTable(file)
}

func setAlgorithm(s *Search, name string) error {
	a, err := search.Lookup(name)
	if err == nil && !a.Dice {
		err = fmt.Errorf("%q is for games without dice, want one of %s", name, strings.Join(DiceAlgorithms(), ", "))
	}
	s.config.Options.Algorithm = name
	return err
}

// DiceAlgorithms returns the names of the algorithms that can search this game.
func DiceAlgorithms() (names []string) {
	for _, a := range search.Algorithms() {
		if a.Dice {
			names = append(names, a.Name)
		}
	}
	return names
}

// SetLeaf makes what a leaf= names value the leaves of a search: a brain as [LeafBrain]
// reads it, or "net" or "net:FILE".
func SetLeaf(c *ursearch.Config, name string) (err error) {
	rest, isNet := strings.CutPrefix(name, netName)
	if !isNet || rest != "" && !strings.ContainsAny(rest[:1], ":@") {
		if c.Brain, err = LeafBrain(name); err != nil {
			err = fmt.Errorf("%w, net or net:FILE", err)
		}
		return err
	}
	p, err := parseNet(name, rest)
	if err != nil {
		return err
	}
	n := p.(Net)
	if n.Plies != 1 {
		return fmt.Errorf("leaf %q looks ahead by itself: want it without @%d, and more depth", name, n.Plies)
	}
	c.ForkLeaf = ursearch.NetLeaf(n.Value)
	return nil
}

// LeafBrain returns the brain that a leaf= names: "brain", "brain:FILE", or "greedy",
// which counts how far the pieces are.
func LeafBrain(name string) (*ur.Brain, error) {
	if file, ok := strings.CutPrefix(name, "brain:"); ok && file != "" {
		if file == "classic" {
			return ur.ClassicBrain(), nil
		}
		return ReadBrainFile(file)
	}
	switch name {
	case "brain":
		return ur.DefaultBrain(), nil
	case "greedy":
		if v, ok := BuiltinSquares("linear"); ok {
			return v.Brain(), nil
		}
	}
	return nil, fmt.Errorf("unknown leaf %q, want brain, brain:classic, brain:FILE, greedy", name)
}

// number reads an integer within bounds.
func number(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("is %q, want %d to %d", text, least, most)
	}
	return n, nil
}

// duration reads a time above 0.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > 24*time.Hour {
		return 0, fmt.Errorf("is %q, want a time as in 100ms or 2s", text)
	}
	return d, nil
}

// ParseMemory reads a size in bytes, with KB, MB or GB behind it for powers of 1024: at
// least 64 bytes, and at most what the machine has where that is known.
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
		return 0, fmt.Errorf("is %q, want a size of 64 to %d bytes (this machine's memory), as in 65536, 16MB or 1GB", text, most)
	}
	return n << shift, nil
}
