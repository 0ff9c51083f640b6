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
	Name: "rgn", Endings: []string{".rgn"}, Help: "RGN, the text form of RoyalUr", meta: someMeta,
	read:  func(l *lines) reader { return &rgnReader{l} },
	write: writeRGN,
}

// reservedKeys are the keys of RGN and of RoyalUr's metadata that are part of a [Game] or its
// hash. All others are its Meta.
var reservedKeys = []string{"Light", "Dark", "Rules", "Pieces", "Start", "Seed", "Game", "Result", "Hash"}

// columns returns the columns of the tiles off the board where the path of a side begins and
// ends: those of its first and last tile.
func columns(r *board.Rules, side board.Side) (begin, end string) {
	return r.Tile(side, 1)[:1], r.Tile(side, r.Squares())[:1]
}

func writeRGN(out io.Writer, g *Game, hash string) error {
	w := bufio.NewWriter(out)
	put := func(key, value string) { fmt.Fprintf(w, "[%s %s]\n", rgnWord(key), rgnWord(value)) }
	put("Light", g.Players[board.Light])
	put("Dark", g.Players[board.Dark])
	put("Rules", RulesText(g.Rules))
	put("Pieces", strconv.Itoa(g.Pieces))
	if start := g.StartText(); start != "" {
		put("Start", start)
	}
	if g.Dice != nil {
		put("Seed", strconv.FormatUint(g.Dice.Seed, 10))
		put("Game", strconv.FormatUint(g.Dice.Game, 10))
	}
	put("Result", g.Result.String())
	put("Hash", hash)
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

// writeActions writes the turns, those of Light and Dark together on a line, wrapped at 60
// characters.
func writeActions(w *bufio.Writer, g *Game) error {
	const width = 60
	column, turn := 0, 0
	add := func(word string) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			w.WriteByte('\n')
			column = 0
		default:
			w.WriteByte(' ')
			column++
		}
		w.WriteString(word)
		column += len(word)
	}
	side := board.Dark // whose turn was before
	_, err := g.Replay(func(s *Step) {
		if mover := s.Side(); mover != side || s.Number == 0 {
			turn++
			side = mover
			if mover == board.Light {
				if column > 0 {
					w.WriteByte('\n')
					column = 0
				}
				add(strconv.Itoa(turn) + ".")
			} else {
				add("/")
			}
		}
		text := rgnAction(s)
		if s.Number == len(g.Turns)-1 && g.Result != Unfinished {
			text += "#"
		}
		add(text)
	})
	w.WriteByte('\n')
	return err
}

