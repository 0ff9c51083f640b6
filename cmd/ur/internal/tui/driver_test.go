package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

func TestMain(m *testing.M) { testkit.Main(m) }

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
		c.Style = NewStyle(false, false)
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
	q := newQuiz(NewStyle(false, false), pages)
	d := &driver{screen: &q.screen, t: t}
	return d.start(width, height)
}

func (d *driver) start(width, height int) *driver {
	d.runOn(d.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// send gives the interface a message, and lets everything run that follows.
func (d *driver) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.runOn(cmd)
}

func (d *driver) runOn(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.runOn(cmd)
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
			"esc": tea.KeyEscape, "home": tea.KeyHome, "backspace": tea.KeyBackspace, "pgup": tea.KeyPgUp}[name]
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

// shownTurn is what is shown.
func (d *driver) shownTurn() string { return d.View().Content }

// wants fails unless the screen shows all texts.
func (d *driver) wants(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		shown := d.shownTurn()
		testkit.FatalIf(d.t, !strings.Contains(shown, text), "%q is not shown:\n%s", text, shown)
	}
}

// newSession begins a session.
func newSession(t testing.TB, setup session.Setup) *session.Session {
	t.Helper()
	return testkit.Must(session.New(t.Context(), setup))(t)
}

// exactEvaluator evaluates by the exact solution of few pieces, whose numbers nothing changes.
func exactEvaluator(context.Context, *board.Rules) (play.Evaluator, error) {
	r, err := board.Finkel().WithPieces(pieces)
	if err != nil {
		return nil, err
	}
	table, err := play.DefaultTables().Table(context.Background(), r)
	return play.TableEvaluator(table), err
}

// checkSize checks that a screen fits.
func checkSize(t testkit.T, screen string, width, height int) {
	lines := strings.Split(screen, "\n")
	testkit.ErrorIf(t, screen != "" && len(lines) > height,
		"%d lines, want %d at most:\n%s", len(lines), height, screen)
	for _, line := range lines {
		testkit.ErrorIf(t, lipgloss.Width(line) > width,
			"%d columns, want %d at most:\n%s", lipgloss.Width(line), width, screen)
	}
}

// clickNumber clicks where the number of a move stands on the board.
func clickNumber(d *driver, number string) {
	for y, line := range strings.Split(d.shownTurn(), "\n") {
		if x := strings.Index(line, number); x > 0 && strings.Contains(line, "│") {
			d.send(tea.MouseClickMsg{X: lipgloss.Width(line[:x]), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	d.t.Fatalf("%s is not shown:\n%s", number, d.shownTurn())
}

// tileOf returns a place on the tile where a move ends.
func tileOf(t *testing.T, g *Grid, m board.Move) (x, y int) {
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
