package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/cmd/internal/matchcmd"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/protocol"
	"github.com/spf13/cobra"
)

type matchOptions struct {
	matchcmd.Options `record:"write the games to <FILE>, one a line"`
	Openings         string        `flag:"openings" default:"random:8" help:"random:<DISCS>, 4 to 20, or a FILE of openings, one a line, such as f5d6c3, or in GGF, or with the first eight moves of the games of an archive (.wtb)"`
	Time             time.Duration `flag:"time" help:"at most so much <time> for each move, such as 50ms" unless:"clock"`
	Clock            string        `flag:"clock" help:"<time> of each player for a game and increment per move, such as 5m+0"`
	Engines          cli.Texts     `flag:"engine" help:"make another program a player: <NAME>=gtp:COMMAND; repeatable"`
}

const matchLong = `Match plays pairs of games between players. Both games of a pair begin with the
same opening, and each player is Black in one of them. "reversi help players" lists
the players.

With --engine NAME=gtp:COMMAND the player NAME is another program, started once for
each concurrent game. GTP transmits the clock, and a --time of whole
seconds; set any other limit in the command. The time of a move includes the
communication with the program, but not its start: a game begins when the program
has replied once, within a minute.

A player that oversteps its time plays on. The result includes the number of such
moves and the largest excess. A program that moves illegally, ends, or takes five
seconds longer loses that game and all discs, as does one that resigns. The match goes
on; if a program loses every game without resigning in this way, the exit code is 1.

A pair whose games, also mirrored, are those of an earlier pair counts in the wins,
draws and discs alone: deterministic players repeat themselves where openings do.

` + matchcmd.Help

