package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// royalUrFormat is the JSON of RoyalUr, version 2: one object for a game, with its settings,
// the state it begins with, and one for each turn: "move", or "roll" where no move was
// possible, and at last a waiting state or how the game ended. Version 1 is read as well.
//
// A piece is a number, plus for Light and minus for Dark: its square of the path, as here.
// Seed, Game, Light, Dark and Hash stand in the metadata.
var royalUrFormat = Format{
	Name: "royalur", Endings: []string{".royalur"}, One: true, clock: true, meta: someMeta,
	read: readRoyalUr, write: writeRoyalUr,
}

type royalGame struct {
	Version  int               `json:"notation_version"`
	Metadata map[string]string `json:"metadata"`
	Settings royalSettings     `json:"settings"`
	Initial  royalInitial      `json:"initial_state"`
	States   []royalState      `json:"states"`
}

type royalSettings struct {
	Shape    string `json:"board_shape"`
	Paths    string `json:"paths"`
	Dice     string `json:"dice"`
	Pieces   int    `json:"start_pieces"`
	Safe     bool   `json:"safe_rosettes"`
	Rosettes bool   `json:"rosettes_grant_rolls"`
	Captures bool   `json:"captures_grant_rolls"`
}

type royalInitial struct {
	Board struct {
		Pieces map[string]json.RawMessage `json:"pieces"`
	} `json:"board"`
	Players map[string]royalPlayer `json:"players"`
	royalState
}

type royalPlayer struct {
	Pieces int `json:"pieces"`
	Score  int `json:"score"`
}

type royalState struct {
	Type     string            `json:"type"`
	Time     int64             `json:"time"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Turn     string            `json:"turn,omitempty"`
	Roll     *royalRoll        `json:"roll,omitempty"`
	Move     *royalMove        `json:"move,omitempty"`
	Moves    *[]royalMove      `json:"moves,omitempty"`
	Player   string            `json:"player,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Winner   string            `json:"winner,omitempty"`
}

type royalRoll struct {
	Value int `json:"value"`
}

type royalMove struct {
	Src      *royalPiece `json:"src,omitempty"`
	Dest     *royalPiece `json:"dest,omitempty"`
	Captured *royalPiece `json:"captured,omitempty"`
}

// royalPiece is a piece on its path: plus 1 to 14 for Light, minus for Dark.
type royalPiece int

// UnmarshalJSON reads the number of version 2, or the object of version 1.
func (p *royalPiece) UnmarshalJSON(data []byte) error {
	if n, err := strconv.Atoi(string(data)); err == nil {
		*p = royalPiece(n)
		return nil
	}
	var old struct {
		Owner string `json:"owner"`
		Index int    `json:"index"`
	}
	if err := json.Unmarshal(data, &old); err != nil {
		return err
	}
	*p = royalPiece(old.Index + 1)
	switch old.Owner {
	case "L":
	case "D":
		*p = -*p
	default:
		return fmt.Errorf("owner %q of a piece (want L or D)", text.Clip(old.Owner))
	}
	return nil
}

// royalSides are the names of sides.
var royalSides = [2]string{"L", "D"}

// royalNames are the board's names, the paths and the dice of the built-in rule sets that
// RoyalUr knows.
var royalNames = map[string][3]string{
	"finkel":   {"standard", "bell", "four_binary"},
	"blitz":    {"standard", "masters", "four_binary"},
	"masters":  {"standard", "masters", "three_binary_0eq4"},
	"masters4": {"standard", "masters", "four_binary"},
	"aseb":     {"aseb", "aseb", "four_binary"},
}

// settingsOf returns the settings of a rule set, or an error if the format has none.
func settingsOf(r *board.Rules, pieces int) (royalSettings, error) {
	names, ok := royalNames[RulesText(r)]
	if !ok {
		return royalSettings{}, fmt.Errorf("format royalur has no rule set %q (want one of %s, or another format)",
			r.Name(), strings.Join(slices.Sorted(maps.Keys(royalNames)), ", "))
	}
	d := r.Definition()
	return royalSettings{names[0], names[1], names[2], pieces, d.SafeRosettes, d.RollAfterRosette, d.RollAfterCapture},
		nil
}

