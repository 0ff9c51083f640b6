package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// royalUrFormat is the JSON of RoyalUr, version 2: one object for a game, with its settings,
// the state it begins with, and one for each turn: "move", or "roll" where no move was
// possible, and at last a waiting state or how the game ended. Version 1 is read as well.
//
// A piece is a number, plus for Light and minus for Dark: its square of the path, as here.
// Seed, Game, Light, Dark and Hash stand in the metadata.
var royalUrFormat = Format{
	Name: "royalur", Endings: []string{".royalur"}, Help: "the JSON of RoyalUr, a file for each game", One: true, clock: true, meta: someMeta,
	read:  func(l *lines) reader { return &royalUrReader{lines: l} },
	write: writeRoyalUr,
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
func (p *royalPiece) UnmarshalJSON(text []byte) error {
	if n, err := strconv.Atoi(string(text)); err == nil {
		*p = royalPiece(n)
		return nil
	}
	var old struct {
		Owner string `json:"owner"`
		Index int    `json:"index"`
	}
	if err := json.Unmarshal(text, &old); err != nil {
		return err
	}
	*p = royalPiece(old.Index + 1)
	switch old.Owner {
	case "L":
	case "D":
		*p = -*p
	default:
		return fmt.Errorf("owner %q of a piece (want L or D)", clip(old.Owner))
	}
	return nil
}

// royalSides are the names of sides.
var royalSides = [2]string{"L", "D"}

// royalNames are the names of the board, the paths and the dice of the built-in rule sets.
var royalNames = map[string][3]string{
	finkelName: {"standard", "bell", "four_binary"},
	"blitz":    {"standard", "masters", "four_binary"},
	"masters":  {"standard", "masters", "three_binary_0eq4"},
	"masters4": {"standard", "masters", "four_binary"},
	"aseb":     {"aseb", "aseb", "four_binary"},
}

// settingsOf returns the settings of a rule set, nil for Finkel's, or an error if the format has
// none.
func settingsOf(r *board.Rules, pieces int) (royalSettings, error) {
	r = cmp.Or(r, board.Finkel())
	names, ok := royalNames[RulesText(r)]
	if !ok {
		return royalSettings{}, fmt.Errorf("format royalur has no rule set %q (want one of %s, or another format)", r.Name(), strings.Join(board.Names(), ", "))
	}
	return royalSettings{names[0], names[1], names[2], pieces, r.SafeRosettes(), r.RollAfterRosette(), r.RollAfterCapture()}, nil
}

// rulesOf returns the rule set of settings, nil for Finkel's.
func rulesOf(s royalSettings) (*board.Rules, error) {
	for _, r := range board.List() {
		if want, err := settingsOf(r, s.Pieces); err == nil && s == want {
			return otherRules(r), nil
		}
	}
	finkel, err := settingsOf(nil, s.Pieces)
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the settings are of other rules: %s", s.unlike(finkel))
}

// unlike returns the names of the members with unexpected values.
func (s royalSettings) unlike(want royalSettings) string {
	var faults []string
	for _, m := range []struct {
		name      string
		got, want any
	}{
		{"board_shape", s.Shape, want.Shape},
		{"paths", s.Paths, want.Paths},
		{"dice", s.Dice, want.Dice},
		{"safe_rosettes", s.Safe, want.Safe},
		{"rosettes_grant_rolls", s.Rosettes, want.Rosettes},
		{"captures_grant_rolls", s.Captures, want.Captures},
	} {
		if m.got != m.want {
			faults = append(faults, fmt.Sprintf("%s is %#v (want %#v)", m.name, m.got, m.want))
		}
	}
	return strings.Join(faults, "; ")
}

// piece returns a side's piece on a square, or nil in hand and at home.
func (s *state) piece(side board.Side, square int) *royalPiece {
	if square == board.Start || square == s.rules.Finish() {
		return nil
	}
	p := royalPiece(square)
	if side == board.Dark {
		p = -p
	}
	return &p
}

// royalMove returns a legal move as it is written.
func (s *state) royalMove(m board.Move) royalMove {
	side := s.turn()
	r := royalMove{Src: s.piece(side, int(m.From)), Dest: s.piece(side, int(m.To))}
	if m.Capture {
		r.Captured = s.piece(side.Other(), s.rules.Across(int(m.To)))
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
	for key, value := range map[string]string{"Light": g.Players[0], "Dark": g.Players[1], "Hash": hash} {
		if value != "" {
			j.Metadata[key] = value
		}
	}
	if g.Dice != nil {
		j.Metadata["Seed"], j.Metadata["Game"] = strconv.FormatUint(g.Dice.Seed, 10), strconv.FormatUint(g.Dice.Game, 10)
	}
	j.Initial.Board.Pieces = map[string]json.RawMessage{}
	j.Initial.Players = map[string]royalPlayer{"L": {Pieces: g.Pieces}, "D": {Pieces: g.Pieces}}
	j.Initial.royalState = royalState{Type: "wait4roll", Turn: "L"}
	last, err := g.replay(func(s *Step) {
		before, side := state{ruleSet(s.Rules), s.Position}, s.Side()
		turn := royalState{Type: "roll", Time: s.Millis, Turn: royalSides[side], Roll: &royalRoll{s.Roll}, Moves: &[]royalMove{}}
		if s.Choice >= 0 {
			move := before.royalMove(s.Move())
			turn.Type, turn.Move, turn.Moves = "move", &move, nil
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
func royalEnd(g *Game, last state) royalState {
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
		end.Turn = royalSides[last.turn()]
	}
	return end
}

type royalUrReader struct {
	lines *lines
	done  bool
}

// maxRoyalUr bounds the memory for a foreign file, in bytes.
const maxRoyalUr = 1 << 26

func (r *royalUrReader) next(g *Game) (line int, p state, err error) {
	if r.done {
		return 0, p, io.EOF
	}
	r.done = true
	text, err := io.ReadAll(io.LimitReader(r.lines.in, maxRoyalUr+1))
	if err != nil {
		return 0, p, err
	}
	if len(text) > maxRoyalUr {
		return 0, p, fault(1, "longer than %d bytes", maxRoyalUr)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return 0, p, io.EOF
	}
	lineAt := func(offset int64) int { return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n")) }
	var j struct {
		royalGame
		States []royalLine `json:"states"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&j); err != nil {
		return 0, p, fault(lineAt(jsonOffset(err, decoder)), "not the JSON of RoyalUr: %v", err)
	}
	if decoder.More() {
		return 0, p, fault(lineAt(decoder.InputOffset()), "more than one game")
	}
	if err := j.royalGame.check(g); err != nil {
		return 0, p, &Fault{1, err.Error()}
	}
	at := stateLines(text)
	if p, err = g.start(); err != nil {
		return 0, p, &Fault{1, err.Error()}
	}
	for i, raw := range j.States {
		line := 1
		if i < len(at) {
			line = lineAt(at[i])
		}
		var s royalState
		if err := json.Unmarshal(raw, &s); err != nil {
			return 0, p, fault(line, "state %d: %v", i+1, err)
		}
		if p, err = s.add(g, p, i == len(j.States)-1); err != nil {
			return 0, p, fault(line, "state %d: %v", i+1, err)
		}
	}
	return 1, p, nil
}

// royalLine is a state whose parsing is deferred until its line is known.
type royalLine = json.RawMessage

// jsonOffset returns where an error of decoding is.
func jsonOffset(err error, d *json.Decoder) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	return d.InputOffset()
}

// stateLines returns where in a text the elements of the list "states" of the outer object
// begin.
func stateLines(text []byte) (at []int64) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return at
		}
		if key != "states" {
			var skipped json.RawMessage
			if d.Decode(&skipped) != nil {
				return at
			}
			continue
		}
		if _, err := d.Token(); err != nil {
			return at
		}
		for d.More() {
			var state json.RawMessage
			if d.Decode(&state) != nil {
				return at
			}
			at = append(at, d.InputOffset()-int64(len(state)))
		}
		if _, err := d.Token(); err != nil {
			return at
		}
	}
	return at
}

// check reads the members before the states.
func (j *royalGame) check(g *Game) error {
	if j.Version != 1 && j.Version != 2 {
		return fmt.Errorf("notation_version is %d (want 1 or 2)", j.Version)
	}
	s := j.Settings
	s.Shape, s.Paths, s.Dice = strings.ToLower(s.Shape), strings.ToLower(s.Paths), strings.ToLower(s.Dice)
	if s.Dice == "fourbinary" {
		s.Dice = "four_binary"
	}
	r, err := rulesOf(s)
	if err != nil {
		return err
	}
	g.Rules, g.Pieces = r, s.Pieces
	if err := g.checkPieces(); err != nil {
		return err
	}
	start := royalPlayer{Pieces: g.Pieces}
	if len(j.Initial.Board.Pieces) > 0 || j.Initial.Players["L"] != start || j.Initial.Players["D"] != start || j.Initial.Turn != "L" || j.Initial.Type != "wait4roll" {
		return errors.New("initial_state is not the start of a game: all pieces in hand, Light to roll")
	}
	return g.takeMeta(j.Metadata)
}

// takeMeta copies the metadata, including the keys that are part of a game.
func (g *Game) takeMeta(meta map[string]string) error {
	var seed, game *uint64
	for key, value := range meta {
		if key == "Rules" || key == "Result" || key == "Pieces" { // they stand elsewhere, and there they count
			continue
		}
		if err := setKey(g, &seed, &game, key, value); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
	}
	switch {
	case seed != nil && game != nil:
		g.Dice = &DiceOrigin{*seed, *game}
	case seed != nil || game != nil:
		return errors.New("metadata: only one of Seed and Game (want both or neither)")
	}
	return nil
}

// add adds a state to a game at a position, and returns the next position.
func (s *royalState) add(g *Game, p state, last bool) (state, error) {
	switch s.Type {
	case "move", "roll":
		return s.addTurn(g, p)
	}
	if !last {
		return p, fmt.Errorf("%q (want \"move\" or \"roll\" before the last state)", clip(s.Type))
	}
	side := map[string]int{"L": 0, "D": 1}
	switch s.Type {
	case "wait4roll", "wait4move":
		if s.Turn != royalSides[p.turn()] {
			return p, fmt.Errorf("turn is %q, but %s is to move", clip(s.Turn), p.turn())
		}
	case "win":
		winner, over := p.winner()
		if !over || s.Winner != "" && s.Winner != royalSides[winner] {
			return p, fmt.Errorf("a win of %q at %s", clip(s.Winner), p)
		}
		g.Result = LightWins + Result(winner)
	case "resigned":
		who, ok := side[s.Player]
		if !ok {
			return p, fmt.Errorf("player %q resigned (want L or D)", clip(s.Player))
		}
		g.Result = LightResigned + Result(who)
	case "abandoned":
		g.Result = Abandoned
	default:
		return p, fmt.Errorf("type %q (want move, roll, wait4roll, wait4move, resigned, abandoned or win)", clip(s.Type))
	}
	return p, nil
}

// addTurn adds a turn.
func (s *royalState) addTurn(g *Game, p state) (state, error) {
	side := p.turn()
	switch {
	case s.Turn != royalSides[side]:
		return p, fmt.Errorf("turn is %q, but %s is to move", clip(s.Turn), side)
	case s.Roll == nil || s.Roll.Value < 0 || s.Roll.Value > p.rules.MaxRoll():
		return p, fmt.Errorf("no roll of 0 to %d", p.rules.MaxRoll())
	case s.Time < 0:
		return p, fmt.Errorf("time is %d", s.Time)
	case len(g.Turns) > 0 && s.Time < g.Turns[len(g.Turns)-1].Millis:
		return p, fmt.Errorf("the clock goes back to %d (want at least %d)", s.Time, g.Turns[len(g.Turns)-1].Millis)
	}
	t := Turn{Roll: int8(s.Roll.Value), From: Pass, Millis: s.Time}
	var buf [board.MaxMoves]board.Move
	if _, over := p.winner(); over {
		return p, errors.New("a turn, but the game is over")
	}
	moves := p.moves(buf[:0], s.Roll.Value)
	if s.Type == "roll" {
		if len(moves) > 0 {
			return p, fmt.Errorf("no move was made with a %d, but %s can move, as by %s", s.Roll.Value, side, p.notation(moves[0]))
		}
		g.Turns = append(g.Turns, t)
		return p.passed(), nil
	}
	if s.Move == nil {
		return p, errors.New("a move without the field \"move\"")
	}
	for _, m := range moves {
		if s.Move.equal(p.royalMove(m)) {
			t.From = int8(m.From)
			g.Turns = append(g.Turns, t)
			return p.after(m), nil
		}
	}
	return p, fmt.Errorf("no legal move of %s with a %d at %s", side, s.Roll.Value, p)
}

// equal reports whether two moves are the same.
func (m royalMove) equal(n royalMove) bool {
	same := func(a, b *royalPiece) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return same(m.Src, n.Src) && same(m.Dest, n.Dest) && same(m.Captured, n.Captured)
}
