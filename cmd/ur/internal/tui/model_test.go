package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/valuenet"
	"pgregory.net/rapid"
)

var against = session.Setup{Players: [2]string{session.Person, "greedy"}, Seed: 7}

// pieces of the game that is shown.
const pieces = 3

// What is shown in every size, style and situation.
func TestViews(t *testing.T) {
	styles := map[string]*Style{"plain": NewStyle(false, false),
		"ascii": NewStyle(false, true), "colour": NewStyle(true, false)}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		for name, style := range styles {
			var shown strings.Builder
			show := func(title string, d *driver) {
				screen := d.shownTurn()
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
			testkit.Golden(t, fmt.Sprintf("%dx%d-%s.txt", size[0], size[1], name), []byte(shown.String()))
		}
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
		setup.Rules = testkit.Must(board.Lookup(rapid.SampledFrom(board.Names()).Draw(r, "rules")))(r)
		d := drive(t, 80, 24, Config{Session: newSession(t, setup), Save: kept.save})
		width, height := 80, 24
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.IntRange(0, 9).Draw(r, "act") {
			case 0:
				width, height = rapid.IntRange(0, 130).Draw(r, "width"), rapid.IntRange(0, 50).Draw(r, "height")
				d.send(tea.WindowSizeMsg{Width: width, Height: height})
			case 1:
				x, y := rapid.IntRange(-1, 130).Draw(r, "x"), rapid.IntRange(-1, 50).Draw(r, "y")
				d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			case 2:
				d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
			default:
				d.keys(rapid.SampledFrom(pressed).Draw(r, "key"))
			}
			checkSize(r, d.shownTurn(), width, height)
			if kept.game != nil {
				testkit.MustEqual(r, len(kept.game.Turns), len(d.m.s.Steps()), "turns that are kept")
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
			testkit.FatalIf(t, d.m.s.Phase() != session.Over && (len(d.m.s.Steps()) <= before || kept.game == nil),
				"nothing happens:\n%s", d.shownTurn())
		}
		d.wants(" wins after ", "points a move to perfect play")
		testkit.ErrorIf(t, kept.game != nil, "a game that is over waits to be gone on with")
		d.keys("q")
		testkit.ErrorIf(t, !d.quit, "it asks before it leaves a game that is over")
	}
}

// A click on a piece chooses it, and a second one moves it.
func TestClickOnAPiece(t *testing.T) {
	d := drive(t, 80, 24, Config{Session: newSession(t, against)})
	d.keys("enter") // now a piece stands on A3
	testkit.MustEqual(t, len(d.m.s.Turn().Moves), 2, "moves of\n%s", d.shownTurn())
	before := len(d.m.s.Steps())
	x, y := -1, -1
	for row, line := range strings.Split(d.shownTurn(), "\n") {
		if at := strings.Index(line, "○"); at > 0 && strings.HasPrefix(line, "A ") {
			x, y = lipgloss.Width(line[:at]), row
		}
	}
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	testkit.FatalIf(t, d.m.cursor != 1 || len(d.m.s.Steps()) != before,
		"the cursor is at move %d:\n%s", d.m.cursor+1, d.shownTurn())
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	testkit.Equal(t, d.m.s.Steps()[before].Text(), "A3-B1", "the turn played")
}

// What is asked is answered, and nothing is done before.
func TestQuestions(t *testing.T) {
	kept := new(memory)
	d := drive(t, 80, 24, Config{Session: newSession(t, against), Save: kept.save})
	d.keys("enter", "q").wants("Quit? The game is saved")
	d.keys("n")
	testkit.FatalIf(t, d.quit, "no is yes")
	d.keys("x").wants("Resign for Light?")
	d.keys("esc", "n").wants("Give this game up")
	d.keys("esc")
	before := d.m.s
	d.keys("l", "12", "enter").wants(`want level:1 to level:10`)
	d.keys("l", "nobody", "enter").wants(`unknown player "nobody"`)
	d.keys("l", "44", "backspace", "enter")
	testkit.Equal(t, d.m.s.Players()[1], "level:4", "who sits there")
	d.keys("n", "y")
	testkit.ErrorIf(t, d.m.s == before || d.m.s.Players()[1] != "level:4" || len(d.m.s.Steps()) != 0 ||
		kept.game != nil, "no new game:\n%s", d.shownTurn())
	d.keys("z").wants("z does nothing: the keys are named below")
	d.keys("6").wants("There is no move 6 (want 1)")
	d.keys("u").wants("There is nothing to take back")
	d.keys("r").wants("Nothing was taken back")
	d.keys("ctrl+c")
	testkit.ErrorIf(t, !d.quit || !d.m.interrupted, "Ctrl-C does not leave")
}

// A window that is too small names the least one that is not.
func TestSmallWindow(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {60, 19}, {59, 40}} {
		drive(t, size[0], size[1], Config{Session: newSession(t, against)}).wants("needs a window of 60 x 20")
	}
}

