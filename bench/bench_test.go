package bench

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/valuenet"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// defaultWorkload is shared by the tests of the work that is published.
var defaultWorkload = sync.OnceValues(func() (*Workload, error) { return NewWorkload(DefaultSize()) })

// smallSize is the work of most tests.
var smallSize = Size{Positions: 64, TurnGames: 3, Games: 5, FirstGames: 2}

// smallWorkload is shared by all tests.
var smallWorkload = sync.OnceValues(func() (*Workload, error) { return NewWorkload(smallSize) })

func testWorkload(t *testing.T) *Workload {
	t.Helper()
	return testkit.Must(smallWorkload())(t)
}

// checkedPass checks a benchmark, and returns the units of a pass.
func checkedPass(t *testing.T, b sample.Benchmark) float64 {
	t.Helper()
	testkit.Equal(t, b.Check(), nil, "%s: error", b.Name)
	units, err := b.Pass()
	testkit.Equal(t, err, nil, "%s: error of a pass", b.Name)
	return units
}

func TestEveryEngineDoesTheWork(t *testing.T) {
	testkit.NoError(t, engine.CheckRequired())
	w := testWorkload(t)
	for _, e := range engine.Available() {
		for _, scope := range Scopes() {
			b, err := w.Benchmark(e, scope)
			if scope == Moves && errors.Is(err, ErrNoMoves) {
				continue
			}
			testkit.NoError(t, err)
			checkedPass(t, b)
			allocations := testing.AllocsPerRun(1, func() { _, _ = b.Pass() })
			testkit.Equal(t, allocations, 0, "allocations of %s in a pass", b.Name)
		}
	}
}

func TestWorkloadIsTheSameEveryTime(t *testing.T) {
	w := testWorkload(t)
	again := testkit.Must(NewWorkload(w.Size))(t)
	other := testkit.Must(NewWorkload(Size{Positions: 64, TurnGames: 3, Games: 6, FirstGames: 2}))(t)
	for level, same := range map[Scope]bool{Value: true, Turn: false, Game: false} {
		testkit.Equal(t, w.Signature(level), again.Signature(level), "signature of the same work, level %s", level)
		one, more := w.Signature(level), other.Signature(level)
		testkit.Equal(t, one == more, same, "%s: signatures %s and %s of one game more are equal", level, one, more)
	}
	turns := w.works[Turn].(*turnWork)
	n := len(turns.rolls)
	testkit.ErrorIf(t, n < 3*60 || turns.candidates < n || turns.candidates > 7*n,
		"%d candidates in %d turns of 3 games", turns.candidates, n)
}

func TestWorkloadRefusesSizes(t *testing.T) {
	for _, size := range []Size{{}, {1, 1, 1, 0}, {-1, 1, 1, 1}, {1 << 20, 1, 1, 1}, {1, 1, 1, 2}} {
		testkit.WantError(t, testkit.ErrorOf(NewWorkload(size)), "", "size %+v is accepted", size)
	}
}

// The levels of a selection get their work, and no other level.
func TestSelectionMakesOnlyItsWork(t *testing.T) {
	w, err := NewWorkload(smallSize, Value)
	testkit.ErrorIf(t, err != nil || w.works[Value] == nil || len(w.works) != 1 || w.played != nil,
		"%d works, games %v, %v; want that of values alone", len(w.works), w.played, err)
	set, err := selectEngines(Selection{Engines: []ur.Engine{engine.Oracle()}, Scopes: []Scope{Value}, Size: smallSize})
	testkit.ErrorIf(t, err != nil || len(set.Benchmarks) != 1 || set.Benchmarks[0].Scope != "value",
		"%+v, %v", set.Benchmarks, err)
}

// fakeRun measures a set on a clock by which a unit of a benchmark takes a time.
func fakeRun(t *testing.T, set Set, cost func(b sample.Benchmark) time.Duration) *sample.Run {
	t.Helper()
	run, err := sample.Measure(t.Context(), sample.Options{
		Benchmarks: set.Benchmarks, Count: 6, BenchTime: time.Second, Seed: 1,
		Time: func(b sample.Benchmark, passes int) (float64, time.Duration, error) {
			units, err := b.Pass()
			units *= float64(passes)
			return units, time.Duration(float64(cost(b)) * units), err
		},
	})
	testkit.NoError(t, err)
	return run
}