func newMatchCommand(env *cli.Env) *cobra.Command {
	o := matchOptions{Options: matchcmd.Options{Games: 100}}
	return cli.WithFlags(&cobra.Command{
		Use:   "match P Q [R...]",
		Short: "Play many games between two or more players",
		Long:  matchLong,
		Example: `  reversi match level:4 level:3
  reversi match search:time=50ms search:time=50ms,eval=hand --games 100
  reversi match level:5 hand --openings random:12 --sprt elo0=0,elo1=20
  reversi match level:1 level:2 level:3 greedy --games 40
  reversi match search:time=100ms edax --engine edax='gtp:edax -gtp -move-time 0.1'`,
		Args:              cli.Between(2, 64, "two to 64 players"),
		ValidArgsFunction: cobra.FixedCompletions(players(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("time") && o.Time <= 0 {
				return cli.UsageError("--time: %v (want more than 0, such as 5s)", o.Time)
			}
			return runMatch(cmd.Context(), env, &o, args)
		},
	}, &o)
}

// plan makes the match described by flags.
func (o *matchOptions) plan(players []string) (reversi.Match, error) {
	if err := o.Check(len(players)); err != nil {
		return reversi.Match{}, err
	}
	if o.Games < 2 || o.Games%2 != 0 {
		return reversi.Match{}, cli.UsageError("--games: %d (want an even number, 2 or more)", o.Games)
	}
	m := reversi.Match{Players: players, Gauntlet: o.Gauntlet, Pairs: o.Games / 2, Seed: o.Seed, SPRT: o.Test,
		Limits: reversi.Limits{Time: o.Time}}
	m.Parallel = cmp.Or(o.Parallel, runtime.GOMAXPROCS(0))
	if err := o.open(&m); err != nil {
		return m, cli.UsageError("--openings %s: %w", o.Openings, err)
	}
	if o.Clock != "" {
		var err error
		if m.Limits.Clock, err = reversi.ParseClock(o.Clock); err != nil {
			return m, cli.UsageError("--clock: %w", err)
		}
	}
	if o.Fleet.Verify > 0 && (o.Time > 0 || o.Clock != "") {
		return m, cli.UsageError("--verify cannot be used with --time or --clock: games by the clock differ when they are played again")
	}
	return m, o.CheckOutput("--record", o.Record)
}

func (o *matchOptions) open(m *reversi.Match) (err error) {
	number, random := strings.CutPrefix(o.Openings, "random:")
	if !random {
		m.Openings, err = readRecords(o.Openings, true)
		return err
	}
	if m.Discs, err = strconv.Atoi(number); err != nil || m.Discs < 4 || m.Discs > 20 {
		return fmt.Errorf("invalid number of discs %q (want random:4 to random:20)", number)
	}
	return nil
}

func runMatch(ctx context.Context, env *cli.Env, o *matchOptions, names []string) error {
	m, err := o.plan(names)
	if err != nil {
		return err
	}
	with := newEnv()
	programs, err := o.programs(ctx, env, names)
	if err != nil {
		return err
	}
	defer programs.close()
	m.New = func(name string) (reversi.Player, error) {
		if _, ok := programs.list[name]; ok {
			return programs.start(ctx, name)
		}
		return reversi.ParsePlayer(name, with)
	}
	if m.Header, err = m.LogHeader(func(name string) (string, error) { return o.identify(name, programs, m) }); err != nil {
		return err
	}
	g := matchcmd.Game[reversi.Score]{
		Program: "reversi", Luck: "the same opening", Unpaired: "games of repeated pairs",
		Advice:   "give more --openings",
		Schedule: m.Schedule(),
		Play: func(ctx context.Context, log *match.Log, progress func(int), forfeit func(error)) (match.Outcome[reversi.Score], error) {
			m.Log, m.Progress, m.Forfeit = log, progress, forfeit
			return o.play(ctx, m)
		},
		Pairing: func(s matchcmd.Summary, score reversi.Score) any { return newPairing(s, score) },
		Match: func(s matchcmd.Summary, score reversi.Score, e matchcmd.Ending) any {
			return matchResult{"reversi.match/1", newPairing(s, score), e}
		},
		Tournament: func(sheet match.Sheet, pairings []any) any {
			return tournamentResult{"reversi.tournament/2", sheet, pairings}
		},
		Lines: writeCounts,
	}
	if len(m.Openings) == 0 {
		g.Details = fmt.Sprintf(" from openings of %d discs", m.Discs)
	}
	if len(names) > 2 {
		if err := g.Schedule.Check(); err != nil {
			return cli.UsageError("%w", err)
		}
	}
	return matchcmd.Run(ctx, env, &o.Options, g)
}

// identify checks that a player can be made, and returns what distinguishes it from others of its name.
func (o *matchOptions) identify(name string, programs *programs, m reversi.Match) (string, error) {
	if program := programs.list[name].text; program != "" {
		return program, nil
	}
	if strings.HasPrefix(name, "gtp:") {
		return "", cli.UsageError("player %q is a program (want a name, such as other, and --engine other='%s')", name, name)
	}
	if _, err := m.New(name); err != nil {
		return "", cli.UsageError("%w", err)
	}
	if o.Fleet.Verify > 0 && strings.Contains(name, "time=") {
		return "", cli.UsageError("--verify cannot be used with %s: games by the clock differ when they are played again", text.Plain(name))
	}
	return reversi.Identity(name)
}

// play plays the games missing from the log, here or on a fleet, and writes all to the file of
// --record.
func (o *matchOptions) play(ctx context.Context, m reversi.Match) (out match.Outcome[reversi.Score], err error) {
	leave := func(err error) error { return err }
	if o.Fleet.Given() {
		conn, err := o.Fleet.Join(ctx, "reversi match")
		if err != nil {
			return out, err
		}
		b := work.NewReversi(conn)
		b.Verify, m.Backend = o.Fleet.Verify, b
		leave = func(err error) error { return o.Fleet.Leave(ctx, conn, b.Close, err) }
	}
	out, err = m.Play(ctx)
	err = leave(err)
	if o.Record == "" || out.Games == 0 {
		return out, err
	}
	written := safefile.Write(o.Record, func(w io.Writer) error {
		for i, p := range m.Schedule().Pairings() {
			s := out.Scores[i]
			for i, g := range s.Games {
				comment := ""
				if player, ok := s.Forfeits[i]; ok {
					comment = "# lost by " + text.Plain(m.Players[[2]int{p.First, p.Second}[player]]) + ": "
				}
				if _, err := fmt.Fprintln(w, comment+g.Text()); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, cmp.Or(err, written)
}

// pairing is the JSON form of a pairing. Discs are as the first player sees them.
type pairing struct {
	matchcmd.Summary
	Draws int64   `json:"draws"` // number of draws
	Low   float64 `json:"lo"`    // lower bound of the score
	High  float64 `json:"hi"`    // upper bound of the score
	Discs float64 `json:"discs"` // mean of the final difference

	Openings []openingCount `json:"openings"` // games with a named opening, the most frequent first

	Repeated   int        `json:"repeated_pairs,omitzero"` // pairs with the games of an earlier one, also mirrored
	Forfeits   [2]int64   `json:"forfeits,omitzero"`       // games lost by failing to move, by player
	Resigned   [2]int64   `json:"resigned,omitzero"`       // games resigned, by player
	Overruns   [2]int     `json:"overruns"`                // moves over their time limit, by player
	MaxOverrun [2]float64 `json:"max_overrun_ms"`          // largest excess over the time limit, by player
}

func newPairing(sum matchcmd.Summary, s reversi.Score) pairing {
	p := pairing{Summary: sum, Draws: int64(s.Draws), Low: sum.ScoreLow, High: sum.ScoreHigh,
		Repeated: s.Repeated, Forfeits: s.ForfeitedGames(), Resigned: s.ResignedGames(), Overruns: s.Overruns,
		Openings: openingsOf(s)}
	for i, d := range s.MaxOverrun {
		p.MaxOverrun[i] = float64(d.Microseconds()) / 1000
	}
	if sum.Games > 0 {
		p.Discs = float64(s.Discs) / float64(sum.Games)
	}
	return p
}

type matchResult struct {
	Schema string `json:"schema"` // reversi.match/1
	pairing
	matchcmd.Ending
}

// tournamentResult is the output for more players.
type tournamentResult struct {
	Schema string `json:"schema"` // reversi.tournament/2
	match.Sheet
	Pairings []any `json:"pairings"` // one for each pair of players
}

// openingCount is the number of games with an opening.
type openingCount struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

// openingsOf counts games by the names of their openings, the most frequent first.
func openingsOf(s reversi.Score) []openingCount {
	counts := map[string]int{}
	for _, g := range s.Games {
		counts[reversi.Opening(g)]++
	}
	delete(counts, "")
	list := []openingCount{}
	for name, games := range counts {
		list = append(list, openingCount{name, games})
	}
	slices.SortFunc(list, func(a, b openingCount) int {
		return cmp.Or(b.Games-a.Games, strings.Compare(a.Name, b.Name))
	})
	return list
}

// writeOpenings writes the five openings with the most games, and the games of the others.
func writeOpenings(w io.Writer, list []openingCount) {
	var names []string
	others := 0
	for i, o := range list {
		if i < 5 {
			names = append(names, fmt.Sprintf("%s %d", o.Name, o.Games))
		} else {
			others += o.Games
		}
	}
	if others > 0 {
		names = append(names, fmt.Sprintf("others %d", others))
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "  openings: %s\n", strings.Join(names, "; "))
	}
}

// writeCounts writes the lines of Reversi in a match's report.
func writeCounts(w io.Writer, s reversi.Score, e matchcmd.Ending, _ int) {
	for i, n := range s.ResignedGames() {
		if n > 0 {
			fmt.Fprintf(w, "  the %s player resigned %s\n", [2]string{"first", "second"}[i], text.Plural(n, "game"))
		}
	}
	fmt.Fprintf(w, "\n  %+.1f discs a game for the first player; %s\n", float64(s.Discs)/float64(len(s.Games)),
		e.Timing(s.FinishedGames()))
	writeOpenings(w, openingsOf(s))
	for i, n := range s.Overruns {
		if n > 0 {
			fmt.Fprintf(w, "  %s of the %s player over the time, at most by %.1f ms\n",
				text.Plural(n, "move"), [2]string{"first", "second"}[i], float64(s.MaxOverrun[i].Microseconds())/1000)
		}
	}
}

// program is the value of an --engine.
type program struct {
	text string
	args []string
}

// programs are the values of --engine, by the names of their players. Every game at a time has a process.
type programs struct {
	list    map[string]program
	mutex   sync.Mutex
	running []*protocol.Program
}

// programs returns the programs of --engine. Each was started once, so that one that cannot play is
// noticed before the match.
func (o *matchOptions) programs(ctx context.Context, env *cli.Env, names []string) (*programs, error) {
	all := &programs{list: map[string]program{}}
	for _, value := range o.Engines {
		name, text, ok := strings.Cut(value, "=")
		if !ok || name == "" || strings.Contains(name, ":") {
			return nil, cli.UsageError("--engine: invalid program %q (want NAME=gtp:COMMAND)", value)
		}
		if o.Fleet.Given() {
			return nil, cli.UsageError("--engine cannot be used with --fleet: the program runs on this machine")
		}
		if all.list[name].text != "" {
			return nil, cli.UsageError("--engine: %q comes twice (want one program for each name)", name)
		}
		others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
		if players := len(names) - len(others); players != 1 {
			return nil, cli.UsageError("--engine: %d players are called %q (want one)", players, name)
		}
		args, err := parseCommand(text)
		if err != nil {
			return nil, cli.UsageError("--engine: %w", err)
		}
		all.list[name] = program{text, args}
		wait := cli.NewWait(env, fmt.Sprintf("waiting for the first reply of %s", name))
		_, err = all.start(ctx, name)
		wait.Clear()
		all.close()
		if err != nil {
			return nil, cli.UsageError("--engine: %w", err)
		}
	}
	return all, nil
}

// parseCommand reads "gtp:COMMAND". The command is split into words like a POSIX shell does it, with
// variables of the environment; no shell runs.
func parseCommand(text string) (args []string, err error) {
	line, ok := strings.CutPrefix(text, "gtp:")
	if !ok {
		return nil, fmt.Errorf("invalid program %q (want gtp:COMMAND)", text)
	}
	if args, err = process.SplitWords(line, os.Getenv); err != nil {
		return nil, fmt.Errorf("invalid program %q: %w", text, err)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return nil, fmt.Errorf("program %q: %w", text, err)
	}
	return args, nil
}

// start starts a program and waits for its first reply, so no move includes the start.
func (p *programs) start(ctx context.Context, name string) (reversi.Player, error) {
	started := protocol.NewProgram(name, p.list[name].args)
	p.mutex.Lock()
	p.running = append(p.running, started)
	p.mutex.Unlock()
	return started, started.Check(ctx)
}

func (p *programs) close() {
	var wait sync.WaitGroup
	for _, program := range p.running {
		wait.Go(program.Close)
	}
	wait.Wait()
	p.running = nil
}
