package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"golang.org/x/perf/benchfmt"
)

// program is a command measured along with engines: an [experiment.Sampler]. Each sample starts
// it once and reads the figures it prints about itself, in a format of parseFigures. Its
// start-up time does not count.
type program struct {
	command *experiment.Command
	work    *Workload
	levels  []Level // levels to measure
	places  []place // after Begin: what the command reported at each
}

// Begin runs the command once, as its warm-up. The command takes part at those levels for which
// it prints figures.
func (p *program) Begin(ctx context.Context) (benchmarks []experiment.Benchmark, note string, err error) {
	first, err := p.figures(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, at := range first.places {
		if !slices.Contains(p.levels, at.level) {
			continue
		}
		p.places = append(p.places, at)
		engine := programName(p.command.Name, at.engine)
		b := experiment.Benchmark{Name: BenchmarkName(at.level, engine), Unit: at.level.Unit(), Work: p.work.Signature(at.level)}
		describe(&b, at.level, engine)
		if experiment.Work(b.Unit) == "game" {
			b.Metrics = gamesMetrics
		}
		benchmarks = append(benchmarks, b)
	}
	if len(p.places) == 0 {
		return nil, "", p.failed(fmt.Errorf("prints figures at the level %s, but measured is %s", joinLevels(first.levels()), joinLevels(p.levels)))
	}
	if note = first.check(); note != "" {
		note = fmt.Sprintf("command %s %s", p.command.Name, note)
	}
	return benchmarks, note, nil
}

// Sample runs the command once and returns its times at the levels.
func (p *program) Sample(ctx context.Context) ([]float64, error) {
	f, err := p.figures(ctx)
	if err != nil {
		return nil, err
	}
	var times []float64
	for _, at := range p.places {
		time, ok := f.times[at]
		if !ok {
			return nil, p.failed(fmt.Errorf("printed a figure at the level %s before, and now does not", at.level))
		}
		times = append(times, time)
	}
	return times, nil
}

// figures runs the command once and parses its output.
func (p *program) figures(ctx context.Context) (figures, error) {
	out, err := p.command.Output(ctx)
	if err != nil {
		return figures{}, err
	}
	f, err := parseFigures(out)
	if err != nil {
		return figures{}, p.failed(err)
	}
	return f, nil
}

// failed adds the command to an error.
func (p *program) failed(err error) error {
	return &experiment.CommandError{Name: p.command.Name, Err: err}
}

// levels lists the levels with times, in their order.
func (f figures) levels() []Level {
	return slices.DeleteFunc(Levels(), func(l Level) bool {
		return !slices.ContainsFunc(f.places, func(at place) bool { return at.level == l })
	})
}

// place identifies a figure: a level, and one of a program's engines, "" for a program with
// only one.
type place struct {
	level  Level
	engine string
}

// programName is the measured name of a command's engine, never the name of an engine of this
// program: "mine" itself, or "mine.bits/scalar".
func programName(command, engine string) string {
	if engine == "" {
		return command
	}
	return enginePrefix(command) + engine
}

// enginePrefix is the prefix of a command's engines in their names.
func enginePrefix(command string) string { return strings.ReplaceAll(command, "/", ".") + "." }

// engineOf returns the engine in a name of [programName], and whether it is one of the command.
func engineOf(command, name string) (engine string, ok bool) {
	if name == command {
		return "", true
	}
	return strings.CutPrefix(name, enginePrefix(command))
}

// errNoFigures describes the output expected of a command.
var errNoFigures = errors.New(`prints no figures: want one JSON object of schema ur.match/1, or lines as "BenchmarkGame 1000 350 us/game"`)

// figures are the figures a command prints about itself.
type figures struct {
	times  map[place]float64 // in the unit of the level
	places []place           // of the times, in the order printed
	match  *matchFigures     // nil when it printed benchmark lines
}

// matchFigures are the fields used of a JSON object of schema ur.match/1, the output of "ur
// match --json".
type matchFigures struct {
	Schema    string    `json:"schema"`
	Seed      *uint64   `json:"seed"`
	Games     int64     `json:"games"`
	Pieces    int       `json:"pieces"`
	Players   [2]string `json:"players"`
	LightWins *int64    `json:"light_wins"`
	Turns     *int64    `json:"turns"`
	NsPerGame float64   `json:"ns_per_game"`
	NsPerTurn float64   `json:"ns_per_turn"`
	Threads   int       `json:"threads"` // 0 when missing
}

// parseFigures parses a command's output: one JSON object of schema ur.match/1, or lines of
// Go's benchmark format, possibly among other lines.
func parseFigures(out []byte) (figures, error) {
	if bytes.HasPrefix(bytes.TrimSpace(out), []byte("{")) {
		return parseMatchFigures(out)
	}
	return parseBenchmarkFigures(out)
}

// parseMatchFigures reads a JSON object. Its time of a game belongs to the level
// game, or to match when its two players differ.
func parseMatchFigures(out []byte) (figures, error) {
	var m matchFigures
	decoder := json.NewDecoder(bytes.NewReader(out))
	if err := decoder.Decode(&m); err != nil {
		return figures{}, fmt.Errorf("prints no JSON object of schema ur.match/1: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return figures{}, fmt.Errorf("prints more than one JSON object: want one of schema ur.match/1")
	}
	switch {
	case m.Schema != "ur.match/1":
		return figures{}, fmt.Errorf("prints JSON of schema %q, want ur.match/1", m.Schema)
	case m.Threads > 1:
		return figures{}, fmt.Errorf("plays on %d threads, but figures are of one core: let it use one, as \"ur match --parallel 1\" does", m.Threads)
	case !experiment.IsTime(m.NsPerGame):
		return figures{}, fmt.Errorf("prints ns_per_game %v, want a time above 0", m.NsPerGame)
	case m.NsPerTurn != 0 && !experiment.IsTime(m.NsPerTurn):
		return figures{}, fmt.Errorf("prints ns_per_turn %v, want a time above 0", m.NsPerTurn)
	}
	f := figures{times: make(map[place]float64), match: &m}
	level := Game
	if m.Players[0] != m.Players[1] {
		level = Match
	}
	f.set(place{level: level}, m.NsPerGame/experiment.Nanoseconds(level.Unit()))
	if m.NsPerTurn > 0 {
		f.set(place{level: Turn}, m.NsPerTurn)
	}
	return f, nil
}

// set adds a time.
func (f *figures) set(at place, time float64) {
	f.times[at] = time
	f.places = append(f.places, at)
}

// parseBenchmarkFigures reads benchmark lines. Of several lines of one benchmark the median
// counts. A level has one benchmark, or several named like those of "ur bench run",
// distinguished by their engines.
func parseBenchmarkFigures(out []byte) (figures, error) {
	var printed []printedTimes
	reader := benchfmt.NewReader(bytes.NewReader(out), "output")
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			if wrong, ok := reader.Result().(*benchfmt.SyntaxError); ok {
				return figures{}, fmt.Errorf("prints a line that cannot be read: %w", wrong)
			}
			continue
		}
		for _, value := range result.Values {
			level, time, ok := levelTime(result.Name, value)
			if !ok {
				continue
			}
			name := result.Name.String()
			if !experiment.IsTime(time) {
				return figures{}, fmt.Errorf("prints %s with %v %s, want a time above 0", name, time, level.Unit())
			}
			i := slices.IndexFunc(printed, func(p printedTimes) bool { return p.level == level && p.name == name })
			if i < 0 {
				i = len(printed)
				printed = append(printed, printedTimes{level: level, name: name})
			}
			printed[i].times = append(printed[i].times, time)
		}
	}
	if err := reader.Err(); err != nil {
		return figures{}, err
	}
	if len(printed) == 0 {
		return figures{}, errNoFigures
	}
	return medianFigures(printed)
}

