package work

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/reversi"
	reversiboard "github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/seed-09dcdc84/ur/valuenet"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// newFleet starts a server with workers for a test, and returns a connection.
func newFleet(t *testing.T, workers int) *fleet.Conn {
	t.Helper()
	s := testkit.Must(fleettest.Start(t.TempDir(), ""))(t)
	t.Cleanup(s.Stop)
	dial := func() *fleet.Conn {
		c := testkit.Must(fleet.Dial(t.Context(), fleet.DialConfig{URL: s.URL()}))(t)
		t.Cleanup(c.Close)
		return c
	}
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for i := range workers {
		c := dial()
		working.Go(func() {
			testkit.Equal(t, c.Work(ctx, fleet.WorkConfig{
				Code: CodeVersion(), Name: "worker-" + string(rune('a'+i)), Kinds: Kinds(engine.Fastest()),
				Parallel: 1, Cache: t.TempDir(),
			}), nil, "the error of a worker")
		})
	}
	t.Cleanup(func() { cancel(); working.Wait() })
	return dial()
}

// players parses the specs of players of Finkel's rules.
func players(t *testing.T, specs ...string) []play.Player {
	t.Helper()
	return playersFor(t, board.Finkel(), specs...)
}

// playersFor parses the specs of players of a rule set.
func playersFor(t *testing.T, r *board.Rules, specs ...string) (list []play.Player) {
	t.Helper()
	for _, spec := range specs {
		list = append(list, testkit.Must(play.ParsePlayerFor(r, spec))(t))
	}
	return list
}

// A match on a fleet is the match on one machine, to the last count: between brains, built in and from a
// file, between players that choose turn by turn, with a test, with an odd number of games, and asked twice.
func TestMatchIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.txt")
	testkit.WriteText(t, file, testkit.ReadText(t, "../../brain_default.txt"))
	small := testkit.Must(play.DefaultTables().Table(t.Context(), solvetest.Game(t, 2)))(t)
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	custom := testkit.Must(board.Parse([]byte(`{"name": "mine", "board": ["###", "###", "###"], "light": ["A2", "A1", "B1", "B2", "B3", "A3"],
		"rosettes": ["A1", "C1", "B2"], "pieces": 3, "dice": [1, 2, 1],
		"safe_rosettes": true, "roll_after_rosette": true, "roll_after_capture": false}`)))(t)
	conn, test := newFleet(t, 2), rating.DefaultSPRT()
	for name, c := range map[string]play.MatchConfig{
		"brains":     {Players: players(t, "brain", "brain:classic"), Seed: 3, Games: 20_001},
		"file":       {Players: players(t, "brain:"+file, "brain:classic"), Seed: 4, Games: 9_000, Pieces: 5},
		"turns":      {Players: players(t, "greedy", "random"), Seed: 5, Games: 301, Pieces: 3},
		"test":       {Players: players(t, "brain", "brain:classic"), Seed: 6, Games: 100_000, SPRT: &test},
		"luck":       {Players: players(t, "level:10", "greedy"), Seed: 8, Games: 100, Pieces: 2, Luck: small},
		"perfect":    {Players: players(t, "perfect", "greedy"), Seed: 7, Games: 100, Pieces: 2},
		"blitz":      {Players: playersFor(t, blitz, "net", "greedy"), Rules: blitz, Seed: 9, Games: 61},
		"tournament": {Players: players(t, "brain", "greedy", "random"), Seed: 2, Games: 60, Pieces: 3},
		"custom":     {Players: players(t, "first", "random"), Rules: custom, Seed: 10, Games: 200},
	} {
		t.Run(name, func(t *testing.T) {
			want := testkit.Must(play.Match(t.Context(), c))(t)
			for range 2 {
				backend := NewUr(conn)
				c.Backend, c.Parallel = backend, 16
				ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
				got, err := play.Match(ctx, c)
				cancel()
				testkit.NoError(t, err)
				testkit.FatalIf(t, !reflect.DeepEqual(got.Scores, want.Scores) || got.Decision != want.Decision,
					"on the fleet %+v (%v), alone %+v (%v)", got.Scores, got.Decision, want.Scores, want.Decision)
				testkit.NoError(t, backend.Close(t.Context()))
			}
		})
	}
}

