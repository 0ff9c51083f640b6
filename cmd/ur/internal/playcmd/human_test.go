package playcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/results"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// lineGame is a game at a terminal, line by line.
type lineGame struct {
	*playRun
	shown string
}

// playTyped plays a game line by line, as if at a terminal, by what is typed.
func playTyped(t *testing.T, o playOptions, lines ...string) lineGame {
	t.Helper()
	return playTypedIn(t, t.TempDir(), o, lines...)
}

// playTypedIn plays with a folder for the cache.
func playTypedIn(t *testing.T, cache string, o playOptions, lines ...string) lineGame {
	t.Helper()
	testkit.SetHome(t, cache)
	o.Rules.Pieces = cmp.Or(o.Rules.Pieces, board.FinkelPieces)
	o.Light, o.Dark = cmp.Or(o.Light, session.Person), cmp.Or(o.Dark, "greedy")
	var stdout, stderr bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(strings.Join(lines, "\n") + "\n"), Stdout: &stdout, Stderr: &stderr}
	game := &playRun{ctx: t.Context(), env: env, options: o, inPerson: true}
	testkit.NoError(t, game.beginGame())
	testkit.NoError(t, game.playGame())
	testkit.MustEqual(t, stderr.String(), "", "stderr after\n%s", &stdout)
	game.unlockGame()
	return lineGame{game, stdout.String()}
}

// boards counts how often the board was drawn.
func (g lineGame) boards() int {
	return strings.Count(g.shown, "┌──────┬──────┬──────┬──────┐ ")
}

// Neither help nor wrong input scrolls the board away.
func TestTheBoardStays(t *testing.T) {
	g := playTyped(t, playOptions{Seed: 7}, "?", "q")
	testkit.Equal(t, g.boards(), 2, "boards after ? in\n%s", g.shown)
	testkit.WantText(t, g.shown, "in- from the hand, x captures, * rosette.",
		"Light walks A4 to A1, B1 to B8, A8, A7 and home")
	g = playTyped(t, playOptions{Seed: 7}, "x1", "x2", "9", "zz", "x3", "x4", "x5", "x6", "b", "q")
	testkit.Equal(t, g.boards(), 4, "boards after wrong input in\n%s", g.shown)
}

// Another game follows where it is wanted, with the sides swapped or not, and the end can be taken back.
func TestPlayAgain(t *testing.T) {
	enough := strings.Split(strings.Repeat("1 ", 200), " ")
	first := playTyped(t, playOptions{Seed: 3, Rules: pick.Rules{Pieces: 1}, Dark: "first"},
		append(enough[:4], "x", "nonsense", "n", "x", "y", "nonsense", "y", "q")...)
	testkit.WantText(t, first.shown, " resigns.")
	dice, _ := first.session.Dice()
	testkit.Equal(t, dice.Game, 1, "the game of the dice in\n%s", first.shown)
	refused := playTyped(t, playOptions{Seed: 3, Rules: pick.Rules{Pieces: 1}, Dark: "first"}, "x", "y", "n", "1")
	dice, _ = refused.session.Dice()
	testkit.ErrorIf(t, dice.Game != 0 || refused.session.Phase() != session.Over,
		"no is taken for yes:\n%s", refused.shown)
	swapped := playTyped(t, playOptions{Seed: 3, Rules: pick.Rules{Pieces: 2}, Dark: "first"}, "x", "y", "s", "q")
	testkit.Equal(t, swapped.session.Players(), [2]string{"first", session.Person}, "the players")
	back := playTyped(t, playOptions{Seed: 3, Rules: pick.Rules{Pieces: 2}, Dark: "first"}, "x", "y", "u", "q")
	testkit.Equal(t, back.session.Phase(), session.Choosing, "phase of\n%s", back.shown)
}

