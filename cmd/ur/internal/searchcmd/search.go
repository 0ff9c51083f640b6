// Package searchcmd implements the search commands.
package searchcmd

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command { return []*cobra.Command{newSearchCommand(env)} }

const searchLong = `Search reads positions, one JSON object a line,

  {"board":[33 numbers],"roll":3}

searches them through the dice, and writes for each of them, in order,

  {"board":[...],"roll":3,"depth":4,"algorithm":"star2","win":0.5312,
   "best":{"from":0,"to":3},"moves":[{"from":0,"to":3,"win":0.5312}],
   "nodes":12345,"seconds":0.001,"pv":["in-A2","in-C3"]}

Win is the probability that the side to move wins. Without a roll it is the mean
over the dice, and there is no best move, as in a turn that passes. The line (pv) is
the expected play if every later roll is the most likely one, a 2. A ply is a roll and
a move. Without a limit the depth is 4 plies.

Leaves are valued by a brain, whose score is mapped to a probability by a fitted
curve, with --leaf net by a value network, and with --leaf table by the exact
solution. With --table and --exact N, positions with at most N pieces left per side
are valued by the exact solution, others by the leaf evaluator.

Under another rule set, --rules, a line is {"position":"text form","roll":3}, with
the position as "ur game replay" prints it.

All algorithms and switches give the same value and best move; they differ in nodes
and time. An invalid line is answered in its place by {"line":7,"error":"..."}.

Exit codes: 0 done; 2 bad usage, or a line was bad; 130 interrupted.`

// searchOptions are the flags.
type searchOptions struct {
	limits    search.Limits
	algorithm string
	leaf      string
	table     string
	exact     int
	size      string
	replace   string
	without   []string
	threads   int
	list      bool
	json      bool
	rules     string
	pieces    int
}

// searchSwitch is a part of the search that keeps the value.
type searchSwitch struct {
	name string
	off  func(o *search.Options)
}

// switches can be switched off by --without.
var switches = []searchSwitch{
	{"static", func(o *search.Options) { o.Static = false }},
	{"table", func(o *search.Options) { o.Table = nil }},
	{"table-move", func(o *search.Options) { o.TableMove = false }},
	{"etc", func(o *search.Options) { o.ETC = false }},
	{"scout", func(o *search.Options) { o.NoScout = true }},
	{"last-roll", func(o *search.Options) { o.NoLast = true }},
}

func switchNames() []string {
	return text.List(switches, func(s searchSwitch) string { return s.name })
}

// newSearchCommand returns "ur search".
func newSearchCommand(env *cli.Env) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Search positions, in JSON lines",
		Long:  searchLong,
		Example: `  ur search --depth 4 < positions.jsonl
  ur search --time 100ms --leaf greedy < positions.jsonl
  ur search --list`,
		Args: cli.Exactly(0, "no arguments: positions come from standard input"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.list {
				return printAlgorithms(env.Stdout, o.json)
			}
			if err := o.check(cmd.Flags().Changed); err != nil {
				return err
			}
			r, err := pick.Rules(cmd, o.rules, &o.pieces)
			if err != nil {
				return err
			}
			var s interface {
				answer(ctx context.Context, line []byte) (any, error)
			}
			if r != nil {
				s, err = o.ruled(r, cmd.Flags().Changed)
			} else {
				s, err = o.session(cmd.Context())
			}
			if err != nil {
				return err
			}
			return cli.AnswerLines(cmd.Context(), env, func(line []byte) (any, error) { return s.answer(cmd.Context(), line) })
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.limits.Depth, "depth", 0, "plies, 1 to 64 (default 4 without another limit)")
	f.DurationVar(&o.limits.Time, "time", 0, "time for each position, as in 100ms")
	f.Uint64Var(&o.limits.Nodes, "nodes", 0, "positions visited for each position")
	f.StringVar(&o.algorithm, "algorithm", "star2", "algorithm: "+strings.Join(play.DiceAlgorithms(), ", "))
	f.StringVar(&o.leaf, "leaf", "brain", "evaluator of leaves: brain, brain:FILE, greedy, net, net:FILE or table; under other rules net, net:FILE, progress or table")
	pick.RulesFlag(cmd, &o.rules)
	f.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player under other rules (default: those of the rules)")
	pick.TableFlag(cmd, &o.table)
	f.IntVar(&o.exact, "exact", 0, "use the exact solution from N pieces left per side, 1 to 7")
	f.StringVar(&o.size, "table-size", "1MB", "memory of the transposition table, as in 64KB or 1GB")
	f.StringVar(&o.replace, "replacement", search.Buckets.String(), "replacement policy: "+strings.Join(replacements(), ", "))
	f.StringSliceVar(&o.without, "without", nil, "switch off: "+strings.Join(switchNames(), ", "))
	f.IntVar(&o.threads, "threads", 1, "threads for one position")
	f.BoolVar(&o.list, "list", false, "list the algorithms and exit")
	f.BoolVar(&o.json, "json", false, "print --list as one JSON object (results always are JSON)")
	cli.CompleteFrom(cmd, "algorithm", play.DiceAlgorithms()...)
	cli.CompleteFrom(cmd, "leaf", "brain", "brain:", "greedy", "net", "net:", "table")
	cli.CompleteFrom(cmd, "replacement", replacements()...)
	cli.CompleteFrom(cmd, "without", switchNames()...)
	cmd.AddCommand(newBookCommand(env))
	return cmd
}