// Who has no table is told so, and asks nobody. A table of the cache is played by as it is
// there, whatever its encoding.
func TestTablesTravel(t *testing.T) {
	folder := t.TempDir()
	testkit.SetHome(t, folder)
	for _, spec := range []string{"perfect", "level:10"} {
		_, err := shipPlayer(nil, board.Finkel(), spec, 7)
		testkit.WantErrorAs[*solve.MissingTableError](t, err, "", "%s without a table", spec)
	}
	solution := testkit.Must(solve.Solve(t.Context(), solvetest.Game(t, 2), solve.Options{}))(t)
	exact := filepath.Join(folder, "exact.urt")
	testkit.NoError(t, solution.Write(t.Context(), exact, solve.WriteOptions{Encoding: solve.Float64}))
	file := func(string) (string, error) { return exact, nil }
	start := board.StartPosition(2)
	want, rounded := solution.Win(start), solution.Reference().Win(start)
	for spec, want := range map[string]float64{libraryMark + "0": rounded, "perfect:" + fileMark + "0": want} {
		table := testkit.Must(sentTable(t.Context(), board.Finkel(), spec, 2, file))(t)
		testkit.Equal(t, table.Win(start), want, "by %s the start is worth", spec)
	}
	testkit.WantError(t, testkit.ErrorOf(sentTable(t.Context(), board.Finkel(), "greedy", 2, file)), "",
		"greedy is taken for a table")
}

// A game without end is the same error, and what was finished before it is counted.
func TestMatchWithoutEnd(t *testing.T) {
	t.Parallel()
	conn := newFleet(t, 1)
	backend := NewUr(conn)
	defer backend.Close(context.Background())
	c := play.MatchConfig{Players: players(t, "greedy", "random"), Seed: 1, Games: 40, TurnLimit: 100}
	want := testkit.ErrorOf(play.Match(t.Context(), c))
	testkit.WantErrorAs[*ur.TurnLimitError](t, want, "", "a match without end, alone")
	c.Backend = backend
	testkit.Equal(t, testkit.ErrorOf(play.Match(t.Context(), c)), want, "the error on the fleet")
}

// A player of a job is built in or made of files of the store. Any other is a failure that
// quotes no file, at once, whatever the name leads to.
func TestPlayersOfStrangers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	testkit.WriteText(t, secret, "hush: 17\n")
	conn := newFleet(t, 1)
	sum := testkit.Must(conn.PutFile(t.Context(), secret))(t)
	specs := []string{"nobody", "search:depth=0", "perfect@" + secret, fileMark + sum,
		"perfect@" + fileMark + sum, "human",
		"exec:touch " + filepath.Join(folder, "ran"), "search:depth=1,leaf=exec:touch " + filepath.Join(folder, "ran")}
	for _, kind := range play.Kinds() {
		for _, pattern := range kind.Patterns {
			if strings.Contains(pattern.Text, "FILE") {
				text := strings.NewReplacer("PLIES", "2", "...", "depth=1").Replace(pattern.Text)
				specs = append(specs, strings.ReplaceAll(text, "FILE", secret),
					strings.ReplaceAll(text, "FILE", "/dev/zero"), strings.ReplaceAll(text, "FILE", fileMark+sum))
			}
		}
	}
	testkit.ErrorIf(t, len(specs) < 8+3*8, "only %d players: %v", len(specs), specs)
	for _, spec := range specs {
		data := testkit.Must(json.Marshal(matchSpec{Players: [2]string{spec, "random"}, Pieces: 3, TurnLimit: 1000}))(t)
		session := testkit.Must(conn.Open(t.Context(),
			fleet.Experiment{Kind: "match", Code: CodeVersion(), Spec: data, Files: []string{sum}}, nil))(t)
		_, err := session.Do(t.Context(), match.Span{Pairs: 1})
		testkit.ErrorIf(t, !isFailure(err) || strings.Contains(err.Error(), "hush") ||
			strings.Contains(err.Error(), "never finished"), "%s: %v, want a failure", spec, err)
	}
	testkit.WantError(t, testkit.ErrorOf(os.Stat(filepath.Join(folder, "ran"))), "", "a worker ran a program")
	_, err := shipPlayer(sender(t.Context(), conn, new([]string)), board.Finkel(), "exec:true", 7)
	testkit.WantErrorAs[*play.ProgramRefusedError](t, err, "", "a program is sent")
}

