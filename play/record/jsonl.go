package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// linesFormat is the format of this project: a JSON object a line, of schema ur.game/1. Its
// turns stand in one string: for each the roll and, unless it is a pass, the move as
// [board.Rules.Notation] writes it, as in "3in-A2 0 2A2-B1x".
var linesFormat = Format{
	Name: "jsonl", Endings: []string{".jsonl", ".json"}, Help: "one JSON object a line, of schema ur.game/1", clock: true, meta: allMeta,
	read:  func(l *lines) reader { return &lineReader{lines: l} },
	write: writeLine,
}

const lineSchema = "ur.game/1"

// line is the JSON of a game.
type line struct {
	Schema  string            `json:"schema"`
	Rules   rulesField        `json:"rules"` // name of the rule set, or the definition of a custom one
	Pieces  int               `json:"pieces"`
	Start   string            `json:"start,omitempty"`  // position before the first turn, unless all pieces are in hand
	Players [2]string         `json:"players"`          // light, dark
	Dice    *DiceOrigin       `json:"dice,omitempty"`   // source of the dice, if known
	Turns   string            `json:"turns"`            // in notation, a turn for each throw
	Millis  []int64           `json:"millis,omitempty"` // one for each turn, where there was a clock
	Result  string            `json:"result"`
	Meta    map[string]string `json:"meta,omitempty"` // further members by their names
	Hash    string            `json:"hash,omitempty"` // of all the others
}

// lineReader reads the format.
type lineReader struct {
	lines *lines
	json  line
}

func (r *lineReader) next(g *Game) (number int, last state, err error) {
	var text []byte
	for len(bytes.TrimSpace(text)) == 0 {
		if text, err = r.lines.next(); err != nil {
			return 0, last, err
		}
	}
	number = r.lines.number
	r.json = line{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r.json); err != nil {
		return 0, last, fault(number, "not the JSON of a game: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return 0, last, fault(number, "more than one JSON object")
	}
	if last, err = r.fill(g); err != nil {
		return 0, last, &Fault{number, err.Error()}
	}
	return number, last, nil
}

// fill turns the JSON into a game.
func (r *lineReader) fill(g *Game) (last state, err error) {
	j := &r.json
	switch {
	case j.Schema != lineSchema:
		return last, fmt.Errorf("schema is %q (want %q)", clip(j.Schema), lineSchema)
	case !j.Rules.given:
		return last, fmt.Errorf("rules: missing (want %q or another rule set)", finkelName)
	}
	g.Rules = j.Rules.Rules
	g.Pieces, g.Players, g.Dice, g.Meta, g.hash = j.Pieces, j.Players, j.Dice, j.Meta, j.Hash
	if g.Result, err = parseResult(j.Result); err != nil {
		return last, err
	}
	if err := g.checkPieces(); err != nil {
		return last, err
	}
	if j.Start != "" {
		if err := g.SetStart(j.Start); err != nil {
			return last, err
		}
	}
	if last, err = parseTurns(g, j.Turns); err != nil {
		return last, err
	}
	if len(j.Millis) == 0 {
		return last, nil
	}
	if len(j.Millis) != len(g.Turns) {
		return last, fmt.Errorf("%d times of the clock for %d turns", len(j.Millis), len(g.Turns))
	}
	for i, t := range j.Millis {
		if t < 0 || i > 0 && t < j.Millis[i-1] {
			return last, fmt.Errorf("turn %d: the clock goes back to %d", i+1, t)
		}
		g.Turns[i].Millis = t
	}
	return last, nil
}

// writeLine writes a game as a line.
func writeLine(w io.Writer, g *Game, hash string) error {
	j := line{Schema: lineSchema, Rules: rulesField{g.Rules, true}, Pieces: g.Pieces, Players: g.Players, Dice: g.Dice, Result: g.Result.String(), Start: g.StartText(), Meta: g.Meta, Hash: hash}
	turns, err := formatTurns(g)
	if err != nil {
		return err
	}
	j.Turns = turns
	if n := len(g.Turns); n > 0 && g.Turns[n-1].Millis > 0 {
		for _, t := range g.Turns {
			j.Millis = append(j.Millis, t.Millis)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(j)
}