// rulesOf returns the rule set of settings. Its error names the settings that differ from Finkel's.
func rulesOf(s royalSettings) (*board.Rules, error) {
	for _, r := range board.List() {
		if want, err := settingsOf(r, s.Pieces); err == nil && s == want {
			return r, nil
		}
	}
	finkel, err := settingsOf(board.Finkel(), s.Pieces)
	if err != nil {
		return nil, err
	}
	var faults []string
	got, want := reflect.ValueOf(s), reflect.ValueOf(finkel)
	for i := range got.NumField() {
		if a, b := got.Field(i).Interface(), want.Field(i).Interface(); a != b {
			faults = append(faults, fmt.Sprintf("%s is %#v (want %#v)", got.Type().Field(i).Tag.Get("json"), a, b))
		}
	}
	return nil, fmt.Errorf("the settings are of other rules: %s", strings.Join(faults, "; "))
}

// royalPiece returns a side's piece on a square, or nil in hand and at home.
func (s *Step) royalPiece(side board.Side, square int) *royalPiece {
	if square == board.Start || square == s.Rules.Finish() {
		return nil
	}
	p := royalPiece(square)
	if side == board.Dark {
		p = -p
	}
	return &p
}

// royalMove returns a legal move as it is written.
func (s *Step) royalMove(m board.Move) *royalMove {
	side := s.Side()
	r := &royalMove{Src: s.royalPiece(side, int(m.From)), Dest: s.royalPiece(side, int(m.To))}
	if m.Capture {
		r.Captured = s.royalPiece(side.Other(), s.Rules.Across(int(m.To)))
	}
	return r
}

func writeRoyalUr(w io.Writer, g *Game, hash string) error {
	if g.StartText() != "" {
		return errors.New("RoyalUr's JSON holds only games that begin with all pieces in hand (want another format)")
	}
	settings, err := settingsOf(g.Rules, g.Pieces)
	if err != nil {
		return err
	}
	j := royalGame{Version: 2, Metadata: map[string]string{}, Settings: settings, States: []royalState{}}
	maps.Copy(j.Metadata, foreignMeta(g))
	parts := g.parts(hash)
	for _, key := range []string{"Light", "Dark", "Seed", "Game", "Hash"} { // the others stand elsewhere
		if parts[key] != "" {
			j.Metadata[key] = parts[key]
		}
	}
	j.Initial.Board.Pieces = map[string]json.RawMessage{}
	j.Initial.Players = map[string]royalPlayer{"L": {Pieces: g.Pieces}, "D": {Pieces: g.Pieces}}
	j.Initial.royalState = royalState{Type: "wait4roll", Turn: "L"}
	last, err := g.Replay(func(s *Step) {
		turn := royalState{Type: "roll", Time: s.Millis, Turn: royalSides[s.Side()], Roll: &royalRoll{s.Roll},
			Moves: &[]royalMove{}}
		if !s.Passed() {
			turn.Type, turn.Move, turn.Moves = "move", s.royalMove(s.Move()), nil
		}
		j.States = append(j.States, turn)
	})
	if err != nil {
		return err
	}
	j.States = append(j.States, royalEnd(g, last))
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(j)
}

// royalEnd returns the last state of a game.
func royalEnd(g *Game, last board.Position) royalState {
	end := royalState{Type: "wait4roll"}
	if n := len(g.Turns); n > 0 {
		end.Time = g.Turns[n-1].Millis
	}
	winner, won := g.Result.Winner()
	switch g.Result {
	case LightWins, DarkWins:
		end.Type, end.Winner = "win", royalSides[winner]
	case LightResigned, DarkResigned:
		end.Type, end.Player = "resigned", royalSides[winner.Other()]
	case Abandoned:
		end.Type, end.Reason = "abandoned", "external"
	}
	if !won && g.Result == Unfinished {
		end.Turn = royalSides[last.Turn()]
	}
	return end
}

// maxRoyalUr bounds the memory for a foreign file, in bytes.
const maxRoyalUr = 1 << 26

func readRoyalUr(in *lines, r *replay) (line int, err error) {
	file, err := io.ReadAll(io.LimitReader(in.in, maxRoyalUr+1))
	if err != nil {
		in.failed = err
	} else if file = bytes.TrimPrefix(file, []byte(byteOrderMark)); len(bytes.TrimSpace(file)) == 0 {
		err = io.EOF
	} else if len(file) > maxRoyalUr {
		err = fmt.Errorf("longer than %d bytes", maxRoyalUr)
	}
	if err != nil {
		return 1, err
	}
	lineAt := func(offset int64) int { return 1 + bytes.Count(file[:min(int(offset), len(file))], []byte("\n")) }
	var j struct {
		royalGame
		States []json.RawMessage `json:"states"` // parsed when their lines are known
	}
	decoder := json.NewDecoder(bytes.NewReader(file))
	if err := decoder.Decode(&j); err != nil {
		return lineAt(jsonOffset(err, decoder)), fmt.Errorf("not the JSON of RoyalUr: %w", err)
	}
	if decoder.More() {
		return lineAt(decoder.InputOffset()), errors.New("more than one game")
	}
	if err := j.royalGame.begin(r); err != nil {
		return 1, err
	}
	at := bytes.Index(file, []byte(`"states"`))
	for i, raw := range j.States {
		at += bytes.Index(file[at:], raw)
		var s royalState
		err := json.Unmarshal(raw, &s)
		if err == nil {
			err = s.play(r, i == len(j.States)-1)
		}
		if err != nil {
			return lineAt(int64(at)), fmt.Errorf("state %d: %w", i+1, err)
		}
		at += len(raw)
	}
	return 1, nil
}