// The analysis steps through a finished game, with the values of all moves; no ends it.
func TestReviewInLines(t *testing.T) {
	for _, ui := range []tui.UI{tui.Lines, tui.Words} {
		g := playTyped(t, playOptions{Seed: 7, Rules: pick.Rules{Pieces: 2}, UI: ui}, "a", "", "x", "no", "x", "yes",
			"a", "first", "", "back", "m", "a", "no")
		testkit.WantText(t, g.shown, "opens when the game is over", "Resign for Light?",
			"Dark (greedy) wins after ", "Turn 1 of ", "Turn 2 of ", "regret ", "exact:", "Analysis (Enter next, ")
	}
}

// A line that is neither a move nor an action is answered with all of both.
func TestWrongLines(t *testing.T) {
	g := playTyped(t, playOptions{Seed: 7, UI: tui.Words}, "zero", "help", "q")
	testkit.WantText(t, g.shown,
		`"zero" is not a move (want 1, or hints, path, undo, redo, analyze, new, level, swap, resign, rules, write, board, help, quit)`)
	testkit.WantText(t, playTyped(t, playOptions{Seed: 7}, "x", "maybe", "n", "q").shown,
		`"maybe" is not an answer (want y yes, n no)`)
	testkit.ErrorIf(t, strings.Contains(g.shown, "captures, *"),
		"the help explains signs that are not printed:\n%s", g.shown)
}

// In words there are no signs of pieces.
func TestReader(t *testing.T) {
	g := playTyped(t, playOptions{Seed: 7, UI: tui.Words}, "", "h", "A3-B1", "q")
	testkit.WantText(t, g.shown,
		"Turn 3.\nLight: 6 in hand, on A3, 0 home.\nDark: 6 in hand, on C4, 0 home.\nLight, you threw 3.\n1: a piece enters on A2.\n2: from A3 to B1.\n",
		"Light throws 3: from A3 to B1.\n", "How likely Light wins after each move, ")
	testkit.ErrorIf(t, strings.ContainsAny(g.shown, "○●▲△✿│"), "signs are shown:\n%s", g.shown)
}

// The opponent and the sides change in the middle, and the game goes to a file.
func TestLineCommands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.rgn")
	g := playTyped(t, playOptions{Seed: 7}, "", "l 3", "w "+file, "w", file, "s", "q")
	testkit.WantText(t, g.shown, "Write to (.jsonl, .txt, .rgn, .royalur) [game.jsonl]: ", "Written to "+file,
		"exists (want another name)", "Go on with: ur play --resume")
	testkit.Equal(t, g.session.Players(), [2]string{"level:3", session.Person}, "the players")
	testkit.WantText(t, testkit.ReadText(t, file), "A@A3")
}

// A suggestion has a line of its own.
func TestSuggestionInLines(t *testing.T) {
	g := playTyped(t, playOptions{Seed: 7}, "l brian", "q")
	testkit.WantText(t, g.shown, "\n  Did you mean \"brain\"?\n")
}

// A game against a program is resumed by a command that names the program. Another game is not saved in its place.
func TestResumeProgram(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("cat")))
	cache := t.TempDir()
	const command = "ur play --resume --dark 'exec:cat'"
	g := playTypedIn(t, cache, playOptions{Seed: 7, Dark: "exec:cat"}, "1", "q")
	testkit.WantText(t, g.shown, "Go on with: "+command+"\n")
	g = playTypedIn(t, cache, playOptions{Seed: 7, offer: true}, "y", "1", "q")
	testkit.WantText(t, g.shown, "  a program needs its flag: "+command+"\n", "Go on with: ur play --resume\n")
	testkit.Equal(t, len(testkit.Must(testkit.Must(session.DefaultStore())(t).List())(t)), 2, "saved games")
}

// A game that cannot be saved is not said to be, and nothing is said to go on with it.
func TestGameThatIsNotSaved(t *testing.T) {
	noFolder := filepath.Join(t.TempDir(), "file")
	testkit.WriteText(t, noFolder, "")
	g := playTypedIn(t, noFolder, playOptions{Seed: 7}, "", "q")
	testkit.WantText(t, g.shown, " The game is not saved: ")
	testkit.ErrorIf(t, strings.Contains(g.shown, "Go on with"), "it is told how to go on:\n%s", g.shown)
}

