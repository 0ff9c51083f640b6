package playcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/results"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// interrupting is an evaluator that interrupts an analysis when it begins with a game.
type interrupting struct {
	play.Evaluator
	games     int // before it does
	interrupt context.CancelFunc
}

func (e *interrupting) By() string {
	if e.games--; e.games == 0 {
		e.interrupt()
	}
	return e.Evaluator.By()
}

// An interrupted analysis tells of the games that it finished.
func TestAnalyzeInterrupted(t *testing.T) {
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	a := newAnalyzer(ctx, &cli.Env{Stdout: &out}, analyzeOptions{})
	a.threads = 1 // one game after the other
	evaluator := &interrupting{play.TableEvaluator(solvetest.Table(t, 1)), 5, cancel}
	a.evaluator = func(context.Context, *board.Rules) (play.Evaluator, error) { return evaluator, nil }
	for range 9 {
		a.batch = append(a.batch,
			&record.Game{Rules: board.Finkel(), Pieces: 1, Players: [2]string{"a", "b"},
				Turns: []record.Turn{{Roll: 0, From: -1}}, Result: record.Abandoned})
	}
	if err := a.flush(); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ends with %v", err)
	}
	testkit.NoError(t, a.finish())
	if want := "5 games, judged by the exact solution\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("it prints %q, want %q", out.String(), want)
	}
}

// runMine runs "ur analyze --mine" with flags, and returns its output and exit code.
func runMine(t *testing.T, flags ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	err := program.Run(t.Context(), append([]string{"analyze", "--mine"}, flags...), strings.NewReader(""), &out, &errs)
	code = program.Report(&errs, err)
	return out.String(), errs.String(), code
}

// A game that ends is kept once, however often it ends, and counts in the statistics.
func TestFinishedGames(t *testing.T) {
	game := []string{"1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1"}
	g := playTyped(t, playOptions{seed: 3, pieces: 1, dark: "level:1"},
		append(game, "u", "1", "1", "1", "1", "q", "q")...)
	if g.session.Phase() != session.Over {
		t.Fatalf("the game is not over:\n%s", g.shown)
	}
	stdout, stderr, code := runMine(t, "--json")
	var r mineReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %v: %s", code, err, stderr)
	}
	if len(r.Games) != 1 || r.Games[0].Against != "level:1" || r.Games[0].Turns == 0 || len(r.Opponents) != 1 ||
		r.Level != nil {
		t.Fatalf("%+v", r)
	}
	if text, _, _ := runMine(t); !strings.Contains(text, "After three games") || !strings.Contains(text, "level:1") {
		t.Errorf("no table of the game:\n%s", text)
	}

	if text, _, _ := runMine(t); !strings.Contains(text, r.Folder) {
		t.Errorf("the folder %q is not named:\n%s", r.Folder, text)
	}
	testkit.NoError(t, os.RemoveAll(r.Folder))
	if stdout, _, _ := runMine(t); !strings.Contains(stdout, "There is none yet") {
		t.Errorf("the game is still there:\n%s", stdout)
	}
}

// Games of rules without a table or a net are listed without a regret, and games with the same dice
// but other players or rules are games of their own.
func TestFinishedGamesOfOtherRules(t *testing.T) {
	sandbox.SetHome(t, t.TempDir())
	custom, err := board.New(board.Definition{
		Name: "mine", Board: []string{"##", "##", "##"}, Light: []string{"A1", "B1"}, Rosettes: []string{},
		Pieces: 1, Dice: []int{0, 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	store := testkit.Must(session.FinishedStore())(t)
	for _, g := range []record.Game{
		{Players: [2]string{session.Person, "random"}, Rules: board.Finkel()},
		{Players: [2]string{session.Person, "random"}, Rules: board.Finkel()},
		{Players: [2]string{session.Person, "first"}, Rules: board.Finkel()},
		{Players: [2]string{session.Person, "random"}, Rules: custom},
	} {
		g.Pieces, g.Dice, g.Result = 1, &record.DiceOrigin{Seed: 1}, record.DarkResigned
		testkit.NoError(t, store.Finish(&g, time.Now()))
	}
	stdout, stderr, code := runMine(t, "--json")
	var r mineReport
	err = json.Unmarshal([]byte(stdout), &r)
	// Tests before this one may have solved games of one piece, which the process keeps.
	judged := r.By == "search by the built-in net" || r.By == "the exact solution"
	if err != nil || code != 0 || len(r.Games) != 3 || !judged || r.Games[2].Regret != nil {
		t.Errorf("exit code %d, %v: %s%s", code, err, stderr, stdout)
	}
}

// The level is found between those of more and of less regret, with an interval that narrows.
func TestLevelOfGames(t *testing.T) {
	games := func(n int, regrets ...float64) (list []mineGame) {
		for i := range n {
			list = append(list, mineGame{Rules: "finkel", Regret: &regrets[i%len(regrets)], Decisions: 20})
		}
		return list
	}
	levels, err := results.LevelRegrets()
	if err != nil || len(levels) < 2 {
		t.Fatal(levels, err)
	}
	between := (levels[1] + levels[2]) / 2
	few, err := levelOfGames(games(4, between-0.1, between+0.1))
	if err != nil || math.Abs(few.Value-2.5) > 1e-9 || few.Lo >= 2.5 || few.Hi <= 2.5 {
		t.Errorf("%+v, %v", few, err)
	}
	many, _ := levelOfGames(games(40, between-0.1, between+0.1))
	if many.Hi-many.Lo >= few.Hi-few.Lo {
		t.Errorf("40 games give %+v, 4 games %+v", many, few)
	}
	if two, _ := levelOfGames(games(2, between)); two != nil {
		t.Errorf("two games give %+v", two)
	}
	if best, _ := levelOfGames(games(3, 0)); best.Value != float64(len(levels)) {
		t.Errorf("perfect play is level %v", best.Value)
	}
}