// Every player that takes a file is shipped with it, and the experiment is another when the
// file is: a net exchanged between two matches of the same names gives another result.
func TestFilesArePartOfTheExperiment(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "net")
	save := func(number uint64) {
		t.Helper()
		n, _, err := valuenet.BuiltinFor(board.Finkel())
		if err == nil && number == 1 {
			if n, err = valuenet.NewNet(valuenet.Shape{Hidden: []int{8}}); err == nil {
				n.Randomise(1)
			}
		}
		testkit.NoError(t, err)
		testkit.NoError(t, safefile.Write(file, n.Write))
	}
	conn := newFleet(t, 2)
	for _, spec := range []string{"net:" + file, "net:" + file + "@2", "search:depth=1,leaf=net:" + file} {
		var seen []play.Score
		for number := range uint64(2) {
			save(number)
			c := play.MatchConfig{Players: players(t, spec, "random"), Seed: 9, Games: 60, Pieces: 2}
			want := testkit.Must(play.Match(t.Context(), c))(t)
			backend := NewUr(conn)
			c.Backend, c.Parallel, backend.Verify = backend, 16, 1
			got := testkit.Must(play.Match(t.Context(), c))(t)
			testkit.Equal(t, got.Score, want.Score, "%s, file %d: score on the fleet", spec, number)
			seen = append(seen, got.Score)
			testkit.NoError(t, backend.Close(t.Context()))
		}
		testkit.ErrorIf(t, reflect.DeepEqual(seen[0], seen[1]), "%s: both files play alike, choose others", spec)
	}
}

// An answer that does not fit its task is not believed.
func TestScoresThatCannotBe(t *testing.T) {
	t.Parallel()
	c := play.MatchConfig{Players: players(t, "greedy", "random"), Seed: 1, Games: 1, Pieces: 2}
	spec := matchSpec{Pieces: 2, TurnLimit: 1000}
	table := testkit.Must(play.NewRunner(t.Context(), c))(t)
	span := match.Span{First: 5, Pairs: 3, Odd: true}
	score := testkit.Must(table.Play(t.Context(), span))(t)
	type answer struct {
		Span  match.Span
		Score play.Score
	}
	check := func(change func(a *answer)) error {
		a := answer{span, score}
		change(&a)
		return checkWith(spec.check)(testkit.Must(json.Marshal(a.Span))(t), testkit.Must(json.Marshal(a.Score))(t))
	}
	testkit.MustEqual(t, check(func(*answer) {}), nil, "a true score is refused")
	for name, change := range map[string]func(a *answer){
		"another length": func(a *answer) { a.Span.Pairs++ },
		"no half pair":   func(a *answer) { a.Span.Odd = false },
		"fewer games":    func(a *answer) { a.Score.Tally.Games-- },
		"more wins":      func(a *answer) { a.Score.Wins[0]++ },
		"other sides":    func(a *answer) { a.Score.Tally.Wins[1]++ },
		"more turns":     func(a *answer) { a.Score.Tally.Turns++ },
		"no turns": func(a *answer) {
			a.Score.Tally.Turns, a.Score.Tally.Moves, a.Score.Tally.Passes = 0, 0, 0
		},
		"few moves": func(a *answer) {
			a.Score.Tally.Moves = 8*5 - 1
			a.Score.Tally.Passes = a.Score.Tally.Turns - 39
		},
		"turns for ever": func(a *answer) { a.Score.Tally.Turns += 1e6; a.Score.Tally.Passes += 1e6 },
		"captures":       func(a *answer) { a.Score.Tally.Captures = a.Score.Tally.Moves - 1 },
		"rosettes":       func(a *answer) { a.Score.Tally.Rosettes = a.Score.Tally.Moves + 1 },
		"negative":       func(a *answer) { a.Score.Tally.Captures = -1 },
		"other pairs":    func(a *answer) { a.Score.Pairs[0]++; a.Score.Pairs[4]-- },
		"a draw":         func(a *answer) { a.Score.Pairs[1]++ },
		"light pairs": func(a *answer) {
			a.Score.LightPairs = rating.Pairs{0: a.Score.LightPairs[4],
				2: 2 - a.Score.LightPairs[0] - a.Score.LightPairs[4], 4: a.Score.LightPairs[0]}
		},
		"luck":           func(a *answer) { a.Score.Luck.Pairs = 2 },
		"another winner": func(a *answer) { a.Score.Wins[0], a.Score.Wins[1] = 5, 0 },
	} {
		testkit.WantError(t, check(change), "", "%s: the score is believed", name)
	}
	testkit.WantError(t, checkWith(spec.check)([]byte(`{}`), []byte(`[]`)), "", "a list is taken for a score")
}

