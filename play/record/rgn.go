package record

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// rgnFormat is RGN, the text format of RoyalUr, inspired by the PGN of chess: lines of metadata
// in brackets, an empty line, and the turns. The turn of a side extends to the turn of the
// other: "1. A@A4 / C@C4". A roll without a move is written as in "0 --"; otherwise the roll is
// the distance moved. "x" is a capture, " *" a rosette, "@" enters and "+" bears off, and "#"
// ends a finished game.
//
// RGN has no keys for rules, dice or winner, so we add our own: Light, Dark, Rules, Pieces,
// Start, Seed, Game, Result, Hash. Without them the rules are Finkel's with 7 pieces.
var rgnFormat = Format{
	Name: "rgn", Endings: []string{".rgn"}, meta: someMeta,
	read: readRGN, skip: skipRGN, write: writeRGN,
}

func writeRGN(out io.Writer, g *Game, hash string) error {
	w := bufio.NewWriter(out)
	put := func(key, value string) { fmt.Fprintf(w, "[%s %s]\n", rgnWord(key), rgnWord(value)) }
	parts := g.parts(hash)
	for _, key := range partKeys {
		if value, given := parts[key]; given {
			put(key, value)
		}
	}
	meta := foreignMeta(g)
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		put(key, meta[key])
	}
	fmt.Fprintln(w)
	if err := writeActions(w, g); err != nil {
		return err
	}
	return w.Flush()
}

// writeActions writes the turns, one of Light and one of Dark on a line, wrapped at 60
// characters.
func writeActions(w io.Writer, g *Game) error {
	var words []string // a line's words, with joint for the spaces inside
	end := func() { fmt.Fprintln(w, strings.ReplaceAll(text.Wrap(strings.Join(words, " "), "", 60), joint, " ")) }
	turn, side := 0, board.Dark // whose turn was before
	_, err := g.Replay(func(s *Step) {
		if mover := s.Side(); mover != side || s.Number == 0 {
			turn++
			side = mover
			if mover == board.Dark {
				words = append(words, "/")
			} else {
				if s.Number > 0 {
					end()
				}
				words = []string{strconv.Itoa(turn) + "."}
			}
		}
		action := strings.ReplaceAll(rgnAction(s), " ", joint)
		if s.Number == len(g.Turns)-1 && g.Result != Unfinished {
			action += "#"
		}
		words = append(words, action)
	})
	end()
	return err
}

// joint stands for a space where no line may end. No notation has one.
const joint = "_"

// rgnAction returns the notation of a roll and its move.
func rgnAction(s *Step) string {
	if s.Passed() {
		return strconv.Itoa(s.Roll) + " --"
	}
	r, side, m := s.Rules, s.Side(), s.Move()
	text := r.Tile(side, int(m.From))
	if m.From == board.Start {
		text = r.Tile(side, 1)[:1] + "@" // the column where the path begins
	}
	if int(m.To) == r.Finish() {
		text += r.Tile(side, r.Squares())[:1] + "+" // where it ends
	} else {
		text += r.Tile(side, int(m.To))
	}
	if m.Capture {
		text += "x"
	}
	if r.IsRosette(int(m.To)) {
		text += " *"
	}
	return text
}

// keyWord is a key or a value in metadata. Strictly a number needs quotes, but people write numbers
// without.
const keyWord = `([A-Za-z][\w.-]*|[0-9]+|"(?:[^"\\]|\\["\\rn])*")`

var (
	bareWord = text.Regexp(`^[A-Za-z][\w.-]*$`)
	keyLine  = text.Regexp(`^\[` + keyWord + ` ` + keyWord + `\]$`)

	escapes   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`)
	unescapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\r`, "\r", `\n`, "\n")
)

// rgnWord returns a key or value, quoted only where necessary.
func rgnWord(word string) string {
	if bareWord().MatchString(word) {
		return word
	}
	return `"` + escapes.Replace(word) + `"`
}

// unquoted returns the text of a key or value.
func unquoted(word string) string {
	if word[0] != '"' {
		return word
	}
	return unescapes.Replace(word[1 : len(word)-1])
}

func readRGN(in *lines, r *replay) (line int, err error) {
	header, begin, err := rgnHeader(in)
	if err != nil {
		return in.number, err
	}
	if line, err := header.begin(r, begin); err != nil {
		return line, err
	}
	if err := (&rgnReader{replay: r}).read(in); err != nil {
		return in.number, err
	}
	return begin, nil
}

