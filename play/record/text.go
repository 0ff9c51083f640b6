package record

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
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
	Name: "text", Endings: []string{".txt"}, Help: "a line for each turn, with the position after it",
	read:  func(l *lines) reader { return &textReader{l} },
	write: writeText,
}

const textTitle = "// The Royal Game of Ur, record 1: turn, side, roll, move, position after it"

func writeText(out io.Writer, g *Game, hash string) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, textTitle)
	if g.Dice != nil {
		fmt.Fprintf(w, "seed %d\ngame %d\n", g.Dice.Seed, g.Dice.Game)
	}
	if g.Rules != nil {
		fmt.Fprintf(w, "rules %s\n", RulesText(g.Rules))
	}
	fmt.Fprintf(w, "pieces %d\n", g.Pieces)
	if start := g.StartText(); start != "" {
		fmt.Fprintf(w, "start %s\n", start)
	}
	fmt.Fprintf(w, "light %s\ndark %s\nhash %s\n", oneLine(g.Players[0]), oneLine(g.Players[1]), hash)
	if _, err := g.Replay(func(s *Step) { fmt.Fprintln(w, textLine(s)) }); err != nil {
		return err
	}
	fmt.Fprintf(w, "result %s\n", g.Result)
	return w.Flush()
}

// textLine returns the line of a turn in the text form.
func textLine(s *Step) string {
	side := "L"
	if s.Side() == board.Dark {
		side = "D"
	}
	return fmt.Sprintf("%d %s %d %s %s", s.Number+1, side, s.Roll, s.Text(), ruleSet(s.Rules).FormatPosition(s.Next))
}

// oneLine returns a name as one line of text.
func oneLine(name string) string { return strings.Join(strings.Fields(name), " ") }

type textReader struct{ lines *lines }

func (r *textReader) next(g *Game) (number int, last state, err error) {
	text := ""
	for text == "" {
		line, err := r.lines.next()
		if err != nil {
			return 0, last, err
		}
		text = strings.TrimSpace(string(line))
	}
	number = r.lines.number
	if text != textTitle {
		defer r.skip()
		return 0, last, fault(number, "%q is not the first line of a record (want %q)", clip(text), textTitle)
	}
	if err := r.header(g); err != nil {
		defer r.skip()
		return 0, last, err
	}
	if last, err = r.turns(g); err != nil {
		defer r.skip()
		return 0, last, err
	}
	return number, last, nil
}

// skip goes on to the next record.
func (r *textReader) skip() {
	for {
		line, err := r.lines.next()
		if err == nil && strings.TrimSpace(string(line)) == textTitle || err == io.EOF {
			r.lines.back()
			return
		}
		if _, isFault := err.(*Fault); err != nil && !isFault {
			r.lines.back()
			return
		}
	}
}

// header reads the lines before the turns.
func (r *textReader) header(g *Game) error {
	var seed, game *uint64
	for _, key := range []string{"seed", "game", "rules", "pieces", "start", "light", "dark", "hash"} {
		line, err := r.lines.next()
		if err != nil && err != io.EOF {
			return err
		}
		name, value, _ := strings.Cut(string(line), " ")
		if name != key && (key == "seed" || key == "game" || key == "rules" || key == "start" || key == "hash") {
			r.lines.back() // unknown dice, or a record of an older version
			continue
		}
		if name != key {
			return fault(r.lines.number, "%q (want a line that begins with %q)", clip(string(line)), key)
		}
		n, err := strconv.ParseUint(value, 10, 64)
		switch {
		case key == "rules":
			if g.Rules, err = ParseRules(value); err != nil {
				return &Fault{r.lines.number, err.Error()}
			}
		case key == "light":
			g.Players[board.Light] = value
		case key == "dark":
			g.Players[board.Dark] = value
		case key == "hash":
			g.hash = value
		case key == "start":
			if err := g.SetStart(value); err != nil {
				return &Fault{r.lines.number, err.Error()}
			}
		case err != nil:
			return fault(r.lines.number, "%s is %q (want a number)", key, clip(value))
		case key == "pieces":
			g.Pieces = int(min(n, math.MaxInt32))
			if err := g.checkPieces(); err != nil {
				return fault(r.lines.number, "%v, got %d", err, n)
			}
		case key == "seed":
			seed = &n
		default:
			game = &n
		}
	}
	switch {
	case seed != nil && game != nil:
		g.Dice = &DiceOrigin{*seed, *game}
	case seed != nil || game != nil:
		return fault(r.lines.number, "only one of seed and game (want both or neither)")
	}
	return nil
}

// turns reads the turns and the result.
func (r *textReader) turns(g *Game) (state, error) {
	p, err := g.start()
	if err != nil {
		return p, &Fault{r.lines.number, err.Error()}
	}
	var buf [board.MaxMoves]board.Move
	for number := 1; ; number++ {
		text, err := r.lines.next()
		if err == io.EOF {
			return p, fault(r.lines.number, "the record ends without a result")
		}
		if err != nil {
			return p, err
		}
		line := string(text)
		if name, ok := strings.CutPrefix(line, "result "); ok {
			if g.Result, err = parseResult(name); err != nil {
				return p, &Fault{r.lines.number, err.Error()}
			}
			return p, nil
		}
		fields := strings.Fields(line)
		if len(fields) != 7 {
			return p, fault(r.lines.number, "%q (want a turn as in \"1 L 3 in-A2 6:..L...........:0 7:..............:0 D\", or the result)", clip(line))
		}
		roll, rest := cutRoll(fields[2])
		if roll < 0 || roll > p.rules.MaxRoll() || rest != "" {
			return p, fault(r.lines.number, "a roll of %q (want 0 to %d)", fields[2], p.rules.MaxRoll())
		}
		move := fields[3]
		if move == "pass" {
			move = ""
		}
		moves := p.moves(buf[:0], roll)
		if _, over := p.winner(); over {
			return p, fault(r.lines.number, "the game is over since the turn before")
		}
		choice, err := findMove(&p, moves, move)
		if err != nil {
			return p, &Fault{r.lines.number, err.Error()}
		}
		s := p.step(number-1, roll, moves, choice)
		t := Turn{Roll: int8(roll), From: Pass}
		if choice >= 0 {
			t.From = int8(moves[choice].From)
		}
		if want := textLine(&s); line != want {
			return p, fault(r.lines.number, "%q (want %q)", clip(line), want)
		}
		p.at = s.Next
		g.Turns = append(g.Turns, t)
	}
}
