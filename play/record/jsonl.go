package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// linesFormat is this project's format: a JSON object a line, of schema ur.game/1. Its
// turns stand in one string: for each the roll and, unless it is a pass, the move as
// [board.Rules.Notation] writes it, as in "3in-A2 0 2A2-B1x".
var linesFormat = Format{
	Name: "jsonl", Endings: []string{".jsonl", ".json"},
	clock: true, meta: allMeta,
	read: readLine, write: writeLine,
}

const lineSchema = "ur.game/1"

// line is the JSON of a game.
type line struct {
	Schema  string            `json:"schema"`
	Rules   json.RawMessage   `json:"rules"` // name of the rule set, or the definition of a custom one
	Pieces  int               `json:"pieces"`
	Start   string            `json:"start,omitempty"`  // position before the first turn, unless all pieces are in hand
	Players [2]string         `json:"players"`          // light, dark
	Dice    *DiceOrigin       `json:"dice,omitempty"`   // source of the dice, if known
	Turns   string            `json:"turns"`            // turns in notation, one for each throw
	Millis  []int64           `json:"millis,omitempty"` // one for each turn, where there was a clock
	Result  string            `json:"result"`
	Meta    map[string]string `json:"meta,omitempty"` // further members by their names
	Hash    string            `json:"hash,omitempty"` // hash over all the others
}

func readLine(in *lines, r *replay) (number int, err error) {
	text := ""
	for strings.TrimSpace(text) == "" {
		if text, err = in.next(); err != nil {
			return in.number, err
		}
	}
	var j line
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&j); err != nil {
		return in.number, fmt.Errorf("not the JSON of a game: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return in.number, errors.New("more than one JSON object")
	}
	return in.number, j.play(r)
}

// play turns the JSON into a game.
func (j *line) play(r *replay) (err error) {
	g := r.game
	switch {
	case j.Schema != lineSchema:
		return fmt.Errorf("schema is %q (want %q)", text.Clip(j.Schema), lineSchema)
	case j.Rules == nil:
		return fmt.Errorf("rules: missing (want %q or another rule set)", board.Finkel().Name())
	}
	g.Pieces, g.Players, g.Dice, g.Meta, g.hash = j.Pieces, j.Players, j.Dice, j.Meta, j.Hash
	if g.Rules, err = ParseRules(strings.Trim(string(j.Rules), `"`)); err != nil {
		return err
	}
	if g.Result, err = parseResult(j.Result); err != nil {
		return err
	}
	if j.Start != "" {
		if err := g.SetStart(j.Start); err != nil {
			return err
		}
	}
	if err := r.begin(); err != nil {
		return err
	}
	if j.Turns != "" {
		for token := range strings.SplitSeq(j.Turns, " ") {
			roll, move := cutRoll(token)
			if roll < 0 {
				err = fmt.Errorf("%q does not begin with a roll", text.Clip(token))
			} else {
				err = r.notated(roll, move)
			}
			if err != nil {
				return fmt.Errorf("turn %d: %w", r.played+1, err)
			}
		}
	}
	if len(j.Millis) == 0 {
		return nil
	}
	if len(j.Millis) != len(g.Turns) {
		return fmt.Errorf("%d times of the clock for %d turns", len(j.Millis), len(g.Turns))
	}
	for i, t := range j.Millis {
		if t < 0 || i > 0 && t < j.Millis[i-1] {
			return fmt.Errorf("turn %d: the clock goes back to %d", i+1, t)
		}
		g.Turns[i].Millis = t
	}
	return nil
}

// cutRoll cuts the roll off a turn, -1 if it does not begin with a number.
func cutRoll(token string) (roll int, move string) {
	digits := 0
	for digits < len(token) && digits < 2 && '0' <= token[digits] && token[digits] <= '9' {
		roll = 10*roll + int(token[digits]-'0')
		digits++
	}
	if digits == 0 || digits == 2 && token[0] == '0' {
		return -1, token
	}
	return roll, token[digits:]
}

// writeLine writes a game as a line.
func writeLine(w io.Writer, g *Game, hash string) error {
	rules := json.RawMessage(RulesText(g.Rules))
	if rules[0] != '{' {
		rules = fmt.Appendf(nil, "%q", rules)
	}
	j := line{
		Schema: lineSchema, Rules: rules, Pieces: g.Pieces, Start: g.StartText(), Players: g.Players, Dice: g.Dice,
		Result: g.Result.String(), Meta: g.Meta, Hash: hash,
	}
	var turns []string
	_, err := g.Replay(func(s *Step) {
		turn := strconv.Itoa(s.Roll)
		if !s.Passed() {
			turn += s.Text()
		}
		turns = append(turns, turn)
	})
	if err != nil {
		return err
	}
	j.Turns = strings.Join(turns, " ")
	if n := len(g.Turns); n > 0 && g.Turns[n-1].Millis > 0 {
		for _, t := range g.Turns {
			j.Millis = append(j.Millis, t.Millis)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(j)
}