func TestMain(m *testing.M) { testkit.Main(m) }

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
	testkit.WantErrorIs(t, a.flushPending(), context.Canceled, "the end")
	testkit.NoError(t, a.finishReport())
	first, _, _ := strings.Cut(out.String(), "\n")
	testkit.Equal(t, first, "5 games, judged by the exact solution", "the first line")
}

// runMine runs "ur analyze --mine" with flags, and returns its output.
func runMine(t *testing.T, flags ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"analyze", "--mine"}, flags...)
	testkit.NoError(t, program.Run(t.Context(), args, strings.NewReader(""), &out, &errs))
	testkit.MustEqual(t, errs.String(), "", "stderr")
	return out.Bytes()
}

// A game that ends is kept once, however often it ends, and counts in the statistics.
func TestFinishedGames(t *testing.T) {
	game := append(slices.Repeat([]string{"1"}, 20), "u", "1", "1", "1", "1", "q", "q")
	g := playTyped(t, playOptions{Seed: 3, Rules: pick.Rules{Pieces: 1}, Dark: "level:1"}, game...)
	testkit.MustEqual(t, g.session.Phase(), session.Over, "phase of\n%s", g.shown)
	var r mineReport
	testkit.NoError(t, json.Unmarshal(runMine(t, "--json"), &r))
	testkit.FatalIf(t, len(r.Games) != 1 || r.Games[0].Against != "level:1" || r.Games[0].Turns == 0 ||
		len(r.Opponents) != 1 || r.Opponents[0].Regret != nil || r.Level != nil, "%+v", r)
	text := string(runMine(t))
	testkit.WantText(t, text, "After three games", "level:1", r.Folder)
	testkit.ErrorIf(t, strings.Contains(text, "0.00"), "a regret without a decision in\n%s", text)
	testkit.NoError(t, os.RemoveAll(r.Folder))
	testkit.WantText(t, string(runMine(t)), "There is none yet")
}

// Games of rules without a table or a net are listed without a regret, and games with the same dice
// but other players or rules are games of their own.
func TestFinishedGamesOfOtherRules(t *testing.T) {
	testkit.SetHome(t, t.TempDir())
	custom := testkit.Must(board.New(board.Definition{
		Name: "mine", Board: []string{"##", "##", "##"}, Light: []string{"A1", "B1"}, Rosettes: []string{},
		Pieces: 1, Dice: []int{0, 1},
	}))(t)
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
	var r mineReport
	testkit.NoError(t, json.Unmarshal(runMine(t, "--json"), &r))
	// Tests before this one may have solved games of one piece, which the process keeps.
	judged := r.By == "search by the built-in net" || r.By == "the exact solution"
	testkit.ErrorIf(t, len(r.Games) != 3 || !judged || r.Games[2].Regret != nil, "%+v", r)
}

// The level is found between those of more and of less regret, with an interval that narrows.
func TestLevelOfGames(t *testing.T) {
	games := func(n int, regrets ...float64) (list []mineGame) {
		for i := range n {
			list = append(list, mineGame{Rules: "finkel", Regret: &regrets[i%len(regrets)], Decisions: 20})
		}
		return list
	}
	levels := testkit.Must(results.LevelRegrets())(t)
	between := (levels[1] + levels[2]) / 2
	few := testkit.Must(levelOfGames(games(4, between-0.1, between+0.1)))(t)
	testkit.Near(t, few.Value, 2.5, 1e-9, "level of four games")
	testkit.ErrorIf(t, few.Lo >= 2.5 || few.Hi <= 2.5, "%+v", few)
	many, _ := levelOfGames(games(40, between-0.1, between+0.1))
	testkit.ErrorIf(t, many.Hi-many.Lo >= few.Hi-few.Lo, "40 games give %+v, 4 games %+v", many, few)
	two, _ := levelOfGames(games(2, between))
	testkit.ErrorIf(t, two != nil, "two games give %+v", two)
	best, _ := levelOfGames(games(3, 0))
	testkit.Equal(t, best.Value, float64(len(levels)), "level of perfect play")
}