// rgnAction returns the notation of a roll and its move.
func rgnAction(s *Step) string {
	if s.Choice < 0 {
		return strconv.Itoa(s.Roll) + " --"
	}
	r, side, m := ruleSet(s.Rules), s.Side(), s.Move()
	begin, end := columns(r, side)
	text := r.Tile(side, int(m.From))
	if m.From == board.Start {
		text = begin + "@"
	}
	if int(m.To) == r.Finish() {
		text += end + "+"
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

// rgnWord returns a key or value, quoted only where necessary.
func rgnWord(text string) string {
	if isBare(text) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`).Replace(text) + `"`
}

// isBare reports whether a text is a letter and behind it letters, digits, "_", "." and "-".
func isBare(text string) bool {
	for i, r := range text {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || !('0' <= r && r <= '9' || strings.ContainsRune("_.-", r))) {
			return false
		}
	}
	return text != ""
}

type rgnReader struct{ lines *lines }

func (r *rgnReader) next(g *Game) (begin int, last state, err error) {
	begin, err = r.header(g)
	if err == nil {
		last, err = r.actions(g)
	}
	if _, isFault := err.(*Fault); isFault {
		r.skip()
	}
	return begin, last, err
}

// skip moves to the next line of metadata that follows other text.
func (r *rgnReader) skip() {
	inHeader := true
	for {
		line, err := r.lines.next()
		if _, isFault := err.(*Fault); err != nil && !isFault {
			r.lines.back()
			return
		}
		isKey := len(line) > 0 && line[0] == '['
		if isKey && !inHeader {
			r.lines.back()
			return
		}
		inHeader = inHeader && isKey
	}
}

// header reads the metadata and the empty line behind it.
func (r *rgnReader) header(g *Game) (begin int, err error) {
	g.Pieces = 0
	var seed, game *uint64
	start, startLine := "", 0 // read when the rules are known
	for {
		text, err := r.lines.next()
		if err == io.EOF && begin == 0 {
			return 0, io.EOF
		}
		if err == io.EOF {
			return 0, fault(r.lines.number, "the record ends without turns")
		}
		if err != nil {
			return 0, err
		}
		line := strings.TrimSpace(string(text))
		if line == "" && begin == 0 {
			continue
		}
		begin = cmp.Or(begin, r.lines.number)
		if line == "" {
			break
		}
		if line[0] != '[' && begin == r.lines.number {
			r.lines.back() // a game without metadata
			break
		}
		key, value, err := parseKey(line)
		if err != nil {
			return 0, &Fault{r.lines.number, err.Error()}
		}
		if key == "Start" {
			start, startLine = value, r.lines.number
			continue
		}
		if err := setKey(g, &seed, &game, key, value); err != nil {
			return 0, &Fault{r.lines.number, err.Error()}
		}
	}
	if g.Pieces == 0 {
		g.Pieces = board.FinkelPieces
		if g.Rules != nil {
			g.Pieces = g.Rules.Pieces()
		}
	}
	if err := g.checkPieces(); err != nil {
		return 0, fault(begin, "%v, got %d", err, g.Pieces)
	}
	if startLine > 0 {
		if err := g.SetStart(start); err != nil {
			return 0, &Fault{startLine, err.Error()}
		}
	}
	switch {
	case seed != nil && game != nil:
		g.Dice = &DiceOrigin{*seed, *game}
	case seed != nil || game != nil:
		return 0, fault(begin, "only one of the keys Seed and Game (want both or neither)")
	}
	return begin, nil
}

// setKey puts metadata into a game.
func setKey(g *Game, seed, game **uint64, key, value string) (err error) {
	switch key {
	case "Light":
		g.Players[board.Light] = value
	case "Dark":
		g.Players[board.Dark] = value
	case "Rules":
		g.Rules, err = ParseRules(value)
	case "Hash":
		g.hash = value
	case "Result":
		g.Result, err = parseResult(value)
	case "Pieces":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > board.MaxPieces {
			return fmt.Errorf("%w, got %q", board.ErrPieces, clip(value))
		}
		g.Pieces = n
	case "Seed", "Game":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%s is %q (want a number)", key, clip(value))
		}
		if key == "Seed" {
			*seed = &n
		} else {
			*game = &n
		}
	default:
		if g.Meta == nil {
			g.Meta = map[string]string{}
		}
		if _, twice := g.Meta[key]; twice {
			return fmt.Errorf("key %q appears twice", clip(key))
		}
		g.Meta[key] = value
	}
	return err
}

// parseKey reads a line of metadata.
func parseKey(line string) (key, value string, err error) {
	inside, closed := strings.CutSuffix(line, "]")
	inside, opened := strings.CutPrefix(inside, "[")
	if !opened || !closed {
		return "", "", fmt.Errorf("%q (want metadata as in [Light brain], or an empty line before the turns)", clip(line))
	}
	key, rest, err := cutWord(inside)
	if err != nil {
		return "", "", err
	}
	rest, spaced := strings.CutPrefix(rest, " ")
	if spaced {
		value, rest, err = cutWord(rest)
	}
	switch {
	case err != nil:
		return "", "", err
	case !spaced || rest != "":
		return "", "", fmt.Errorf("%q (want a key, a space and a value)", clip(line))
	}
	return key, value, nil
}

// cutWord cuts off a bare or quoted word.
func cutWord(text string) (word, rest string, err error) {
	quoted, isQuoted := strings.CutPrefix(text, `"`)
	if !isQuoted {
		word, rest, found := strings.Cut(text, " ")
		if found {
			rest = " " + rest
		}
		// Strictly a number is not a bare word, but people write numbers without quotes.
		if _, err := strconv.ParseUint(word, 10, 64); err != nil && !isBare(word) {
			return "", "", fmt.Errorf("missing quotes around %q", clip(word))
		}
		return word, rest, nil
	}
	var out strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '"':
			return out.String(), quoted[i+1:], nil
		case c == '\\' && i+1 < len(quoted):
			i++
			at := strings.IndexByte(`"\rn`, quoted[i])
			if at < 0 {
				return "", "", fmt.Errorf(`unknown escape "\%c" (want \", \\, \r or \n)`, quoted[i])
			}
			out.WriteByte("\"\\\r\n"[at])
		default:
			out.WriteByte(c)
		}
	}
	return "", "", errors.New("missing closing quote")
}

// actions reads the turns up to an empty line, the next metadata, or the end.
func (r *rgnReader) actions(g *Game) (state, error) {
	start, err := g.start()
	if err != nil {
		return start, &Fault{r.lines.number, err.Error()}
	}
	state := rgnState{g: g, p: start}
	for {
		text, err := r.lines.next()
		if err != nil && err != io.EOF {
			return state.p, err
		}
		line := strings.TrimSpace(string(text))
		if err == io.EOF || line == "" || line[0] == '[' {
			r.lines.back()
			return state.p, state.end(r.lines.number)
		}
		words := strings.Fields(line)
		for i := 0; i < len(words); i++ {
			used, err := state.word(words[i:])
			if err != nil {
				return state.p, &Fault{r.lines.number, err.Error()}
			}
			i += used - 1
		}
	}
}

