package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/valuenet"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// someEvaluator evaluates by a rule that anybody can follow: each move is worth a point more than
// the one before it.
type someEvaluator struct{ rules *board.Rules }

func (someEvaluator) By() string { return "table" }

func (s someEvaluator) Evaluate(_ context.Context, p board.Position, roll int) (play.Evaluation, error) {
	e := play.Evaluation{Win: 0.5, Best: -1}
	for i := range s.rules.Moves(nil, p, max(0, roll)) {
		e.Moves, e.Best = append(e.Moves, 0.5+float64(i)/100), i
	}
	return e, nil
}

// memory keeps a game where a test can look at it.
type memory struct {
	game *record.Game // nil: there is nothing to resume
	err  error
}

func (k *memory) save(s *session.Session) error {
	if k.game = s.Snapshot(); len(s.Steps()) == 0 || s.Phase() == session.Over {
		k.game = nil
	}
	return k.err
}

// driver does what Bubble Tea does, without a terminal and without waiting.
type driver struct {
	*screen
	t    testing.TB
	m    *model // nil of a quiz
	quit bool
	late []tea.Msg // that a test holds back
	hold bool
}

// drive starts an interface of a size.
func drive(t testing.TB, width, height int, c Config) *driver {
	t.Helper()
	if c.Style == nil {
		c.Style = boardview.NewStyle(false, false)
	}
	if c.evaluator == nil {
		c.evaluator = func(_ context.Context, r *board.Rules) (play.Evaluator, error) { return someEvaluator{r}, nil }
	}
	c.hasty = true
	m := newModel(t.Context(), c)
	d := &driver{screen: &m.screen, t: t, m: m}
	return d.start(width, height)
}

// driveQuiz starts a quiz in a window of a size.
func driveQuiz(t testing.TB, width, height int, pages []Page) *driver {
	q := newQuiz(boardview.NewStyle(false, false), pages)
	d := &driver{screen: &q.screen, t: t}
	return d.start(width, height)
}

func (d *driver) start(width, height int) *driver {
	d.run(d.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// send gives the interface a message, and lets everything run that follows.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	case doneMsg:
		if d.hold && d.m.s.Phase() == session.Thinking {
			d.late = append(d.late, msg)
			return
		}
		d.send(msg)
	default:
		d.send(msg)
	}
}