// rowsOf returns the rows of a run.
func rowsOf(run *sample.Run, suite string) []record.Row {
	var results record.Results
	run.Add(&results, suite, nil)
	return results.Rows
}

func TestRowsOfTheLadder(t *testing.T) {
	fast := testkit.Must(engine.Lookup("bits/scalar"))(t)
	set, err := selectEngines(Selection{Engines: []ur.Engine{fast, fast}, Size: smallSize})
	testkit.FatalIf(t, err != nil || len(set.Benchmarks) != 8,
		"%d benchmarks of two engines at four levels, %v", len(set.Benchmarks), err)
	rows := rowsOf(fakeRun(t, set, func(b sample.Benchmark) time.Duration {
		if b.Engine == Baseline {
			return 200_000
		}
		return 50_000
	}), EnginesSuite)
	table := record.Table(rows, 2)
	share := slices.Index(table.Header, "% of turn")
	testkit.FatalIf(t, share < 0 || table.Rows[1][share] != "100", "table %+v", table)
	turns := testWorkload(t).works[Turn].(*turnWork)
	find := func(engine, level string) record.Row {
		i := slices.IndexFunc(rows, func(r record.Row) bool { return r.Engine == engine && r.Level == level })
		return rows[max(0, i)]
	}
	row := find("bits/scalar", "turn")
	perCandidate := report.Significant(50_000 * float64(len(turns.rolls)) / float64(turns.candidates))
	testkit.ErrorIf(t, row.Name != "Turn/board=bits/eval=scalar" || row.Median != 50_000 || row.Unit != "ns/turn" ||
		row.Baseline != Baseline || row.Ratio != 0.25 || row.RatioLo != 0.25 || row.RatioHi != 0.25 ||
		row.NsPerCandidate != perCandidate || row.Metrics["bytes"] == 0 || len(row.Times) != 6, "row %+v", row)
	row = find(Baseline, "game")
	testkit.ErrorIf(t, row.Median != 200 || row.Unit != "us/game" || row.Ratio != 1 || row.Metrics["games/s"] != 5000,
		"baseline row %+v, want 200 us/game, ratio 1", row)
}

// Every suite has a name of its own and, by default, benchmarks with names of their own whose bases
// are measured as well.
func TestSuites(t *testing.T) {
	for _, s := range Suites() {
		found, err := LookupSuite(s.Name)
		testkit.ErrorIf(t, err != nil || found.Name != s.Name || s.Short == "" || s.Package == "",
			"suite %+v: %v", s, err)
		if testing.Short() && s.Name == ReversiSuite {
			continue
		}
		set := testkit.Must(s.Select(Selection{Engines: []ur.Engine{engine.Oracle()}, Size: smallSize, Workers: 1}))(t)
		o := s.Complete(sample.Options{}, set)
		testkit.ErrorIf(t, o.Count < sample.MinCount || o.BenchTime <= 0,
			"%s: %d samples of %v", s.Name, o.Count, o.BenchTime)
		bases := make(map[string]string)
		for _, b := range set.Benchmarks {
			_, ok := bases[b.Name]
			testkit.ErrorIf(t, ok, "two benchmarks have the name %s", b.Name)
			_, parts, _ := strings.Cut(b.Name, "/")
			testkit.ErrorIf(t, report.Nanoseconds(b.Unit) == 0 ||
				len(report.Keys(b.Name)) != strings.Count(parts, "/")+1,
				"%s: %s is no time of something, or a part of the name is not key=value", b.Name, b.Unit)
			bases[b.Name] = b.Base
		}
		for name, base := range bases {
			_, ok := bases[base]
			testkit.ErrorIf(t, base != "" && !ok, "the base %s of %s is not measured", base, name)
		}
	}
	testkit.WantError(t, testkit.ErrorOf(LookupSuite("abacus")), "want engines, moves, pieces", "an unknown suite")
	suite, _ := LookupSuite(EnginesSuite)
	for want, of := range map[string]Selection{
		`no benchmark matches "Abacus"`: {Match: regexp.MustCompile("Abacus"), Engines: []ur.Engine{engine.Oracle()},
			Size: smallSize},
		"invalid size": {Size: Size{Positions: 1}},
	} {
		testkit.WantError(t, testkit.ErrorOf(suite.Select(of)), want, "a selection of %v", of.Match)
	}
}