// The game can be written to a file, but not over one.
func TestWriteGame(t *testing.T) {
	t.Chdir(t.TempDir())
	d := drive(t, 60, 20, Config{Session: newSession(t, against)})
	d.keys("enter", "w", "enter").wants("Written to game.jsonl")
	testkit.WantText(t, testkit.ReadText(t, "game.jsonl"), `"result":"unfinished"`)
	d.keys("w", "enter").wants("game.jsonl exists")
	d.keys("w", "other.pgn", "enter").wants("other.pgn: extension")
	d.keys("w", "second.rgn", "enter") // what is typed replaces the name that is offered
	d.wants("Written to second.rgn")
	d.keys("w", "gama", "backspace", "e.txt", "enter").wants("Written to game.txt")
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
	d.keys("1").wants("It is the turn of Dark")
	d.hold = false
	d.keys("u")
	before := len(d.m.s.Steps())
	for _, msg := range d.late {
		d.send(msg)
	}
	testkit.Equal(t, len(d.m.s.Steps()), before, "turns after a late answer")

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
	d.wants("cannot play on; l takes another player", "the player is broken")
	d.keys("l", "random", "enter")
	testkit.ErrorIf(t, d.m.failed != nil || d.m.s.Phase() == session.Thinking, "it does not go on:\n%s", d.shownTurn())
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
	d.keys("enter").wants("This game is not saved: the disk is full")
	d.keys("q").wants("The game is not saved")
}

// A game that waits may be gone on with, left alone, or forgotten.
func TestOffer(t *testing.T) {
	waiting := newSession(t, session.Setup{Players: [2]string{session.Person, "random"}, Pieces: 3})
	for key, shown := range map[string]string{"enter": "random", "n": "greedy", "f": "greedy"} {
		forgotten := false
		offer := &Offer{Text: "Saved game: a against b.",
			GoOn:   func() (*session.Session, error) { return waiting, nil },
			Forget: func() error { forgotten = true; return nil }}
		d := drive(t, 60, 20, Config{Session: newSession(t, against), Offer: offer})
		d.wants("Saved game: a against b.", "n new game  f forget it")
		d.keys("2", key).wants(shown)
		testkit.ErrorIf(t, d.m.ask != nil || forgotten != (key == "f"), "after %s: forgotten %v", key, forgotten)
	}
	refused := &Offer{Text: "Saved game.", GoOn: func() (*session.Session, error) { return nil, errors.New("a program") }}
	setup := session.Setup{Players: [2]string{"greedy", session.Person}, Seed: 7}
	d := drive(t, 60, 20, Config{Session: newSession(t, setup), Offer: refused})
	d.keys("enter")
	testkit.ErrorIf(t, len(d.m.s.Steps()) == 0, "no new game begins:\n%s", d.shownTurn())
}

// The suggestion in a long error is shown, whose lines do not fit.
func TestSuggestion(t *testing.T) {
	setup := against
	setup.Parse = func(r *board.Rules, spec string) (play.Player, error) {
		if spec == "brian" {
			return play.Player{}, errors.New("unknown player\nDid you mean \"brain\"?")
		}
		return play.ParsePlayerFor(r, spec)
	}
	d := drive(t, 60, 20, Config{Session: newSession(t, setup)})
	d.keys("l", "brian", "enter").wants("\nDid you mean \"brain\"?\n")
}

// The page on playing shows the screen as it is.
func TestDocument(t *testing.T) {
	_, rest, _ := strings.Cut(testkit.ReadText(t, "testdata/80x24-plain.txt"), "=== hints ===\n")
	screen, _, _ := strings.Cut(rest, "\n===")
	testkit.WantText(t, testkit.ReadText(t, "../../../../docs/play.md"), "```text\n"+screen+"\n```\n")
}

// The whole exchange since a person's last move is shown and marked, and undo names the turns.
func TestExchange(t *testing.T) {
	setup := against
	setup.Seed = 3
	d := drive(t, 120, 40, Config{Session: newSession(t, setup)})
	for d.m.s.Phase() != session.Over && len(d.m.lastExchange()) < 3 {
		d.keys("enter")
	}
	steps := d.m.lastExchange()
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
	testkit.Equal(t, len(d.m.currentGrid().Last), len(steps), "turns that are marked")
	testkit.ErrorIf(t, moves == 0, "no move is marked")
	d.keys("u").wants("Taken back: Light ", ", Dark "+steps[len(steps)-1].Text())
}

// The picture of the interface in README.md is drawn from this screen: a game against the net,
// with hints by the net.
func TestPicture(t *testing.T) {
	_, value, err := valuenet.BuiltinFor(board.Finkel())
	testkit.NoError(t, err)
	setup := session.Setup{Players: [2]string{session.Person, "net"}, Seed: 11, Hints: true}
	d := drive(t, 120, 36, Config{
		Session: newSession(t, setup), Style: NewStyle(true, false),
		evaluator: func(context.Context, *board.Rules) (play.Evaluator, error) { return play.NetEvaluator(value), nil },
	})
	for range 19 {
		d.keys("enter")
	}
	testkit.Golden(t, "picture.txt", []byte(strings.ReplaceAll(d.shownTurn(), "\x1b", `\e`)+"\n"))
}