// keys types keys: names of keys, or runes.
func (d *driver) keys(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		code, ok := map[string]rune{"enter": tea.KeyEnter, "left": tea.KeyLeft, "right": tea.KeyRight,
			"esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp}[name]
		switch {
		case name == "ctrl+c":
			d.send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
		case ok:
			d.send(tea.KeyPressMsg{Code: code})
		default:
			for _, r := range name {
				d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return d
}

// shown is what is shown.
func (d *driver) shown() string { return d.View().Content }

// wants fails unless the screen shows a text.
func (d *driver) wants(text string) {
	d.t.Helper()
	if !strings.Contains(d.shown(), text) {
		d.t.Fatalf("%q is not shown:\n%s", text, d.shown())
	}
}

// newSession begins a session.
func newSession(t testing.TB, setup session.Setup) *session.Session {
	t.Helper()
	return testkit.Must(session.New(t.Context(), setup))(t)
}

var against = session.Setup{Players: [2]string{session.Person, "greedy"}, Seed: 7}

// exactEvaluator evaluates by the exact solution of few pieces, whose numbers nothing changes.
func exactEvaluator(context.Context, *board.Rules) (play.Evaluator, error) {
	r, err := board.Finkel().WithPieces(pieces)
	if err != nil {
		return nil, err
	}
	table, err := play.DefaultTables().Table(context.Background(), r)
	return play.TableEvaluator(table), err
}

// pieces of the game that is shown.
const pieces = 3

// What is shown in every size, style and situation.
func TestViews(t *testing.T) {
	styles := map[string]*boardview.Style{"plain": boardview.NewStyle(false, false),
		"ascii": boardview.NewStyle(false, true), "colour": boardview.NewStyle(true, false)}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		for name, style := range styles {
			var shown strings.Builder
			show := func(title string, d *driver) {
				screen := d.shown()
				checkSize(t, screen, size[0], size[1])
				fmt.Fprintf(&shown, "=== %s ===\n%s\n", title, strings.ReplaceAll(screen, "\x1b", `\e`))
			}
			setup := against
			setup.Pieces = pieces
			d := drive(t, size[0], size[1],
				Config{Session: newSession(t, setup), Style: style, evaluator: exactEvaluator})
			show("the first move", d)
			for range 8 {
				d.keys("right", "enter")
			}
			show("in the middle", d)
			show("hints", d.keys("h"))
			show("a question", d.keys("l", "3"))
			show("help", d.keys("esc", "?"))
			show("over", d.keys("?", "x", "y"))
			golden(t, fmt.Sprintf("%dx%d-%s.txt", size[0], size[1], name), shown.String())
		}
	}
}

// checkSize checks that a screen fits.
func checkSize(t interface{ Errorf(string, ...any) }, screen string, width, height int) {
	lines := strings.Split(screen, "\n")
	if screen != "" && len(lines) > height {
		t.Errorf("%d lines, want %d at most:\n%s", len(lines), height, screen)
	}
	for _, line := range lines {
		if lipgloss.Width(line) > width {
			t.Errorf("%d columns, want %d at most:\n%s", lipgloss.Width(line), width, screen)
		}
	}
}

// golden compares a text with that of a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *testkit.Update {
		testkit.NoError(t, os.WriteFile(name, []byte(got), 0o666))
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != got {
		t.Errorf("%s (%v): go test -update writes what is shown now:\n%s", name, err, got)
	}
}

// Whatever is pressed, clicked and resized, the screen fits, nothing panics, and what is
// kept is the game that is shown.
func TestAnything(t *testing.T) {
	pressed := []string{"1", "2", "7", "enter", "enter", "enter", "left", "right", "h", "u", "r", "y",
		"a", "m", "v", "b", "n", "x", "s", "l", "r", "?", "q", "esc", "y", "pgup", "backspace", "é", "3", "w"}
	t.Chdir(t.TempDir())
	rapid.Check(t, func(r *rapid.T) {
		kept := new(memory)
		setup := session.Setup{
			Players: [2]string{rapid.SampledFrom([]string{session.Person, "random"}).Draw(r, "light"),
				rapid.SampledFrom([]string{session.Person, "greedy"}).Draw(r, "dark")},
			Pieces: rapid.IntRange(1, 7).Draw(r, "pieces"), Seed: rapid.Uint64().Draw(r, "seed"), Hints: true,
		}
		set, err := board.Lookup(rapid.SampledFrom(board.Names()).Draw(r, "rules"))
		if err != nil {
			r.Fatal(err)
		}
		setup.Rules = set
		d := drive(t, 80, 24, Config{Session: newSession(t, setup), Save: kept.save})
		width, height := 80, 24
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.IntRange(0, 9).Draw(r, "act") {
			case 0:
				width, height = rapid.IntRange(0, 130).Draw(r, "width"), rapid.IntRange(0, 50).Draw(r, "height")
				d.send(tea.WindowSizeMsg{Width: width, Height: height})
			case 1:
				d.send(
					tea.MouseClickMsg{X: rapid.IntRange(-1, 130).Draw(r, "x"), Y: rapid.IntRange(-1, 50).Draw(r, "y"),
						Button: tea.MouseLeft})
			case 2:
				d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
			default:
				d.keys(rapid.SampledFrom(pressed).Draw(r, "key"))
			}
			checkSize(r, d.shown(), width, height)
			if kept.game != nil && len(kept.game.Turns) != len(d.m.s.Steps()) {
				r.Fatalf("%d turns are kept of %d", len(kept.game.Turns), len(d.m.s.Steps()))
			}
		}
	})
}

// A whole game can be played by Enter, and by the mouse.
func TestWholeGame(t *testing.T) {
	kept := new(memory)
	setup := against
	setup.Pieces = 2
	for _, mouse := range []bool{false, true} {
		d := drive(t, 80, 24, Config{Session: newSession(t, setup), Save: kept.save})
		for d.m.s.Phase() != session.Over {
			before := len(d.m.s.Steps())
			if mouse {
				clickNumber(d, "(1)")
			} else {
				d.keys("enter")
			}
			if d.m.s.Phase() != session.Over && (len(d.m.s.Steps()) <= before || kept.game == nil) {
				t.Fatalf("nothing happens:\n%s", d.shown())
			}
		}
		d.wants(" wins after ")
		d.wants("points a move to perfect play")
		if kept.game != nil {
			t.Error("a game that is over waits to be gone on with")
		}
		if d.keys("q"); !d.quit {
			t.Error("it asks before it leaves a game that is over")
		}
	}
}

