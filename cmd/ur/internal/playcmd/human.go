package playcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/tui"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"golang.org/x/term"
)

// errQuit ends the command because the user quit the game.
var errQuit = errors.New("quit")

// maxTypedLine is more than anybody types.
const maxTypedLine = 1000

// lineMode plays a game line by line.
type lineMode struct {
	*table
	screen    *screen
	adviser   adviser // gives hints
	told      bool    // already warned that the game cannot be saved
	sinceGrid int     // lines since the board was drawn
}

// playLines plays the game line by line: on a terminal, or as a script drives it.
func (t *table) playLines() error {
	l := &lineMode{table: t, screen: t.newScreen()}
	if t.offered != nil {
		if err := t.askOffer(); err != nil {
			return l.left(err)
		}
	}
	var err error
	if players := t.session.Players(); players[0] == session.Person || players[1] == session.Person {
		l.adviser.find = t.judge
		if t.options.hints {
			if l.adviser.judge, err = t.judge(); err != nil {
				return err
			}
		}
	}
	l.screen.intro(t.session)
	for err == nil {
		err = l.next()
	}
	return l.left(err)
}

// newScreen returns the screen on stdout.
func (t *table) newScreen() *screen {
	s := &screen{out: t.env.Stdout, paint: t.options.style(t.env), inWords: t.options.ui == uiWords}
	s.paint.InWords = s.inWords
	const wide = 70
	if out, ok := terminalOf(t.env.Stdout).(*os.File); ok {
		width, _, err := term.GetSize(int(out.Fd()))
		s.narrow = err == nil && width < wide
	}
	return s
}

// left returns the command's error after the game ended or the user left.
func (l *lineMode) left(err error) error {
	switch {
	case errors.Is(err, errOver):
		return nil
	case errors.Is(err, errQuit):
		l.screen.printf("\n")
		l.farewell()
		return nil
	case l.ctx.Err() != nil:
		l.screen.printf("\n")
		return cli.ErrInterrupted
	}
	l.screen.printf("\n")
	return err
}

// errOver ends a finished game.
var errOver = errors.New("the game is over")

// next plays until a person has to choose, and asks for the choice.
func (l *lineMode) next() error {
	err := l.session.Run(l.ctx, func(s *play.Turn) {
		l.screen.turn(s)
		l.keepOn()
	})
	if err != nil {
		return err
	}
	if l.session.Phase() == session.Over {
		return l.over()
	}
	return l.choose()
}

// keepOn saves the game after a move. It warns once if that fails.
func (l *lineMode) keepOn() {
	var err error
	if l.session.Phase() == session.Over {
		err = l.Finish(l.session.Record())
	} else {
		err = l.Save(l.session.Kept())
	}
	if err != nil && !l.told {
		l.told = true
		fmt.Fprintf(l.env.Stderr, "ur play: this game is not kept: %v\n", err)
	}
}

// over shows how the game ended, and at a terminal asks for another.
func (l *lineMode) over() error {
	l.screen.result(l.session)
	if !l.inPerson {
		return errOver
	}
	for {
		l.screen.printf("Play again (y), with the sides swapped (s), take back (u), or quit (q)? ")
		line, err := l.read()
		if err != nil {
			return err
		}
		switch line {
		case "y", "yes", "s":
			again, err := l.session.Again(l.ctx, line == "s")
			if err != nil {
				return err
			}
			l.session = again
			l.screen.intro(again)
			return nil
		case "u", "undo":
			if l.session.Undo() {
				return nil
			}
		case "q", "quit", "n", "no", "":
			return errOver
		}
	}
}

// choose prompts until the user makes a move or changes the game.
func (l *lineMode) choose() error {
	t := l.session.Turn()
	l.draw()
	if l.session.Setup().Hints {
		l.advise()
	}
	for {
		line, err := l.ask(t)
		if err != nil {
			return err
		}
		if choice, err := session.Typed(t, line); err == nil {
			step := l.session
			if err := step.Move(choice); err != nil {
				return err
			}
			steps := step.Steps()
			l.screen.turn(&steps[len(steps)-1])
			l.keepOn()
			return nil
		}
		word, rest, _ := strings.Cut(line, " ")
		command, ok := lineCommands[word]
		if !ok {
			l.say("  %s (want %s, ?, h or q)\n", typed(line), choices(t))
			continue
		}
		done, err := command(l, strings.TrimSpace(rest))
		if done || err != nil {
			return err
		}
	}
}

// draw draws the question.
func (l *lineMode) draw() {
	l.screen.question(l.session.Turn())
	l.sinceGrid = 0
}

// say prints a line below the prompt. At a terminal the prompt is drawn again before it is
// scrolled away.
func (l *lineMode) say(format string, args ...any) {
	const most = 4
	l.screen.printf(format, args...)
	if l.sinceGrid++; l.inPerson && l.sinceGrid >= most {
		l.draw()
	}
}