// printedTimes are the times a command printed for a benchmark.
type printedTimes struct {
	level Level
	name  string // with the number of threads behind it
	times []float64
}

// medianFigures are the medians of the printed figures, of which there is at least one.
func medianFigures(printed []printedTimes) (figures, error) {
	first := make(map[Level]string) // benchmark of each level
	var second *printedTimes        // the first with company at its level
	for i, p := range printed {
		if first[p.level] == "" {
			first[p.level] = p.name
		} else if second == nil {
			second = &printed[i]
		}
	}
	f := figures{times: make(map[place]float64)}
	for _, p := range printed {
		at := place{level: p.level}
		if second != nil {
			var err error
			if at.engine, err = printedEngine(p.level, p.name); err != nil {
				return figures{}, fmt.Errorf("prints two benchmarks at the level %s, %s and %s: want one, or names as those of \"ur bench run\"",
					second.level, first[second.level], second.name)
			}
		}
		if _, taken := f.times[at]; taken {
			return figures{}, fmt.Errorf("prints %s on different numbers of threads: want one", at.engine)
		}
		f.set(at, stat.Median(p.times))
	}
	return f, nil
}

// printedEngine is the engine in the name of a benchmark of "ur bench run" at a level.
func printedEngine(level Level, name string) (string, error) {
	base, parts := benchfmt.Name(name).Parts()
	for _, part := range parts {
		if part[0] == '/' {
			base = append(base[:len(base):len(base)], part...)
		}
	}
	of, engine, err := ParseName(string(base))
	if err == nil && of != level {
		err = fmt.Errorf("benchmark %s is of the level %s", name, of)
	}
	return engine, err
}