// clickNumber clicks where the number of a move stands on the board.
func clickNumber(d *driver, number string) {
	for y, line := range strings.Split(d.shown(), "\n") {
		if x := strings.Index(line, number); x > 0 && strings.Contains(line, "│") {
			d.send(tea.MouseClickMsg{X: lipgloss.Width(line[:x]), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	d.t.Fatalf("%s is not shown:\n%s", number, d.shown())
}

// A click on a piece chooses it, and a second one moves it.
func TestClickOnAPiece(t *testing.T) {
	d := drive(t, 80, 24, Config{Session: newSession(t, against)})
	d.keys("enter") // now a piece stands on A3
	if len(d.m.s.Turn().Moves) != 2 {
		t.Fatalf("another game:\n%s", d.shown())
	}
	before := len(d.m.s.Steps())
	x, y := -1, -1
	for row, line := range strings.Split(d.shown(), "\n") {
		if at := strings.Index(line, "○"); at > 0 && strings.HasPrefix(line, "A ") {
			x, y = lipgloss.Width(line[:at]), row
		}
	}
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	if d.m.cursor != 1 || len(d.m.s.Steps()) != before {
		t.Fatalf("the cursor is at move %d:\n%s", d.m.cursor+1, d.shown())
	}
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	if step := d.m.s.Steps()[before]; step.Text() != "A3-B1" {
		t.Errorf("%s was played", step.Text())
	}
}

// What is asked is answered, and nothing is done before.
func TestQuestions(t *testing.T) {
	kept := new(memory)
	d := drive(t, 80, 24, Config{Session: newSession(t, against), Save: kept.save})
	d.keys("enter", "q")
	d.wants("Quit? The game is saved")
	if d.keys("n"); d.quit {
		t.Fatal("no is yes")
	}
	d.keys("x")
	d.wants("Resign for Light?")
	d.keys("esc", "n")
	d.wants("Give this game up")
	d.keys("esc")
	before := d.m.s
	d.keys("l", "12", "enter")
	d.wants(`want level:1 to level:10`)
	d.keys("l", "nobody", "enter")
	d.wants(`unknown player "nobody"`)
	d.keys("l", "44", "backspace", "enter")
	if d.m.s.Players()[1] != "level:4" {
		t.Errorf("%s sits there", d.m.s.Players()[1])
	}
	d.keys("n", "y")
	if d.m.s == before || d.m.s.Players()[1] != "level:4" || len(d.m.s.Steps()) != 0 || kept.game != nil {
		t.Errorf("no new game:\n%s", d.shown())
	}
	d.keys("z")
	d.wants("z does nothing: the keys are named below")
	d.keys("6")
	d.wants("There is no move 6 (want 1)")
	d.keys("u")
	d.wants("There is nothing to take back")
	d.keys("r")
	d.wants("Nothing was taken back")
	d.keys("ctrl+c")
	if !d.quit || !d.m.interrupted {
		t.Error("Ctrl-C does not leave")
	}
}

// The game can be written to a file, but not over one.
func TestWriteGame(t *testing.T) {
	t.Chdir(t.TempDir())
	d := drive(t, 60, 20, Config{Session: newSession(t, against)})
	d.keys("enter", "w", "enter")
	d.wants("Written to game.jsonl")
	if text, err := os.ReadFile("game.jsonl"); err != nil || !strings.Contains(string(text), `"result":"unfinished"`) {
		t.Errorf("%s, %v", text, err)
	}
	d.keys("w", "enter")
	d.wants("game.jsonl exists")
	d.keys("w", "other.pgn", "enter")
	d.wants("other.pgn: extension")
	d.keys("w", "second.rgn", "enter") // what is typed replaces the name that is offered
	d.wants("Written to second.rgn")
	d.keys("w", "gama", "backspace", "e.txt", "enter")
	d.wants("Written to game.txt")
}

// An answer that comes after an undo is not played; the clock ends a game; what fails is
// told, and another player may take over.
func TestLateAndFailing(t *testing.T) {
	d := drive(t, 80, 24, Config{Session: newSession(t, against)})
	d.hold = true
	for len(d.late) == 0 {
		d.keys("enter")
	}
	d.wants("greedy thinks")
	d.keys("1")
	d.wants("It is the turn of Dark")
	d.hold = false
	d.keys("u")
	before := len(d.m.s.Steps())
	for _, msg := range d.late {
		d.send(msg)
	}
	if len(d.m.s.Steps()) != before {
		t.Error("a late answer was played")
	}

	setup := against
	setup.Parse = func(r *board.Rules, spec string) (play.Player, error) {
		if spec == "broken" {
			return play.Player{Spec: spec, New: func(ur.Engine) (play.Instance, error) { return broken{}, nil }}, nil
		}
		return play.ParsePlayerFor(r, spec)
	}
	setup.Players[1] = "broken"
	d = drive(t, 80, 24, Config{Session: newSession(t, setup)})
	for d.m.failed == nil {
		d.keys("enter")
	}
	d.wants("cannot play on; l takes another player")
	d.wants("the player is broken")
	d.keys("l", "random", "enter")
	if d.m.failed != nil || d.m.s.Phase() == session.Thinking {
		t.Errorf("it does not go on:\n%s", d.shown())
	}
}

// broken is an instance that fails.
type broken struct{}

func (broken) Choose(context.Context, *play.Turn) (int, error) {
	return 0, errors.New("the player is broken")
}

// A failure to save the game is shown.
func TestNotSaved(t *testing.T) {
	d := drive(t, 60, 20,
		Config{Session: newSession(t, against), Save: (&memory{err: errors.New("the disk is full")}).save})
	d.keys("enter")
	d.wants("This game is not saved: the disk is full")
	d.keys("q")
	d.wants("The game is not saved")
}

// A game that waits may be gone on with, left alone, or forgotten.
func TestOffer(t *testing.T) {
	waiting := newSession(t, session.Setup{Players: [2]string{session.Person, "random"}, Pieces: 3})
	forgotten := false
	for _, test := range []struct {
		key, shown string
	}{{"enter", "random"}, {"n", "greedy"}, {"f", "greedy"}} {
		offer := &Offer{Text: "Saved game: a against b.",
			GoOn:   func() (*session.Session, error) { return waiting, nil },
			Forget: func() error { forgotten = true; return nil }}
		d := drive(t, 60, 20, Config{Session: newSession(t, against), Offer: offer})
		d.wants("Saved game: a against b.")
		d.wants("n new game  f forget it")
		d.keys("2", test.key)
		d.wants(test.shown)
		if d.m.ask != nil || forgotten != (test.key == "f") {
			t.Errorf("after %s: forgotten %v", test.key, forgotten)
		}
	}
}

// The page on playing shows the screen as it is.
func TestDocument(t *testing.T) {
	page := testkit.Must(os.ReadFile("../../../../docs/play.md"))(t)
	views := testkit.Must(os.ReadFile("testdata/80x24-plain.txt"))(t)
	_, rest, _ := strings.Cut(string(views), "=== hints ===\n")
	screen, _, _ := strings.Cut(rest, "\n===")
	if !strings.Contains(string(page), "```text\n"+screen+"\n```\n") {
		t.Errorf("docs/play.md does not show\n%s", screen)
	}
}

// The whole exchange since a person's last move is shown and marked, and undo names the turns.
func TestExchange(t *testing.T) {
	setup := against
	setup.Seed = 3
	d := drive(t, 120, 40, Config{Session: newSession(t, setup)})
	for d.m.s.Phase() != session.Over && len(d.m.exchange()) < 3 {
		d.keys("enter")
	}
	steps := d.m.exchange()
	moves := 0
	for i, step := range steps {
		if i == len(steps)-1 {
			d.wants(d.m.c.Style.Happened(&step))
		} else {
			d.wants(fmt.Sprintf("%d: %s; ", step.Roll, step.Text()))
		}
		if !step.Passed() {
			moves++
		}
	}
	if marked := d.m.grid().Last; len(marked) != len(steps) || moves == 0 {
		t.Errorf("%d turns are marked, want %d, with moves", len(marked), len(steps))
	}
	d.keys("u")
	d.wants("Taken back: Light ")
	d.wants(", Dark " + steps[len(steps)-1].Text())
}

// After the end, the analysis steps through the game with the position before each move.
func TestReview(t *testing.T) {
	setup := against
	setup.Pieces = pieces
	d := drive(t, 80, 24, Config{Session: newSession(t, setup), evaluator: exactEvaluator})
	d.keys("a")
	d.wants("opens when the game is over")
	for d.m.s.Phase() != session.Over {
		d.keys("enter")
	}
	d.keys("a")
	d.m.review.at = 0
	d.wants(fmt.Sprintf("Turn 1 of %d", len(d.m.s.Steps())))
	if d.m.grid().Position != d.m.s.Steps()[0].Position {
		t.Error("the board shows another position")
	}
	d.keys("right", "right", "left")
	d.wants("Turn 2 of ")
	d.keys("m")
	if mark := d.m.ending.Moves[d.m.review.at].Mark; mark == "" {
		t.Error("the next mistake is none")
	}
	d.wants("regret ")
	d.wants(" %  best")
	d.wants("%, exact")
	if line := fmt.Sprintf("%3d ", d.m.review.at+1); !strings.Contains(d.m.list.View(), line) {
		t.Errorf("the list does not follow to turn %s:\n%s", line, d.shown())
	}
	if d.keys("esc"); d.m.review != nil {
		t.Error("the analysis stays open")
	}
	d.wants(" wins after ")
}

// The introduction has three pages, in every size, and asks again for the right move.
func TestIntroduction(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		d := driveQuiz(t, size[0], size[1], Introduction())
		for i, title := range []string{"1 of 3: the path", "2 of 3: the rosette", "3 of 3: the capture"} {
			d.wants(title)
			checkSize(t, d.shown(), size[0], size[1])
			d.keys("enter")
			d.wants("is legal, too")
			d.keys("2")
			d.wants("best ")
			checkSize(t, d.shown(), size[0], size[1])
			if d.keys("enter"); d.quit != (i == 2) {
				t.Errorf("%s: quit is %v", title, d.quit)
			}
		}
		if d = driveQuiz(t, size[0], size[1], Introduction()).keys("esc"); !d.quit {
			t.Error("Esc does not leave")
		}
	}
}

// The picture of the interface in README.md is drawn from this screen: a game against the net,
// with hints by the net.
func TestPicture(t *testing.T) {
	_, value, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		t.Fatal(err)
	}
	setup := session.Setup{Players: [2]string{session.Person, "net"}, Seed: 11, Hints: true}
	d := drive(t, 120, 36, Config{
		Session: newSession(t, setup), Style: boardview.NewStyle(true, false),
		evaluator: func(context.Context, *board.Rules) (play.Evaluator, error) { return play.NetEvaluator(value), nil },
	})
	for range 19 {
		d.keys("enter")
	}
	golden(t, "picture.txt", strings.ReplaceAll(d.shown(), "\x1b", `\e`)+"\n")
}

// Puzzles are answered by number, arrows, mouse or not at all, and explained each time.
func TestQuiz(t *testing.T) {
	puzzles := testkit.Must(puzzle.All())(t)
	puzzles = puzzles[:4]
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		var choices []int
		var pages []Page
		for _, p := range puzzles {
			pages = append(pages, Page{Title: fmt.Sprintf("Puzzle %d (%d of 4)", p.Number, p.Number), Turn: p.MustTurn(), Best: p.Index(p.Best), Answer: func(choice int) (string, bool) {
				choices = append(choices, choice)
				return fmt.Sprintf("explained %d", p.Number), true
			}})
		}
		d := driveQuiz(t, size[0], size[1], pages)
		d.wants("Puzzle 1 (1 of 4)")
		d.keys("9")
		d.wants("There is no move 9")
		d.keys("2")
		d.wants("explained 1")
		d.wants("best " + puzzles[0].Best)
		d.keys("enter", "right", "enter")
		d.wants("explained 2")
		d.send(tea.MouseClickMsg{}) // as Enter
		d.keys("s")
		d.wants("explained 3")
		checkSize(t, d.shown(), size[0], size[1])
		d.keys("enter")
		x, y := tileOf(t, d.grid(), puzzles[3].MustTurn().Moves[0])
		d.send(tea.MouseClickMsg{X: x, Y: y + headLines, Button: tea.MouseLeft})
		d.wants("explained 4")
		if d.keys("enter"); !d.quit {
			t.Error("it does not end after the last puzzle")
		}
		if fmt.Sprint(choices) != "[1 1 -1 0]" {
			t.Errorf("answers %v", choices)
		}
	}
}

// tileOf returns a place on the tile where a move ends.
func tileOf(t *testing.T, g *boardview.Grid, m board.Move) (x, y int) {
	for y := range g.Lines() {
		for x := range g.Columns() {
			if _, to := g.Ends(x, y, m); to {
				return x, y
			}
		}
	}
	t.Fatal("no such tile")
	return 0, 0
}