func TestPieces(t *testing.T) {
	set := testkit.Must(piecesOf(Selection{Engines: engine.Available()}, 2, 8))(t)
	for _, b := range set.Benchmarks {
		testkit.Equal(t, checkedPass(t, b), 8, "units of %s", b.Name)
	}
	for _, row := range rowsOf(fakeRun(t, Set{Benchmarks: set.Benchmarks[:4]},
		func(sample.Benchmark) time.Duration { return 10 }), "pieces") {
		_, err := strconv.Atoi(row.Keys["pieces"])
		testkit.ErrorIf(t, err != nil || row.Median != 10 || row.Unit != "ns/eval" || row.Ratio != 1 ||
			row.Engine != "", "row %+v", row)
	}
	testkit.WantError(t, testkit.ErrorOf(piecesOf(Selection{}, 2, 1<<20)), "2 games have fewer than", "too few positions")
	groups := testkit.Must(positionsByPieces(20, 16))(t)
	filled := 0
	for k, positions := range groups {
		if positions == nil {
			continue
		}
		filled++
		for _, p := range positions {
			counted := 0
			for square := 1; square <= 14; square++ {
				counted += board.Finkel().Count(p, 0, square) + board.Finkel().Count(p, 1, square)
			}
			err := board.Finkel().Check(p)
			testkit.ErrorIf(t, err != nil || counted != k || len(positions) != 16,
				"%s has %d pieces on the board, want %d (%v)", board.Finkel().FormatPosition(p), counted, k, err)
		}
	}
	testkit.ErrorIf(t, filled < 8, "only %d numbers of pieces have positions", filled)
}

// Every worker plays its part, as the tallies show. The time of a game that two workers share is
// half of it, with an efficiency of 1.
func TestScaling(t *testing.T) {
	set := testkit.Must(selectScaling(Selection{Engines: []ur.Engine{engine.Fastest()}, Workers: 2}))(t)
	rows := rowsOf(fakeRun(t, set, func(b sample.Benchmark) time.Duration {
		if strings.HasSuffix(b.Name, "=1") {
			return 10_000
		}
		return 5_000
	}), "scaling")
	r := rows[1]
	testkit.ErrorIf(t, r.Metrics["games/s"] != 2e5 || r.Metrics[unitEfficiency] != 1 || r.Clock != "wall" ||
		r.Baseline != rows[0].Name, "%+v", r)
	for name, e := range map[string]ur.Engine{"": engine.Oracle(),
		"2 workers have the tally": wrongEngine{engine.Oracle()}} {
		team := testkit.Must(newTeam(e, 2))(t)
		team.games = 3
		err := team.check(2)
		testkit.ErrorIf(t, (err != nil) != (name != "") || err != nil && !strings.Contains(err.Error(), name),
			"%s: %v", e.Name(), err)
	}
	for most, want := range map[int]int{1: 1, 4: 4, 8: 8, 9: 5, 64: 7} {
		got := teamSizes(most)
		testkit.ErrorIf(t, len(got) != want || got[len(got)-1] != most, "up to %d: %v, want %d sizes", most, got, want)
	}
}

func TestSearchesAgreeWithTheirOracle(t *testing.T) {
	games := searchGames(2)[:6]
	if !testkit.Long() {
		games = games[2:] // those of Ur alone have leaves in assembly
	}
	set := testkit.Must(searchesOf(games))(t)
	for _, b := range set.Benchmarks {
		units := checkedPass(t, b)
		testkit.ErrorIf(t, units < 1 || b.Metrics(1)[0].Value < 2, "%s: %v units, %v", b.Name, units, b.Metrics(1))
		allocations := testing.AllocsPerRun(1, func() { _, _ = b.Pass() })
		testkit.Equal(t, allocations, 0, "allocations of %s in a pass", b.Name)
	}
	wrong := searchGames(2)[5]
	calls := 0
	wrong.open = func(variant, search.Options) (searcher, error) {
		calls++
		r := search.Result{Value: search.Value(calls)}
		return func(int, search.Limits) (search.Result, error) { return r, nil }, nil
	}
	b, err := wrong.benchmark(wrong.best)
	testkit.ErrorIf(t, err != nil || b.Check() == nil, "another value agrees with the oracle")
}