// isFailure reports whether an error belongs to a task.
func isFailure(err error) bool {
	_, ok := err.(*fleet.Failure)
	return ok
}

// A match of Reversi on a fleet is the match on one machine, also with weights of a file.
func TestReversiIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	weights := testkit.Must(eval.Learned())(t)
	file := filepath.Join(t.TempDir(), "weights.bin")
	testkit.NoError(t, safefile.Write(file, weights.Write))
	opening := testkit.Must(reversiboard.ParseRecord(reversiboard.StartPosition(), "f5d6c3"))(t)
	conn := newFleet(t, 2)
	m := reversi.Match{Players: []string{"search:depth=1,exact=2", "random"}, Pairs: 6, Seed: 3, Parallel: 4}
	for weights, openings := range map[string][]reversiboard.Record{"learned": nil, file: {opening}} {
		m := m
		m.Openings = openings
		m.New = func(name string) (reversi.Player, error) {
			return reversi.ParsePlayer(name, reversi.Env{OpenWeights: eval.Open})
		}
		want := testkit.Must(m.Play(t.Context()))(t)
		backend := NewReversi(conn)
		backend.Verify = 1
		m.Players[0] = "search:depth=1,exact=2,eval=" + weights
		m.Backend = backend
		got := testkit.Must(m.Play(t.Context()))(t)
		testkit.Equal(t, got.Scores, want.Scores, "openings %v, weights %q: scores on the fleet", openings, weights)
		testkit.NoError(t, backend.Close(t.Context()))
	}
}

// A worker opens no file of its machine by its name, and an error quotes none.
func TestReversiOpensNoLocalFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	testkit.WriteText(t, secret, "password")
	fetch := func(string) (string, error) { return secret, nil }
	for _, spec := range []reversiSpec{
		{Players: [2]string{"random", "search:depth=1,book=" + secret}},
		{Players: [2]string{"random", "search:depth=1,book=" + fileMark + "00"}},
		{Players: [2]string{"random", "search:depth=1,eval=" + secret}},
		{Players: [2]string{"random", "search:depth=1,eval=" + fileMark + "00"}},
		{Players: [2]string{"random", "nobody"}},
		{Players: [2]string{"random", "random"}, Discs: 99},
		{Players: [2]string{"random", "random"}, Openings: []string{"a1"}},
	} {
		_, err := reversiKind{}.Open(t.Context(), testkit.Must(json.Marshal(spec))(t), fetch)
		testkit.WantErrorAs[*fleet.Failure](t, err, "", "%+v", spec)
		testkit.ErrorIf(t, err != nil && strings.Contains(err.Error(), "password"), "%+v: %v", spec, err)
	}
}

