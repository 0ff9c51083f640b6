package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/matchfiles"
	"github.com/seed-09dcdc84/ur/internal/reversi/book"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/spf13/cobra"
)

// playerOptions are the flags of all commands with players.
type playerOptions struct {
	weights string
	threads int
}

func (o *playerOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.weights, "weights", "", "`FILE` of learned weights, as reversi train writes it (default: built in)")
}

// wantThreads checks --threads of a command that has it.
func (o *playerOptions) wantThreads() error {
	if o.threads < 1 {
		return cli.UsageError("--threads: %d (want 1 or more)", o.threads)
	}
	return nil
}

// wantTime checks an optional time flag: a time given explicitly must be positive.
func wantTime(cmd *cobra.Command, name string, d time.Duration) error {
	if cmd.Flags().Changed(name) && d <= 0 {
		return cli.UsageError("--%s: %v (want more than 0, such as 5s)", name, d)
	}
	return nil
}

// env reads the resources for making players. The number of threads is limited to the maximum
// of a search.
func (o *playerOptions) env(to *cli.Env) (reversi.Env, error) {
	env := reversi.Env{OpenBook: bookOpener(to), Threads: max(1, min(o.threads, search.MaxThreads))}
	if o.weights != "" {
		f, err := os.Open(o.weights)
		if err != nil {
			return env, cli.UsageError("--weights: %w", err)
		}
		defer f.Close()
		if env.Weights, err = eval.ReadWeights(f); err != nil {
			return env, cli.UsageError("--weights %s: %w", o.weights, err)
		}
	}
	return env, nil
}

// bookOpener returns a function that opens the books of players, each file once. A file without
// a checksum is noted on stderr.
func bookOpener(to *cli.Env) func(name string) (reversi.Book, error) {
	var mutex sync.Mutex
	open := map[string]*book.Book{}
	return func(name string) (reversi.Book, error) {
		mutex.Lock()
		defer mutex.Unlock()
		if b := open[name]; b != nil {
			return b, nil
		}
		b, err := openBook(to, name)
		if err != nil {
			return nil, err
		}
		open[name] = b
		return b, nil
	}
}

func openBook(to *cli.Env, name string) (*book.Book, error) {
	b, err := book.Open(name)
	if err == nil && b.Unhashed() {
		fmt.Fprintf(to.Stderr, "reversi: %s has no checksum, so damage goes unnoticed; \"reversi book join\" adds one\n", name)
	}
	return b, err
}