// skipRGN moves to the next line of metadata that follows other text.
func skipRGN(in *lines) {
	inHeader := true
	in.skipTo(func(line string) bool {
		isKey := strings.HasPrefix(line, "[")
		defer func() { inHeader = inHeader && isKey }()
		return isKey && !inHeader
	})
}

// rgnHeader reads the metadata and the empty line behind it.
func rgnHeader(in *lines) (h header, begin int, err error) {
	h = header{}
	for {
		raw, err := in.next()
		if err == io.EOF && begin > 0 {
			err = errors.New("the record ends without turns")
		}
		if err != nil {
			return h, begin, err
		}
		line := strings.TrimSpace(raw)
		if line == "" && begin == 0 {
			continue
		}
		begin = cmp.Or(begin, in.number)
		if line == "" {
			return h, begin, nil
		}
		if line[0] != '[' && begin == in.number {
			in.back() // a game without metadata
			return h, begin, nil
		}
		words := keyLine().FindStringSubmatch(line)
		if words == nil {
			return h, begin,
				fmt.Errorf(
					`%q (want a key and a value as in [Light brain] or [Event "a \"b\" \\ c"], or an empty line before the turns)`, text.Clip(line))
		}
		key := unquoted(words[1])
		if _, twice := h[key]; twice {
			return h, begin, fmt.Errorf("key %q appears twice", text.Clip(key))
		}
		h[key] = part{unquoted(words[2]), in.number}
	}
}

// rgnReader reads the turns of a game.
type rgnReader struct {
	*replay
	sides int        // turns of sides so far
	side  board.Side // side of the last turn
	open  bool       // it has no action yet
	ended bool       // "#" stood there
}

// read reads the turns up to an empty line, the next metadata, or the end.
func (r *rgnReader) read(in *lines) error {
	for {
		raw, err := in.next()
		if err != nil && err != io.EOF {
			return err
		}
		line := strings.TrimSpace(raw)
		if line == "" || line[0] == '[' {
			in.back()
			return r.end()
		}
		words := strings.Fields(line)
		for i := 0; i < len(words); i++ {
			word := words[i]
			if i+1 < len(words) && slices.Contains(behind, words[i+1]) {
				i++
				word += " " + words[i] // the rest of an action
			}
			if err := r.word(word); err != nil {
				return err
			}
		}
	}
}

// behind are the words that stand behind another one in an action.
var behind = []string{"--", "--#", "*", "*#"}

// word reads the marker of the turn of a side, or an action with its words.
func (r *rgnReader) word(word string) error {
	side, marker := r.Next.Turn(), ""
	if r.sides == 0 || side != r.side {
		if marker = "/"; side == board.Light {
			marker = strconv.Itoa(r.sides+1) + "."
		}
	}
	action, ended := strings.CutSuffix(word, "#")
	switch {
	case r.ended:
		return fmt.Errorf("%q after the end of the game", text.Clip(word))
	case marker != "" && word == marker:
		r.sides++
		r.side, r.open = side, true
		return nil
	case marker != "":
		return fmt.Errorf("%q (want %q for the turn of %s)", text.Clip(word), marker, side)
	}
	r.open, r.ended = false, ended
	if roll, rest := cutRoll(action); roll >= 0 {
		if rest != " --" {
			return fmt.Errorf("%q (want a move, or \"--\" behind a roll without one)", text.Clip(action))
		}
		return r.notated(roll, "")
	}
	for roll := 1; roll <= r.Rules.MaxRoll(); roll++ {
		if err := r.roll(roll); err != nil {
			return err
		}
		for r.Choice = range r.Moves {
			if rgnAction(&r.Step) == action {
				r.finish(r.Choice)
				r.record()
				return nil
			}
		}
	}
	return fmt.Errorf("illegal move %q of %s at %s", text.Clip(action), side, r.Rules.FormatPosition(r.Position))
}

// end completes the game. Without a key for the result, it derives the result from the
// position, as far as possible.
func (r *rgnReader) end() error {
	g := r.game
	winner, over := r.Next.Winner()
	switch {
	case g.Result != Unfinished:
	case over:
		g.Result = LightWins + Result(winner)
	case r.ended:
		g.Result = Abandoned // or resigned: RGN does not distinguish them
	}
	switch {
	case r.open:
		return fmt.Errorf("the turn of %s has no action", r.side)
	case len(g.Turns) > 0 && (g.Result != Unfinished) != r.ended:
		return fmt.Errorf("the result is %q, which contradicts \"#\" at the end", g.Result)
	}
	return nil
}