// Benchmarks of nets are checked against the scalar engine, and of files named after them.
func TestNets(t *testing.T) {
	folder := filepath.Join("..", "results", "nets")
	set, err := netsOf([]string{filepath.Join(folder, "distill-4.safetensors")})
	testkit.FatalIf(t, err != nil ||
		set.Benchmarks[len(set.Benchmarks)-1].Name != "NetDecision/net=distill-4/eval="+valuenet.Fastest().Name(),
		"%v, %v", set.Benchmarks, err)
	for _, b := range set.Benchmarks {
		n := checkedPass(t, b)
		testkit.ErrorIf(t, n < 100, "%s: %v decisions", b.Name, n)
	}
	testkit.WantError(t, testkit.ErrorOf(netsOf([]string{"bench_test.go"})), "", "a file that is no net is opened")
}

// Every benchmark of Reversi that is not slow compares its results with known ones.
func TestReversi(t *testing.T) {
	set := testkit.Must(selectReversi(Selection{}))(t)
	for _, b := range set.Benchmarks {
		if !strings.HasPrefix(b.Name, "Perft/depth=9/generator=shift") {
			testkit.Equal(t, b.Check(), nil, "%s: error", b.Name)
		}
	}
}

// benchstat compares the engines of a file.
func TestBenchstatComparesEngines(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "builds benchstat")
	suite, _ := LookupSuite(EnginesSuite)
	fast := testkit.Must(engine.Lookup("bits/scalar"))(t)
	set := testkit.Must(suite.Select(Selection{Engines: []ur.Engine{fast}, Scopes: []Scope{Game}, Size: smallSize}))(t)
	run := fakeRun(t, set, func(b sample.Benchmark) time.Duration { return time.Duration(len(b.Engine)) * 1000 })
	file := filepath.Join(t.TempDir(), "bench.txt")
	write := func(w io.Writer) error {
		return run.Write(w, suite.Heading(record.Environment{CPU: "Example 9000", Go: "go1.26.0"}, set))
	}
	testkit.NoError(t, safefile.Write(file, write))
	out, err := exec.Command("go", "tool", "benchstat", "-col", "/board", file).CombinedOutput()
	testkit.FatalIf(t, err != nil, "benchstat: %v\n%s", err, out)
	testkit.WantText(t, string(out), "│   array16   │", "cpu: Example 9000",
		"signature: "+testWorkload(t).Signature(Game), "-21.43% (p=0.002 n=6)")
}

// defaultSignatures are those of the work behind everything published. One changes only
// with the rules, the classic brain or the work of its level, and then no figure of the
// level may be compared with an older one.
var defaultSignatures = map[Scope]string{
	Value: "0be46ef2a82f9c99", Turn: "f2c0bdebe70bce32", Moves: "ebec8236702aaca3", Game: "bc1f26eb738d485d",
}

func TestSignatureOfTheDefaultWork(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "takes long under the race detector")
	w := testkit.Must(defaultWorkload())(t)
	for _, scope := range Scopes() {
		testkit.Equal(t, w.Signature(scope), defaultSignatures[scope], "signature of scope %s", scope)
	}
}

// The corpus is every eleventh turn of the games of the seed, which the oracle plays: neighbours look
// alike.
func TestCorpus(t *testing.T) {
	const stride, size = 11, 4096
	oracle := testkit.Must(engine.Oracle().New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()}))(t)
	var lines []string
	turns := 0
	for game := uint64(0); len(lines) < size; game++ {
		replay(playing(oracle), workloadSeed, game, func(r replayed) {
			if turns%stride == 0 {
				lines = append(lines, fmt.Sprintf("%s\t%d\n", board.Finkel().FormatPosition(r.position), r.roll))
			}
			turns++
		})
	}
	testkit.Golden(t, "../corpus.txt", []byte(strings.Join(lines[:size], "")))
}

