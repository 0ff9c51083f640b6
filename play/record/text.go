package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// textFormat is a game to be read by people, a line for each turn, with the position after
// it:
//
//	// The Royal Game of Ur, record 1: turn, side, roll, move, position after it
//	seed 1
//	game 0
//	pieces 7
//	light human
//	dark brain
//	hash 0f3a6c1d9b2e8475
//	1 L 3 in-A2 6:..L...........:0 7:..............:0 D
//	2 D 0 pass 6:..L...........:0 7:..............:0 L
//	...
//	result light
//
// A line "start" with a position follows the pieces of a game that begins with another than
// all of them in hand. Turns count from 1; the rolls are those of the seed and game, if any. Moves
// are written by [board.Rules.Notation], positions by [board.Rules.FormatPosition].
var textFormat = Format{
	Name: "text", Endings: []string{".txt"},
	read:  readText,
	skip:  func(in *lines) { in.skipTo(func(line string) bool { return strings.TrimSpace(line) == textTitle }) },
	write: writeText,
}

const textTitle = "// The Royal Game of Ur, record 1: turn, side, roll, move, position after it"

// textKeys are the keys of the lines before the turns, in their order.
var textKeys = []string{"Seed", "Game", "Rules", "Pieces", "Start", "Light", "Dark", "Hash"}

func writeText(out io.Writer, g *Game, hash string) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, textTitle)
	parts := g.parts(hash)
	for _, key := range textKeys {
		value, given := parts[key]
		if key == "Light" || key == "Dark" {
			value = oneLine(value)
		}
		if given && (key != "Rules" || !g.Rules.IsFinkel()) {
			fmt.Fprintf(w, "%s %s\n", strings.ToLower(key), value)
		}
	}
	if _, err := g.Replay(func(s *Step) { fmt.Fprintln(w, textLine(s)) }); err != nil {
		return err
	}
	fmt.Fprintf(w, "result %s\n", g.Result)
	return w.Flush()
}

// textLine returns a turn's line in the text form.
func textLine(s *Step) string {
	side := "L"
	if s.Side() == board.Dark {
		side = "D"
	}
	return fmt.Sprintf("%d %s %d %s %s", s.Number+1, side, s.Roll, s.Text(), s.Rules.FormatPosition(s.Next))
}

// oneLine returns a name as one line of text.
func oneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

func readText(in *lines, r *replay) (line int, err error) {
	title := ""
	for title == "" {
		if title, err = in.next(); err != nil {
			return in.number, err
		}
		title = strings.TrimSpace(title)
	}
	begin := in.number
	if title != textTitle {
		return begin, fmt.Errorf("%q is not the first line of a record (want %q)", text.Clip(title), textTitle)
	}
	header := header{}
	for _, key := range textKeys {
		line, err := in.next()
		if err != nil && err != io.EOF {
			return in.number, err
		}
		name, value, _ := strings.Cut(line, " ")
		switch {
		case name == strings.ToLower(key):
			header[key] = part{value, in.number}
		case key == "Pieces" || key == "Light" || key == "Dark":
			return in.number, fmt.Errorf("%q (want a line that begins with %q)", text.Clip(line), strings.ToLower(key))
		default: // unknown dice, or a record of an older version
			in.back()
		}
	}
	if line, err := header.begin(r, in.number); err != nil {
		return line, err
	}
	for {
		line, err := in.next()
		if err == io.EOF {
			err = errors.New("the record ends without a result")
		}
		if err != nil {
			return in.number, err
		}
		if name, ok := strings.CutPrefix(line, "result "); ok {
			if r.game.Result, err = parseResult(name); err != nil {
				return in.number, err
			}
			return begin, nil
		}
		if err := r.textTurn(line); err != nil {
			return in.number, err
		}
	}
}

// textTurn plays a line's turn.
func (r *replay) textTurn(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 7 {
		return fmt.Errorf(
			"%q (want a turn as in \"1 L 3 in-A2 6:..L...........:0 7:..............:0 D\", or the result)",
			text.Clip(line))
	}
	roll, rest := cutRoll(fields[2])
	if rest != "" {
		roll = -1
	}
	move := fields[3]
	if move == "pass" {
		move = ""
	}
	if err := r.notated(roll, move); err != nil {
		return err
	}
	if want := textLine(&r.Step); line != want {
		return fmt.Errorf("%q (want %q)", text.Clip(line), want)
	}
	return nil
}