// completePlayers completes names of players.
func completePlayers(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{"random", "greedy", "hand", "search:time=50ms", "search:depth=8"}
	for n := range reversi.Levels {
		names = append(names, fmt.Sprintf("level:%d", n+1))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// matchOptions are the flags of match and tournament.
type matchOptions struct {
	playerOptions
	games, parallel int
	openings        string
	time            time.Duration
	clock           clockFlag
	seed            uint64
	sprt, record    string
	engine          string // of the second player; "" for one of ours
	json            bool
	files           matchfiles.Options
	fleet           join.Options
}

func (o *matchOptions) addAll(cmd *cobra.Command, games int) {
	f := cmd.Flags()
	f.IntVar(&o.games, "games", games, "`games` for two players, in pairs with colours exchanged")
	f.StringVar(&o.openings, "openings", "random:8", "random:`DISCS`, 4 to 20, or a FILE of openings, one a line, such as f5d6c3")
	f.DurationVar(&o.time, "time", 0, "at most so much `time` for each move, such as 50ms")
	f.Var(&o.clock, "clock", "`time` of each player for a game and increment per move, such as 5m+0")
	cmd.MarkFlagsMutuallyExclusive("time", "clock")
	f.Uint64Var(&o.seed, "seed", 1, "`seed` of openings and random players")
	f.IntVar(&o.parallel, "parallel", 0, "`games` at a time (default: one for each CPU)")
	f.StringVar(&o.record, "record", "", "write the games to `FILE`, one a line")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.files.Flags(cmd)
	o.playerOptions.add(cmd)
	join.Flags(cmd, &o.fleet, "play on the fleet at this address")
	join.VerifyFlag(cmd, &o.fleet)
	cmd.ValidArgsFunction = completePlayers
}

// matchResult is the output of "reversi match --json".
type matchResult struct {
	Schema  string    `json:"schema"`
	Players [2]string `json:"players"` // names of the players
	Seed    uint64    `json:"seed"`
	Games   int       `json:"games"`
	Wins    [2]int    `json:"wins"`  // by player
	Draws   int       `json:"draws"` // number of draws

	// From the pairs, as the first player sees it. The range is a 95 % confidence interval.
	Pairs rating.Pairs `json:"pairs"` // pairs by the first player's half points
	Score float64      `json:"score"`
	Low   float64      `json:"lo"`
	High  float64      `json:"hi"`
	Elo   *float64     `json:"elo"`   // null when it is infinite
	Discs float64      `json:"discs"` // mean of the final difference

	// By player: the number of moves over their time limit, and the largest excess.
	Overruns   [2]int     `json:"overruns"`       // moves over their time limit, by player
	MaxOverrun [2]float64 `json:"max_overrun_ms"` // largest excess over the time limit, by player

	SPRT     *rating.SPRT        `json:"sprt,omitempty"`     // the sequential test, if there is one
	Decision rating.TestDecision `json:"decision,omitempty"` // decision of the test: H0, H1 or none
	Seconds  float64             `json:"seconds"`
}

func newMatchCommand(env *cli.Env) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "match P [Q]",
		Short: "Let two players play a match",
		Long: `Match plays pairs of games between two players. Both games of a pair begin with the
same opening, and each player is Black in one of them. It prints the wins of P, its
score with a 95 % interval, and the difference in Elo.

With --engine the second player is another program, started by gtp:COMMAND or
nboard:COMMAND once for each concurrent game; Q, if given, is only its name. GTP
transmits the clock, and a --time of whole seconds; set any other limit in the
command. The time of a move includes the communication with the program.

A player that oversteps its time plays on. The result includes the number of such
moves and the largest excess.

With --sprt it ends as soon as a sequential test decides whether P is elo1 or elo0
stronger. The exit code is 4 if the test stays undecided.

` + keptHelp + `
"reversi help players" lists the players.`,
		Example: `  reversi match level:4 level:3
  reversi match search:time=50ms search:time=50ms,eval=hand --games 100
  reversi match level:5 hand --sprt elo0=0,elo1=20
  reversi match search:time=100ms edax --engine 'gtp:edax -gtp -move-time 0.1'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.engine != "" {
				return cli.Between(1, 2, "a player, and a name for the program if you like")(cmd, args)
			}
			return cli.Exactly(2, "two players")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantTime(cmd, "time", o.time); err != nil {
				return err
			}
			if len(args) == 1 {
				args = append(args, o.engine)
			}
			return playMatch(cmd.Context(), env, args, o)
		},
	}
	o.addAll(cmd, 100)
	cmd.Flags().StringVar(&o.engine, "engine", "", "program of the second player: gtp:`COMMAND` or nboard:COMMAND")
	cmd.Flags().StringVar(&o.sprt, "sprt", "", "end when the sequential `TEST` is decided, such as elo0=0,elo1=5,alpha=0.05,beta=0.05")
	return cmd
}

// keptHelp describes the files of a match or tournament.
const keptHelp = `With --out the folder DIR holds log.jsonl, which records every finished pair of games,
and at the end the results as text, JSON and a page. After an interruption the same
command continues. A log of other settings, players, weights or books is rejected.

With --fleet the workers of "ur fleet work" play the games, with the same result. The
fleet's ur and this program must be built from the same commit without changes.
`

// plan makes the match described by flags, without its players.
func (o *matchOptions) plan() (reversi.Match, error) {
	if o.games < 2 || o.games%2 != 0 {
		return reversi.Match{}, cli.UsageError("--games: %d (want an even number, 2 or more)", o.games)
	}
	if o.parallel < 0 {
		return reversi.Match{}, cli.UsageError("--parallel: %d (want 1 or more)", o.parallel)
	}
	m := reversi.Match{Pairs: o.games / 2, Seed: o.seed, Parallel: o.parallel, Limits: reversi.Limits{Time: o.time, Clock: o.clock.Clock}}
	m.Parallel = cmp.Or(m.Parallel, runtime.GOMAXPROCS(0))
	if err := o.open(&m); err != nil {
		return m, cli.UsageError("--openings %s: %w", o.openings, err)
	}
	if o.sprt != "" {
		test, err := rating.ParseSPRT(o.sprt)
		if err != nil {
			return m, cli.UsageError("--sprt: %w", err)
		}
		m.SPRT = &test
	}
	if o.fleet.Verify > 0 && (o.time > 0 || o.clock.Left > 0) {
		return m, cli.UsageError("--verify cannot be used with --time or --clock: games by the clock differ when they are played again")
	}
	if err := o.files.Check(); err != nil {
		return m, err
	}
	return m, cli.CheckOutput("--record", o.record, o.files.Force)
}

// open sets the openings of a match.
func (o *matchOptions) open(m *reversi.Match) (err error) {
	number, random := strings.CutPrefix(o.openings, "random:")
	if !random {
		m.Openings, err = readOpenings(o.openings)
		return err
	}
	if m.Discs, err = strconv.Atoi(number); err != nil || m.Discs < 4 || m.Discs > 20 {
		return fmt.Errorf("invalid number of discs %q (want random:4 to random:20)", number)
	}
	return nil
}

// clockFlag is a flag with a clock.
type clockFlag struct{ reversi.Clock }

// Set parses the flag.
func (f *clockFlag) Set(text string) (err error) {
	f.Clock, err = reversi.ParseClock(text)
	return err
}

// String returns "" for no clock.
func (f *clockFlag) String() string {
	if f.Left == 0 {
		return ""
	}
	return f.Clock.String()
}

// Type is also the name in errors.
func (*clockFlag) Type() string { return "clock (want a time and an increment, such as 5m+0)" }

// readOpenings reads records, one a line.
func readOpenings(name string) ([]board.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []board.Record
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		r, err := board.ParseRecord(board.StartPosition(), text)
		if err == nil && r.End().Over() {
			err = fmt.Errorf("the game is over behind it")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		list = append(list, r)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no opening in it")
	}
	return list, nil
}

func playMatch(ctx context.Context, env *cli.Env, names []string, o matchOptions) error {
	g, err := o.prepare(ctx, env, names, "match")
	if err != nil {
		return err
	}
	defer g.close()
	out, err := g.play(ctx, env)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	score, test := out.Scores[0], g.matches[0].SPRT
	r := summary(names, o.seed, score)
	r.Seconds = out.Elapsed.Seconds()
	if test != nil {
		r.SPRT, r.Decision = test, out.Decision
	}
	if failed := g.save(out, r); failed != nil {
		return failed
	}
	if failed := writeMatch(env, o.json, r); failed != nil {
		return failed
	}
	switch {
	case err != nil:
		return cli.ErrInterrupted
	case test != nil && out.Decision == rating.Undecided:
		return cli.InconclusiveError("match: not decided after %d games", len(score.Games))
	}
	return nil
}

// summary returns the result of a score.
func summary(names []string, seed uint64, s reversi.Score) matchResult {
	r := matchResult{Schema: "reversi.match/1", Players: [2]string(names), Seed: seed, Games: len(s.Games),
		Wins: [2]int{s.Wins, s.Lost}, Draws: s.Draws, Pairs: s.Pairs, Score: s.Pairs.Score(), Overruns: s.Overruns}
	r.Low, r.High = s.Pairs.Interval()
	for i, d := range s.MaxOverrun {
		r.MaxOverrun[i] = float64(d.Microseconds()) / 1000
	}
	if 0 < r.Score && r.Score < 1 {
		elo := rating.Elo(r.Score)
		r.Elo = &elo
	}
	if r.Games > 0 {
		r.Discs = float64(s.Discs) / float64(r.Games)
	}
	return r
}

func writeMatch(env *cli.Env, asJSON bool, r matchResult) error {
	if asJSON {
		return cli.WriteJSON(env.Stdout, r)
	}
	elo := "no finite Elo"
	if r.Elo != nil {
		elo = fmt.Sprintf("%+.0f Elo", *r.Elo)
	}
	fmt.Fprintf(env.Stdout, "%s against %s: %s, seed %d\n", text.Plain(r.Players[0]), text.Plain(r.Players[1]), text.Plural(r.Games, "game"), r.Seed)
	if r.Games == 0 {
		return nil // stopped before one was over: there is nothing to rate by
	}
	fmt.Fprintf(env.Stdout, "%d won, %d drawn, %d lost; %+.1f discs a game\n", r.Wins[0], r.Draws, r.Wins[1], r.Discs)
	_, err := fmt.Fprintf(env.Stdout, "score %.1f %% [%.1f, %.1f], %s\n", 100*r.Score, 100*r.Low, 100*r.High, elo)
	if r.SPRT != nil {
		_, err = fmt.Fprintf(env.Stdout, "SPRT %s: %s\n", r.SPRT, r.Decision)
	}
	for i, n := range r.Overruns {
		if n > 0 {
			_, err = fmt.Fprintf(env.Stdout, "%s: %s over the time, at most by %.1f ms\n", text.Plain(r.Players[i]), text.Plural(n, "move"), r.MaxOverrun[i])
		}
	}
	return err
}

// saveGames writes the games of a match to the file of --record, if there is one.
func saveGames(name string, games []board.Record) error {
	if name == "" {
		return nil
	}
	return writeFile(name, func(w io.Writer) error {
		for _, g := range games {
			if _, err := fmt.Fprintln(w, g.Text()); err != nil {
				return err
			}
		}
		return nil
	})
}