// advise prints the values of the moves.
func (l *lineMode) advise() { l.adviser.advise(l.screen, l.session.Turn()) }

// lineCommands are the inputs besides moves. Each reports whether it changed the pending turn.
var lineCommands = map[string]func(l *lineMode, rest string) (done bool, err error){
	"q": quit, "quit": quit,
	"h": hint, "hint": hint, "hints": hint,
	"?": help, "help": help,
	"u": takeBack, "undo": takeBack,
	"y": playAgain, "redo": playAgain,
	"x": resign, "resign": resign,
	"s": swapSides, "swap": swapSides,
	"l": otherPlayer, "level": otherPlayer,
	"w": writeTo, "write": writeTo,
	"b": redraw, "board": redraw,
}

func quit(*lineMode, string) (bool, error) { return false, errQuit }

func hint(l *lineMode, _ string) (bool, error) {
	l.advise()
	return false, nil
}

func help(l *lineMode, _ string) (bool, error) {
	sign := " " + l.screen.paint.RosetteSign()
	if l.screen.inWords {
		sign = ""
	}
	if r := l.session.Setup().Rules; r != nil {
		l.screen.printf("\n%s\n", text.Wrap(r.Title()+". "+r.About(), "  ", 78))
	} else {
		l.screen.printf(finkelRules, sign)
	}
	l.screen.printf(typingHelp)
	if l.inPerson {
		l.draw()
	}
	return false, nil
}

func redraw(l *lineMode, _ string) (bool, error) {
	l.draw()
	return false, nil
}

func takeBack(l *lineMode, _ string) (bool, error) {
	before := slices.Clone(l.session.Steps())
	if !l.session.Undo() {
		l.say("  There is nothing to take back\n")
		return false, nil
	}
	l.screen.printf("  Taken back: %s\n", tui.StepsText(before[len(l.session.Steps()):]))
	l.keepOn()
	return true, nil
}

func playAgain(l *lineMode, _ string) (bool, error) {
	if !l.session.Redo() {
		l.say("  Nothing was taken back that could come again\n")
		return false, nil
	}
	l.keepOn()
	return true, nil
}

func resign(l *lineMode, _ string) (bool, error) {
	err := l.session.Resign(l.session.Turn().Side())
	l.keepOn()
	return true, err
}

func swapSides(l *lineMode, _ string) (bool, error) {
	l.session.Swap()
	l.keepOn()
	return true, nil
}

// otherPlayer seats another opponent: a level, or any player.
func otherPlayer(l *lineMode, spec string) (bool, error) {
	if _, err := strconv.Atoi(spec); err == nil {
		spec = "level:" + spec
	}
	side := board.Dark
	if players := l.session.Players(); players[board.Dark] == session.Person && players[board.Light] != session.Person {
		side = board.Light
	}
	if err := l.session.Seat(l.ctx, side, spec); err != nil {
		l.say("  %v\n", err)
		return false, nil
	}
	return true, nil
}

// writeTo writes the game to a new file.
func writeTo(l *lineMode, name string) (bool, error) {
	if name == "" {
		l.say("  w wants the name of a file, as in w game.jsonl\n")
		return false, nil
	}
	if err := record.WriteNewFile(name, l.session.Record()); err != nil {
		l.say("  %v\n", err)
	} else {
		l.say("  Written to %s\n", name)
	}
	return false, nil
}

// ask prompts for a line and returns it without the space around.
func (l *lineMode) ask(t *play.Turn) (string, error) {
	prompt := fmt.Sprintf("  %s, your move (%s, ? help, h hints, q quit): ", l.screen.paint.Player(t.Side()), choices(t))
	if l.screen.inWords {
		prompt = "Your move, " + choices(t) + ", or ? for help: "
	}
	if _, err := io.WriteString(l.screen.out, prompt); err != nil {
		return "", err
	}
	line, err := l.read()
	if err == io.EOF {
		err = cli.UsageError("end of input during the game, in turn %d (to quit, type q)", t.Number+1)
	}
	return line, err
}

// read returns a line without the space around.
func (l *lineMode) read() (string, error) {
	line, tooLong, err := text.ReadLine(l.typed(), maxTypedLine)
	switch {
	case err != nil:
		return "", err
	case tooLong != nil:
		line = []byte("a line too long to read")
	}
	return strings.TrimSpace(string(line)), nil
}

// choices describes the valid numbers.
func choices(t *play.Turn) string {
	if len(t.Moves) == 1 {
		return "1"
	}
	return fmt.Sprintf("1-%d", len(t.Moves))
}

// typed returns the user's input in printable form.
func typed(line string) string {
	const most = 20
	if line == "" {
		return "Nothing typed"
	}
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q is not a move", line)
}