// rgnState is how far the turns of a game have been read.
type rgnState struct {
	g      *Game
	p      state
	turn   int  // of a side, from 1
	open   bool // the marker of a turn stood there, and no action yet
	ended  bool // "#" stood there
	marker board.Side
}

// word parses the first word and those that belong to it, and returns the number of words used.
func (s *rgnState) word(words []string) (used int, err error) {
	word := words[0]
	if s.ended {
		return 0, fmt.Errorf("%q after the end of the game", clip(word))
	}
	if number, isLight := strings.CutSuffix(word, "."); isLight || word == "/" {
		return 1, s.begin(number, isLight)
	}
	used = 1
	end := len(words)
	roll, rest := cutRoll(word)
	pass := roll >= 0 && rest == ""
	if pass && end > 1 && strings.TrimSuffix(words[1], "#") == "--" {
		used = 2
	} else if pass {
		return 0, fmt.Errorf("%q (want \"--\" behind a roll without a move)", clip(word))
	} else if end > 1 && strings.TrimSuffix(words[1], "#") == "*" {
		used = 2
	}
	text := strings.Join(words[:used], " ")
	text, s.ended = strings.CutSuffix(text, "#")
	return used, s.act(text)
}

// begin begins the turn of a side.
func (s *rgnState) begin(number string, isLight bool) error {
	s.turn++
	side := board.Dark
	if isLight {
		side = board.Light
		if n, err := strconv.Atoi(number); err != nil || n != s.turn {
			return fmt.Errorf("turn %q (want %d and a full stop)", clip(number), s.turn)
		}
	}
	if s.p.turn() != side || s.open {
		return fmt.Errorf("a turn of %s, but %s is to move", side, s.p.turn())
	}
	s.marker, s.open = side, true
	return nil
}

// act makes the action of a text.
func (s *rgnState) act(text string) error {
	if s.turn == 0 || s.p.turn() != s.marker {
		return fmt.Errorf("%q before the beginning of the turn of %s", clip(text), s.p.turn())
	}
	if _, over := s.p.winner(); over {
		return fmt.Errorf("%q, but the game is over", clip(text))
	}
	s.open = false
	var buf [board.MaxMoves]board.Move
	if roll, isPass := strings.CutSuffix(text, " --"); isPass {
		n, _ := cutRoll(roll)
		if n > s.p.rules.MaxRoll() {
			return fmt.Errorf("a roll of %s (want 0 to %d)", roll, s.p.rules.MaxRoll())
		}
		if moves := s.p.moves(buf[:0], n); len(moves) > 0 {
			return fmt.Errorf("the turn of %s with a %d is marked as a pass, but %s is legal", s.p.turn(), n, s.p.notation(moves[0]))
		}
		s.g.Turns = append(s.g.Turns, Turn{Roll: int8(n), From: Pass})
		s.p = s.p.passed()
		return nil
	}
	for roll := 1; roll <= s.p.rules.MaxRoll(); roll++ {
		moves := s.p.moves(buf[:0], roll)
		for i, m := range moves {
			step := Step{Position: s.p.at, Rules: otherRules(s.p.rules), Moves: moves, Choice: i}
			if rgnAction(&step) == text {
				s.g.Turns = append(s.g.Turns, Turn{Roll: int8(roll), From: int8(m.From)})
				s.p = s.p.after(m)
				return nil
			}
		}
	}
	return fmt.Errorf("illegal move %q of %s at %s", clip(text), s.p.turn(), s.p)
}

// end completes the game. Without a key for the result, it derives the result from the
// position, as far as possible.
func (s *rgnState) end(line int) error {
	winner, over := s.p.winner()
	if s.g.Result == Unfinished {
		switch {
		case over && winner == board.Light:
			s.g.Result = LightWins
		case over:
			s.g.Result = DarkWins
		case s.ended:
			s.g.Result = Abandoned // or resigned: RGN does not distinguish them
		}
	}
	switch {
	case s.open:
		return fault(line, "the turn of %s has no action", s.marker)
	case len(s.g.Turns) == 0 && s.turn == 0 && s.g.Result == Unfinished:
		return nil
	case len(s.g.Turns) > 0 && (s.g.Result != Unfinished) != s.ended:
		return fault(line, "the result is %q, which contradicts \"#\" at the end", s.g.Result)
	}
	return nil
}
