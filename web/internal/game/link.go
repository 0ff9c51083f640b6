package game

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/record"
)

// A link is a game as a short text, including its undone turns.
type link struct {
	record.Game     // game with all turns, including undone ones
	played      int // number of turns not undone
}

// Limits of links.
const (
	maxLink  = 1 << 14 // bytes
	maxTurns = 6000
	maxName  = 200
)

// The fields of a link, with "/" between them; those at the end may be missing.
const (
	piecesField = iota // number of pieces
	diceField          // SEED.GAME, or empty if the dice are unknown
	lightField         // names of the players, escaped as in a path
	darkField
	turnsField  // see formatTurns
	undoneField // the same
	resultField // r1, r2 when Light or Dark resigned, x when the game was abandoned
	startField  // text form of the first position with "_" for spaces, unless all pieces are in hand
	rulesField  // rule set as records name it, escaped as in a path, unless it is Finkel's
	linkFields
)

// squares are the letters for a piece's starting square, 0 to 30, and the digits of rolls; a pass
// is "-". Finkel's rules need those up to e.
const squares = "0123456789abcdefghijklmnopqrstu"

const pass = '-'

// words are the results that cannot be derived from the last position.
var words = map[record.Result]string{
	record.LightResigned: "r1", record.DarkResigned: "r2", record.Abandoned: "x",
}

// String returns the link: letters, digits and "/.-:%" in a URL fragment, about 200 of them for
// a whole game. If the dice are known, a turn is the letter of the moved piece's square;
// otherwise the roll precedes it.
func (l *link) String() string {
	fields := make([]string, linkFields)
	fields[piecesField] = strconv.Itoa(l.Pieces)
	if l.Dice != nil {
		fields[diceField] = fmt.Sprintf("%d.%d", l.Dice.Seed, l.Dice.Game)
	}
	fields[lightField] = url.PathEscape(l.Players[board.Light])
	fields[darkField] = url.PathEscape(l.Players[board.Dark])
	fields[turnsField] = formatTurns(l.Turns[:l.played], l.Dice == nil)
	fields[undoneField] = formatTurns(l.Turns[l.played:], l.Dice == nil)
	fields[resultField] = words[l.Result]
	fields[startField] = strings.ReplaceAll(l.StartText(), " ", "_")
	if !l.Rules.IsFinkel() {
		fields[rulesField] = url.PathEscape(record.RulesText(l.Rules))
	}
	return strings.TrimRight(strings.Join(fields, "/"), "/")
}

func formatTurns(turns []record.Turn, rolls bool) string {
	var text strings.Builder
	for _, t := range turns {
		if rolls {
			text.WriteByte(squares[t.Roll])
		}
		if t.From == record.Pass {
			text.WriteByte(pass)
		} else {
			text.WriteByte(squares[t.From])
		}
	}
	return text.String()
}

// parseLink parses a link. [link.startSession] checks the game by the rules.
func parseLink(text string) (*link, error) {
	if len(text) > maxLink {
		return nil, fmt.Errorf("the link of the game has %d letters, at most %d are read", len(text), maxLink)
	}
	fields := strings.Split(text, "/")
	if len(fields) > linkFields {
		return nil, fmt.Errorf(
			"the link of the game has %d parts (want at most %d: PIECES/SEED.GAME/LIGHT/DARK/TURNS/UNDONE/RESULT/START/RULES)",
			len(fields), linkFields)
	}
	fields = append(fields, make([]string, linkFields-len(fields))...)
	l := new(link)
	if err := l.parseHead(fields); err != nil {
		return nil, err
	}
	if err := l.parseTurns(fields[turnsField], fields[undoneField]); err != nil {
		return nil, err
	}
	return l, l.parseResult(fields[resultField])
}

// parseHead parses the part before the turns.
func (l *link) parseHead(fields []string) (err error) {
	if l.Pieces, err = strconv.Atoi(fields[piecesField]); err != nil {
		return fmt.Errorf("the link begins with %q (want the number of pieces)", text.Clip(fields[piecesField]))
	}
	if err := l.parseRules(fields[rulesField]); err != nil {
		return err
	}
	for side, field := range [2]int{lightField, darkField} {
		if l.Players[side], err = url.PathUnescape(fields[field]); err != nil || len(l.Players[side]) > maxName {
			return fmt.Errorf("player %q of the link is no name of at most %d letters", text.Clip(fields[field]),
				maxName)
		}
	}
	if start := fields[startField]; start != "" {
		if err := l.SetStart(strings.ReplaceAll(start, "_", " ")); err != nil {
			return fmt.Errorf("the link: %w", err)
		}
	}
	if fields[diceField] == "" {
		return nil
	}
	seed, game, _ := strings.Cut(fields[diceField], ".")
	l.Dice = new(record.DiceOrigin)
	if l.Dice.Seed, err = strconv.ParseUint(seed, 10, 64); err == nil {
		l.Dice.Game, err = strconv.ParseUint(game, 10, 64)
	}
	if err != nil {
		return fmt.Errorf("the dice of the link are %q (want SEED.GAME, two numbers)", text.Clip(fields[diceField]))
	}
	return nil
}

// parseRules parses the rule set, and checks the number of pieces.
func (l *link) parseRules(field string) error {
	if l.Rules = board.Finkel(); field == "" {
		return board.CheckPieces(l.Pieces)
	}
	text, err := url.PathUnescape(field)
	if err == nil {
		l.Rules, err = record.ParseRules(text)
	}
	if err == nil {
		_, err = l.Begin()
	}
	if err != nil {
		return fmt.Errorf("the link: %w", err)
	}
	return nil
}

func (l *link) parseTurns(played, undone string) (err error) {
	var dice *board.Dice
	if l.Dice != nil {
		d := l.Rules.Dice(l.Dice.Seed, l.Dice.Game)
		dice = &d
	}
	if l.Turns, err = l.readTurns(played, dice); err != nil {
		return err
	}
	l.played = len(l.Turns)
	more, err := l.readTurns(undone, dice)
	l.Turns = append(l.Turns, more...)
	if n := len(l.Turns); err == nil && n > maxTurns {
		return fmt.Errorf("the game has %d turns, at most %d are read", n, maxTurns)
	}
	return err
}

// readTurns reads turns, with their rolls or, if the link has the dice, without.
func (l *link) readTurns(letters string, dice *board.Dice) (turns []record.Turn, err error) {
	r := l.Rules
	for i := 0; i < len(letters); i++ {
		t := record.Turn{From: record.Pass}
		if dice != nil {
			t.Roll = int8(dice.Roll())
		} else {
			if t.Roll = int8(strings.IndexByte(squares, letters[i])); t.Roll < 0 || int(t.Roll) > r.MaxRoll() ||
				i+1 == len(letters) {
				return nil, fmt.Errorf("the turns of the link have %q as a roll and a move", text.Clip(letters[i:]))
			}
			i++
		}
		if letters[i] != pass {
			from := strings.IndexByte(squares, letters[i])
			if from < 0 || from > r.Squares() {
				return nil, fmt.Errorf("the turns of the link have %q as a square (want one of %s or %c)",
					letters[i], squares[:r.Finish()], pass)
			}
			t.From = int8(from)
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// parseResult parses the result of a game that does not follow from its turns.
func (l *link) parseResult(word string) error {
	if word == "" {
		return nil
	}
	for r, known := range words {
		if known == word && len(l.Turns) == l.played {
			l.Result = r
			return nil
		}
	}
	return fmt.Errorf("the result of the link is %q (want r1, r2 or x behind no turns that were taken back)",
		text.Clip(word))
}