// A workload lets the oracle play only the first games. Here it plays all.
func TestOracleAgreesOnAllGames(t *testing.T) {
	testkit.NeedLong(t, "takes seconds")
	w := testkit.Must(defaultWorkload())(t)
	s := w.works[Game].(*gamesWork)
	oracle := testkit.Must(engine.Oracle().New(workloadSetup()))(t)
	testkit.Equal(t, testkit.Must(oracle.Games(nil, firstGames(w.Size.Games)))(t), s.all, "tally of the oracle")
}

// The candidates of whole games are counted as those of single turns are.
func TestCandidatesOfWholeGames(t *testing.T) {
	w := testkit.Must(NewWorkload(Size{Positions: 1, TurnGames: 5, Games: 5, FirstGames: 1}))(t)
	turns := w.works[Turn].(*turnWork)
	testkit.Equal(t, int64(turns.candidates), turns.whole.candidates, "candidates of single turns")
	testkit.Equal(t, int64(len(turns.rolls)), turns.whole.all.Turns, "number of single turns")
}

// sideBySide is the oracle, which says that it plays games side by side.
type sideBySide struct{ ur.Engine }

func (sideBySide) Name() string { return "array16/batch" }
func (sideBySide) Lanes() int   { return 32 }

func TestTurnsOfBatchesAreWholeGames(t *testing.T) {
	w := testWorkload(t)
	c := testkit.Must(w.Benchmark(sideBySide{engine.Oracle()}, Turn))(t)
	whole := w.works[Game].(*gamesWork)
	testkit.Equal(t, checkedPass(t, c), float64(whole.all.Turns), "turns a pass")
	got, want := c.Metrics(1)[0].Value, float64(whole.all.Turns)/float64(whole.candidates)
	testkit.Near(t, got, want, 1e-12, "turns a candidate")
	wrong := sideBySide{wrongEngine{engine.Oracle()}}
	testkit.WantError(t, testkit.Must(w.Benchmark(wrong, Turn))(t).Check(), "", "wrong games pass for right turns")
}

// Engines that play all games and engines that play the first ones report the time
// of the same game: that of the mean length.
func TestGamesAreOfMeanLength(t *testing.T) {
	w := testWorkload(t)
	games := w.works[Game].(*gamesWork)
	for _, e := range []ur.Engine{engine.Oracle(), sideBySide{engine.Oracle()}} {
		b := testkit.Must(w.Benchmark(e, Game))(t)
		want := games.first
		if _, batch := e.(ur.Batch); batch {
			want = games.all
		}
		units, turns := testkit.Must(b.Pass())(t), float64(want.Turns)
		testkit.Near(t, units*games.meanTurns(), turns, turns/1000, "%s: turns of %v games of mean length", b.Name, units)
	}
}

// wrongEngine is the oracle with one wrong answer at every level.
type wrongEngine struct{ ur.Engine }

func (wrongEngine) Name() string { return "array16/wrong" }

func (e wrongEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return wrongGame{g}, err
}

type wrongGame struct{ ur.Game }

func (g wrongGame) Values(dst []int32, by board.Side) {
	g.Game.Values(dst, by)
	dst[len(dst)-1]++
}

func (g wrongGame) Generate(rolls []uint8) int { return g.Game.(ur.MoveGenerator).Generate(rolls) + 1 }

func (g wrongGame) Play(roll int) (board.Move, bool) {
	move, moved := g.Game.Play(roll)
	move.Capture = !move.Capture
	return move, moved
}

func (g wrongGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	t, err := g.Game.Games(winners, s)
	t.Captures++
	return t, err
}

func TestWrongAnswersAreFound(t *testing.T) {
	w := testWorkload(t)
	for _, scope := range Scopes() {
		b := testkit.Must(w.Benchmark(wrongEngine{engine.Oracle()}, scope))(t)
		testkit.WantError(t, b.Check(), "want ", "scope %s", scope)
	}
}