// levelTime returns the level of a benchmark's figure, and its time in the unit of the level.
// Units of an eval, a turn or a game name the level themselves. A time for each op belongs to
// the level in the benchmark's name, as does a time of games for BenchmarkMatch.
func levelTime(name benchfmt.Name, value benchfmt.Value) (level Level, time float64, ok bool) {
	number, unit := value.Value, value.Unit
	if value.OrigUnit != "" {
		number, unit = value.OrigValue, value.OrigUnit
	}
	factor, work := experiment.Nanoseconds(unit), experiment.Work(unit)
	if factor == 0 {
		return "", 0, false
	}
	for _, d := range descriptors() {
		worksAs := work == experiment.Work(d.unit)
		switch {
		case string(name.Base()) == d.benchmark && (worksAs || work == "op"):
			return d.level, number * factor / experiment.Nanoseconds(d.unit), true
		case worksAs && level == "":
			level = d.level // the first level with this unit of work
		}
	}
	if level == "" {
		return "", 0, false
	}
	return level, number * factor / experiment.Nanoseconds(level.Unit()), true
}

// check compares the games of a match between the brains of the work with the engines' games,
// and returns a warning for the user, or "". Different dice are not an error: another
// implementation may have its own dice.
func (f figures) check() string {
	m := f.match
	if m == nil || m.Seed == nil || m.LightWins == nil || m.Turns == nil ||
		m.Players != [2]string{workloadPlayer, workloadPlayer} || m.Games < 1 || m.Games > 1e6 || board.CheckPieces(m.Pieces) != nil {
		return ""
	}
	brain := workloadBrain()
	game, err := engine.Fastest().New(ur.Setup{Light: brain, Dark: brain, Pieces: m.Pieces})
	if err != nil {
		return fmt.Sprintf("is not checked: %v", err)
	}
	// A match has each game of the seed once, or twice with the sides exchanged.
	for _, times := range []int64{1, 2} {
		tally, err := m.replay(game, times)
		if err != nil {
			return fmt.Sprintf("is not checked: %v", err)
		}
		if tally.Wins[board.Light] == *m.LightWins && tally.Turns == *m.Turns {
			return ""
		}
	}
	return fmt.Sprintf("plays other games than the engines: its %d games of seed %d have %d wins of Light and %d turns",
		m.Games, *m.Seed, *m.LightWins, *m.Turns)
}

// replay plays the games of a match in which each game of the seed is played a number of times
// in succession.
func (m *matchFigures) replay(game ur.Game, times int64) (ur.Tally, error) {
	all := ur.Series{Seed: *m.Seed, N: int(m.Games / times)}
	rest := ur.Series{Seed: *m.Seed, First: uint64(all.N), N: 1}
	tally := ur.Tally{}
	once, err := game.Games(nil, all)
	if err != nil {
		return tally, err
	}
	for range times {
		tally.Add(once)
	}
	for range m.Games % times {
		last, err := game.Games(nil, rest)
		if err != nil {
			return tally, err
		}
		tally.Add(last)
	}
	return tally, nil
}