// jsonOffset returns where an error of decoding is.
func jsonOffset(err error, d *json.Decoder) int64 {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return syntax.Offset
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return kind.Offset
	}
	return d.InputOffset()
}

// begin reads the members before the states.
func (j *royalGame) begin(r *replay) error {
	if j.Version != 1 && j.Version != 2 {
		return fmt.Errorf("notation_version is %d (want 1 or 2)", j.Version)
	}
	s := j.Settings
	s.Shape, s.Paths, s.Dice = strings.ToLower(s.Shape), strings.ToLower(s.Paths), strings.ToLower(s.Dice)
	if s.Dice == "fourbinary" {
		s.Dice = "four_binary"
	}
	rules, err := rulesOf(s)
	if err != nil {
		return err
	}
	h := header{}
	for key, value := range j.Metadata {
		h[key] = part{text: value}
	}
	h["Rules"], h["Pieces"] = part{text: RulesText(rules)}, part{text: strconv.Itoa(s.Pieces)}
	delete(h, "Result") // it stands in the last state
	if _, err := h.begin(r, 1); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	start := royalPlayer{Pieces: r.game.Pieces}
	if len(j.Initial.Board.Pieces) > 0 || j.Initial.Players["L"] != start || j.Initial.Players["D"] != start ||
		j.Initial.Turn != "L" || j.Initial.Type != "wait4roll" {
		return errors.New("initial_state is not the start of a game: all pieces in hand, Light to roll")
	}
	return nil
}

// play plays a state: a turn, or, as the last one, the end of the game.
func (s *royalState) play(r *replay, last bool) error {
	g, turn := r.game, r.Next.Turn()
	switch s.Type {
	case "move", "roll":
		return s.playTurn(r)
	}
	if !last {
		return fmt.Errorf("%q (want \"move\" or \"roll\" before the last state)", text.Clip(s.Type))
	}
	switch s.Type {
	case "wait4roll", "wait4move":
		if s.Turn != royalSides[turn] {
			return fmt.Errorf("turn is %q, but %s is to move", text.Clip(s.Turn), turn)
		}
	case "win":
		winner, over := r.Next.Winner()
		if !over || s.Winner != "" && s.Winner != royalSides[winner] {
			return fmt.Errorf("a win of %q at %s", text.Clip(s.Winner), r.Rules.FormatPosition(r.Next))
		}
		g.Result = LightWins + Result(winner)
	case "resigned":
		side := slices.Index(royalSides[:], s.Player)
		if side < 0 {
			return fmt.Errorf("player %q resigned (want L or D)", text.Clip(s.Player))
		}
		g.Result = LightResigned + Result(side)
	case "abandoned":
		g.Result = Abandoned
	default:
		return fmt.Errorf("type %q (want move, roll, wait4roll, wait4move, resigned, abandoned or win)",
			text.Clip(s.Type))
	}
	return nil
}

// playTurn plays a turn.
func (s *royalState) playTurn(r *replay) error {
	g := r.game
	switch turn := r.Next.Turn(); {
	case s.Turn != royalSides[turn]:
		return fmt.Errorf("turn is %q, but %s is to move", text.Clip(s.Turn), turn)
	case s.Roll == nil:
		return errors.New("no roll")
	case s.Type == "move" && s.Move == nil:
		return errors.New("a move without the field \"move\"")
	case s.Time < 0:
		return fmt.Errorf("time is %d", s.Time)
	case len(g.Turns) > 0 && s.Time < g.Turns[len(g.Turns)-1].Millis:
		return fmt.Errorf("the clock goes back to %d (want at least %d)", s.Time, g.Turns[len(g.Turns)-1].Millis)
	}
	name := func() string { return "another way" }
	err := r.turn(s.Roll.Value, s.Type == "roll", name,
		func(m board.Move) bool { return reflect.DeepEqual(s.Move, r.royalMove(m)) })
	if r.Millis = s.Time; err == nil {
		r.record()
	}
	return err
}