// A result of another task, or with games that no match has, is refused.
func TestReversiResults(t *testing.T) {
	m := reversi.Match{Players: []string{"random", "random"}, Pairs: 4, Seed: 1}
	runner := testkit.Must(m.Runner())(t)
	span := match.Span{First: 2, Pairs: 1}
	score := testkit.Must(runner.Play(t.Context(), span))(t)
	output := testkit.Must(json.Marshal(score))(t)
	check := func(m reversi.Match, s match.Span, output []byte) error {
		return checkWith(m.Check)(testkit.Must(json.Marshal(s))(t), output)
	}
	testkit.NoError(t, check(m, span, output))
	other := m
	other.Seed = 2
	short := strings.Replace(string(output), score.Games[0].Text(), score.Games[0].Text()[:20], 1)
	for name, err := range map[string]error{
		"another task":       check(m, match.Span{First: 3, Pairs: 1}, output),
		"another match":      check(other, span, output),
		"an unfinished game": check(m, span, []byte(short)),
		"no JSON":            check(m, span, []byte("{")),
	} {
		testkit.WantError(t, err, "", "%s", name)
	}
}

// An evolution whose games are played on a fleet learns the same brain.
func TestEvolutionIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	evolve := func(backend match.Backend[play.MatchConfig, play.Score]) *ur.Brain {
		c := train.EvolveConfig{Pairs: 4, Games: 64}
		c.Seed, c.Pieces = 3, 2
		if backend != nil {
			c.PlayAt(backend, 8)
		}
		e := testkit.Must(c.Learner(t.Context()))(t)
		for range 3 {
			testkit.Must(e.Step(t.Context()))(t)
		}
		return e.(interface{ Brain() *ur.Brain }).Brain()
	}
	duels := testkit.Must(NewDuels(t.Context(), newFleet(t, 2)))(t)
	got, want := evolve(duels), evolve(nil)
	testkit.ErrorIf(t, *got != *want || *want == (ur.Brain{}), "on the fleet %v, alone %v", got, want)
}

// A duel that cannot be is not fought, and a score that it cannot have is not believed.
func TestDuelsThatCannotBe(t *testing.T) {
	t.Parallel()
	runner := duelKind{engine.Fastest()}
	w := duelWork{
		matchSpec: matchSpec{Seed: 1, Pieces: 3, TurnLimit: 1000}, Span: match.Span{Pairs: 10},
		Weights: [2][]int16{ur.DefaultBrain()[:], ur.ClassicBrain()[:]},
	}
	run := func(w duelWork) (any, error) { return runner.Run(t.Context(), testkit.Must(json.Marshal(w))(t)) }
	got := testkit.Must(run(w))(t)
	want := testkit.Must(play.Match(t.Context(), play.MatchConfig{
		Players: players(t, "brain", "brain:classic"), Seed: 1, Games: 20, Pieces: 3, Engine: engine.Oracle(),
	}))(t)
	testkit.Equal(t, got, any(want.Score), "the score of the duel")
	testkit.NoError(t, w.check(w.Span, want.Score))
	for name, change := range map[string]func(w *duelWork){
		"a short brain": func(w *duelWork) { w.Weights[0] = w.Weights[0][1:] },
		"no brain":      func(w *duelWork) { w.Weights[1] = nil },
		"eight pieces":  func(w *duelWork) { w.Pieces = 8 },
		"no turns":      func(w *duelWork) { w.TurnLimit = 0 },
		"fewer pairs":   func(w *duelWork) { w.Span.Pairs = -1 },
	} {
		changed := w
		change(&changed)
		_, err := run(changed)
		testkit.ErrorIf(t, !isFailure(err), "%s: the duel is fought, or tried again: %v", name, err)
	}
	short := w
	short.Span.Pairs--
	testkit.WantError(t, short.check(short.Span, want.Score), "", "more games than the duel has are believed")
}