// replacements returns the names of the policies of replacement.
func replacements() []string {
	return text.List(search.Replacements(), search.Replacement.String)
}

// algorithmList is the JSON form of the list of algorithms.
type algorithmList struct {
	Schema     string           `json:"schema"`     // ur.search.algorithms/1
	Algorithms []algorithmEntry `json:"algorithms"` // by their order in the list
}

// algorithmEntry is an algorithm in the JSON of --list.
type algorithmEntry struct {
	Name  string `json:"name"`  // as for --algorithm
	Dice  bool   `json:"dice"`  // whether it searches games with dice
	About string `json:"about"` // description
}

func printAlgorithms(w io.Writer, asJSON bool) error {
	if asJSON {
		var list []algorithmEntry
		for _, a := range search.Algorithms() {
			list = append(list, algorithmEntry{string(a), a.Dice(), a.About()})
		}
		return cli.WriteJSON(w, algorithmList{"ur.search.algorithms/1", list})
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range search.Algorithms() {
		dice := "no dice"
		if a.Dice() {
			dice = "dice"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", a, dice, a.About())
	}
	return tw.Flush()
}

// check validates the numeric flags.
func (o *searchOptions) check(given func(flag string) bool) error {
	switch {
	case given("depth") && (o.limits.Depth < 1 || o.limits.Depth > search.MaxDepth):
		return cli.UsageError("--depth must be 1 to %d plies, got %d", search.MaxDepth, o.limits.Depth)
	case given("time") && o.limits.Time <= 0:
		return cli.UsageError("--time must be above 0, as in 100ms, got %v", o.limits.Time)
	case given("nodes") && o.limits.Nodes < 1:
		return cli.UsageError("--nodes must be at least 1, got 0")
	case o.threads < 1 || o.threads > search.MaxThreads:
		return cli.UsageError("--threads must be 1 to %d, got %d", search.MaxThreads, o.threads)
	case o.exact < 0 || o.exact > board.MaxPieces, given("exact") && o.exact == 0:
		return cli.UsageError("--exact must be 1 to %d pieces, got %d", board.MaxPieces, o.exact)
	}
	return nil
}

// session answers lines. Searchers are kept by number of pieces.
type session struct {
	config    ursearch.Config
	limits    search.Limits
	exactFor  func(pieces int) (solve.Table, error) // nil when no exact solution is asked for
	leafTable bool
	searchers [board.MaxPieces + 1]*ursearch.Searcher
	tables    [board.MaxPieces + 1]solve.Table // for their leaves, or nil
	reported  string                           // algorithm
}

// session checks the flags.
func (o *searchOptions) session(ctx context.Context) (*session, error) {
	s := &session{limits: o.limited(), reported: o.algorithm, leafTable: o.leaf == "table"}
	if !slices.Contains(play.DiceAlgorithms(), o.algorithm) {
		return nil, cli.UsageError("--algorithm is %q (want one of %s)", o.algorithm, strings.Join(play.DiceAlgorithms(), ", "))
	}
	options, err := o.switched()
	if err != nil {
		return nil, err
	}
	s.config.Options = options
	if !s.leafTable {
		if err = play.SetLeaf(&s.config, o.leaf); err != nil {
			return nil, cli.UsageError("--leaf: %w, or table", err)
		}
	}
	switch {
	case o.table != "" && o.exact == 0 && !s.leafTable:
		return nil, cli.UsageError("--table needs --leaf table or --exact N")
	case o.exact > 0 || s.leafTable:
		s.exactFor = func(pieces int) (solve.Table, error) {
			if !s.leafTable {
				pieces = min(pieces, o.exact)
			}
			return pick.Table(ctx, o.table, pieces)
		}
		s.config.ExactPieces = o.exact
	}
	if s.exactFor != nil && o.table != "" { // report an unusable file now
		pieces := max(1, o.exact)
		if _, err := s.exactFor(pieces); err != nil {
			return nil, err
		}
	}
	if _, err := search.NewDice(&ursearch.LeafGame{}, s.config.Options); err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return s, nil
}

// limited returns the limits of a search that values every move.
func (o *searchOptions) limited() search.Limits {
	limits := o.limits
	if limits == (search.Limits{}) {
		limits.Depth = 4
	}
	limits.AllMoves = true
	return limits
}

// switched returns the options of the search, with its switches.
func (o *searchOptions) switched() (search.Options, error) {
	bytes, err := play.ParseMemory(o.size)
	if err != nil {
		return search.Options{}, cli.UsageError("--table-size %w", err)
	}
	policy, err := search.ParseReplacement(o.replace)
	if err != nil {
		return search.Options{}, cli.UsageError("--replacement: %w", err)
	}
	table, err := search.NewTable(bytes, policy)
	if err != nil {
		return search.Options{}, cli.UsageError("--table-size: %w", err)
	}
	options := play.DefaultSearchOptions()
	options.Algorithm, options.Table, options.Threads = search.Algorithm(o.algorithm), table, o.threads
	for _, name := range o.without {
		i := slices.Index(switchNames(), name)
		if i < 0 {
			return options, cli.UsageError("--without %q is unknown (want one of %s)", name, strings.Join(switchNames(), ", "))
		}
		switches[i].off(&options)
	}
	return options, nil
}

// searcher returns the one for a number of pieces.
func (s *session) searcher(pieces int) (*ursearch.Searcher, error) {
	if s.searchers[pieces] != nil {
		return s.searchers[pieces], nil
	}
	c := s.config
	c.Pieces = pieces
	if s.exactFor != nil {
		table, err := s.exactFor(pieces)
		if err != nil {
			return nil, err
		}
		s.tables[pieces] = table
		if s.leafTable {
			c.Leaf = ursearch.TableLeaf(table)
		} else {
			c.Exact = table
		}
	}
	var err error
	s.searchers[pieces], err = ursearch.New(c)
	return s.searchers[pieces], err
}

// lines is the form of a line of input.
var lines = pick.PositionForm{Example: `{"board":[33 numbers],"roll":0 to 4}`, Members: "board and roll"}

type request struct {
	Board []*int `json:"board"`
	Roll  *int   `json:"roll"`
}

// squares of a move.
type squares struct {
	From uint8 `json:"from"`
	To   uint8 `json:"to"`
}

type moveWin struct {
	squares
	Win float64 `json:"win"` // probability to win after the move
}

// answer is the line of output for a good line of input.
type answer struct {
	Board [board.Numbers]int `json:"board"`
	found
}

// found is the result of a search, in an answer.
type found struct {
	Roll      *int      `json:"roll,omitempty"`
	Depth     int       `json:"depth"`           // depth of the search in plies
	Algorithm string    `json:"algorithm"`       // name of the algorithm
	Win       float64   `json:"win"`             // probability that the side to move wins; without a roll, the mean over all rolls
	Best      *squares  `json:"best,omitempty"`  // the best move; absent without a roll or a move
	Moves     []moveWin `json:"moves,omitempty"` // every legal move
	Nodes     uint64    `json:"nodes"`
	Seconds   float64   `json:"seconds"`
	Line      []string  `json:"pv,omitempty"` // principal variation, in notation
}

// set sets everything but the line. With a roll it takes the legal moves, and returns the best,
// or nil if there is none.
func (f *found) set(r search.Result, algorithm string, roll int, moves []board.Move) (best *board.Move) {
	f.Depth, f.Algorithm, f.Win = r.Depth, algorithm, ursearch.Win(r.Value)
	f.Nodes, f.Seconds = r.Nodes, r.Elapsed.Round(time.Microsecond).Seconds()
	if roll == search.NoRoll {
		return nil
	}
	f.Roll = &roll
	if r.Moves != nil {
		for i, m := range moves {
			f.Moves = append(f.Moves, moveWin{squares{m.From, m.To}, ursearch.Win(r.Moves[i])})
		}
	}
	if r.Best < 0 || len(moves) == 0 {
		return nil
	}
	best = &moves[r.Best]
	f.Best = &squares{best.From, best.To}
	return best
}

// lineMost is the maximum length of a printed line.
const lineMost = 6

// answer searches the position of a line.
func (s *session) answer(ctx context.Context, text []byte) (any, error) {
	p, roll, err := parse(text)
	if err != nil {
		return nil, err
	}
	searcher, err := s.searcher(p.Pieces())
	if err != nil {
		return nil, err
	}
	r, err := searcher.Search(ctx, p, roll, s.limits)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if table := s.tables[p.Pieces()]; table != nil {
		if err := table.Err(); err != nil {
			return nil, err
		}
	}
	a := &answer{Board: p.Numbers()}
	if best := a.set(r, s.reported, roll, p.Moves(nil, roll)); best != nil {
		a.Line, err = searcher.Line(ctx, p, *best, r.Depth, lineMost, board.Move.Notation)
	}
	return a, err
}

// parse reads a line of input and checks it.
func parse(text []byte) (p board.Position, roll int, err error) {
	var r request
	if err := lines.Decode(text, &r); err != nil {
		return p, 0, err
	}
	if p, err = lines.Unfinished(r.Board); err != nil {
		return p, 0, err
	}
	roll = search.NoRoll
	if r.Roll != nil {
		roll = *r.Roll
		if roll < 0 || roll > board.MaxRoll {
			return p, 0, fmt.Errorf("roll is %d (want 0 to %d, or none)", roll, board.MaxRoll)
		}
	}
	return p, roll, nil
}
