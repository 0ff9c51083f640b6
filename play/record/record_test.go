package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
)

var linesFormat, rgnFormat, royalUrFormat = record.Formats()[0], record.Formats()[2], record.Formats()[3]

// ruleSets are the built-in rule sets and one of no other program: rolls of two digits.
var ruleSets = sync.OnceValue(func() []*board.Rules {
	mine, err := board.Parse([]byte(`{"name": "mine", "board": ["#####", "#####", "#####"], "light": ["A4", "A3", "A2", "A1", "B1", "B2", "B3", "B4", "B5", "A5"],
		"rosettes": ["A1", "C1", "B2"], "pieces": 3, "dice": [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1],
		"safe_rosettes": true, "roll_after_rosette": true, "roll_after_capture": false}`))
	if err != nil {
		panic(err)
	}
	return append(board.List(), mine)
})

// randomGame plays at random, at times from another position than the start, and stops or ends the
// game in one of all ways.
func randomGame(rng *rand.Rand) *record.Game {
	r := ruleSets()[rng.IntN(len(ruleSets()))]
	g := &record.Game{
		Rules: r, Pieces: 1 + rng.IntN(r.Pieces()),
		Players: [2]string{"brain", "a \"quoted\" \\ name"},
		Meta:    map[string]string{"StartTime": "2026-11-21T17:00:00Z"},
	}
	roll := func() int { return rng.IntN(r.MaxRoll() + 1) }
	if rng.IntN(2) == 0 {
		g.Dice = &record.DiceOrigin{Seed: rng.Uint64(), Game: rng.Uint64N(1000)}
		dice := r.Dice(g.Dice.Seed, g.Dice.Game)
		roll = dice.Roll
	}
	p := board.StartPosition(g.Pieces)
	if rng.IntN(3) == 0 {
		p = r.Random(rng, g.Pieces)
		if _, over := p.Winner(); over {
			return randomGame(rng)
		}
		g.Start = p
	}
	most := rng.IntN(2000)
	for range most {
		t := record.Turn{Roll: int8(roll()), From: record.Pass}
		moves := r.Moves(nil, p, int(t.Roll))
		if len(moves) == 0 {
			p = p.Pass()
		} else {
			m := moves[rng.IntN(len(moves))]
			t.From = int8(m.From)
			p = r.Apply(p, m)
		}
		g.Turns = append(g.Turns, t)
		if winner, over := p.Winner(); over {
			g.Result = record.LightWins + record.Result(winner)
			return g
		}
	}
	if len(g.Turns) > 0 {
		g.Result = []record.Result{record.Unfinished, record.LightResigned, record.DarkResigned, record.Abandoned}[rng.IntN(4)]
	}
	return g
}

// wholeGame returns a random game under Finkel's rules from the start, of a number of turns at least.
func wholeGame(rng *rand.Rand, turns int) *record.Game {
	g := randomGame(rng)
	for !g.Rules.IsFinkel() || g.StartText() != "" || len(g.Turns) < turns {
		g = randomGame(rng)
	}
	return g
}

// write returns games in a form.
func write(t testkit.T, f record.Format, games ...*record.Game) string {
	t.Helper()
	var text bytes.Buffer
	w := record.NewWriter(&text, f)
	for _, g := range games {
		testkit.MustEqual(t, w.Write(g), nil, "error of %s", f.Name)
	}
	testkit.NoError(t, w.Close())
	return text.String()
}

// read reads games and faults up to the end.
func read(t *testing.T, f record.Format, text string) (games []*record.Game, faults []*record.Fault) {
	t.Helper()
	r := record.NewReader(strings.NewReader(text), f)
	for range 10_000 {
		g, err := r.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF:
			return games, faults
		case errors.As(err, &fault):
			faults = append(faults, fault)
		case err != nil:
			t.Fatalf("%s: %v", f.Name, err)
		default:
			kept := *g
			kept.Turns = append([]record.Turn(nil), g.Turns...)
			games = append(games, &kept)
		}
	}
	t.Fatalf("%s: no end", f.Name)
	return nil, nil
}

// What is written in any form is read as the same game, as far as the form has room for it,
// and written again as the same text: under all rules, and from any position.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	for n := range 150 {
		g := randomGame(rng)
		for _, f := range record.Formats() {
			if f.One && (g.Rules.Name() == "mine" || g.StartText() != "") {
				testkit.WantError(t, record.NewWriter(io.Discard, f).Write(g), "another format", "game %d, %s", n, f.Name)
				continue
			}
			text := write(t, f, g)
			games, faults := read(t, f, text)
			testkit.MustEqual(t, []int{len(games), len(faults)}, []int{1, 0}, "%s: games, faults %v, in\n%s", f.Name,
				faults, text)
			want := *g
			if f.Name == "text" {
				want.Meta = nil
			}
			got := *games[0]
			if len(got.Turns) == 0 {
				got.Turns = nil
			}
			testkit.MustEqual(t, got, want, "game %d, %s, from\n%s", n, f.Name, text)
			testkit.MustEqual(t, write(t, f, games[0]), text, "%s: written again as", f.Name)
		}
	}
}

// Many games stand in a file one after another, and one that is bad is told with its line
// and keeps none of the others from being read.
func TestManyGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 15))
	var games []*record.Game
	for range 20 {
		games = append(games, wholeGame(rng, 10))
	}
	for _, f := range record.Formats() {
		if f.One {
			var w bytes.Buffer
			out := record.NewWriter(&w, f)
			testkit.WantError(t, errors.Join(out.Write(games[0]), out.Write(games[1])), "",
				"%s: two games are written", f.Name)
			continue
		}
		text := write(t, f, games...)
		got, faults := read(t, f, text)
		testkit.MustEqual(t, []int{len(got), len(faults)}, []int{len(games), 0}, "%s: games, faults %v", f.Name, faults)
		// A 9 is no roll, no piece, and no move.
		parts := strings.SplitAfter(text, "\n")
		line := 0
		for i, part := range parts {
			if bad := spoil(part); i > len(parts)/2 && bad != part {
				parts[i], line = bad, i+1
				break
			}
		}
		got, faults = read(t, f, strings.Join(parts, ""))
		testkit.ErrorIf(t, len(got) != len(games)-1 || len(faults) != 1 || faults[0].Line != line,
			"%s: line %d is bad: %d games, %v", f.Name, line, len(got), faults)
	}
}

// spoil makes a move of a line a wrong one.
func spoil(line string) string {
	for _, change := range [][2]string{{" 1A4-A3 ", " 1A4-A2 "}, {" in-A1* ", " in-A2 "},
		{" A@A1 ", " A@B1 "}, {" in-A4 ", " in-A3 "}, {" 2in-A3 ", " 2in-A4 "}, {" A@A3 ", " A@A4x "}} {
		if bad := strings.Replace(line, change[0], change[1], 1); bad != line {
			return bad
		}
	}
	return line
}

// The samples that RoyalUr's own notes give.
func TestForeignSamples(t *testing.T) {
	games, faults := read(t, rgnFormat,
		"[Light \"A B\"]\n[TimeControl \"no time control\"]\n\n1. A@A4 / C@C4\n3. A@A2 / 0 --\n")
	testkit.ErrorIf(t, len(faults) != 0 || len(games) != 1 || len(games[0].Turns) != 4 ||
		games[0].Players[0] != "A B" || games[0].Meta["TimeControl"] != "no time control" || games[0].Pieces != 7,
		"RGN: %+v, %v", games, faults)
	const old = `{"notation_version":1,"metadata":{},"settings":{"board_shape":"standard","paths":"bell","dice":"FourBinary","start_pieces":7,"safe_rosettes":true,"rosettes_grant_rolls":true,"captures_grant_rolls":false},
"initial_state":{"board":{"pieces":{}},"players":{"L":{"pieces":7,"score":0},"D":{"pieces":7,"score":0}},"type":"wait4roll","time":0,"turn":"L"},
"states":[{"type":"move","time":13,"turn":"L","roll":{"value":1},"move":{"dest":{"owner":"L","index":0}}},
{"type":"roll","time":20,"turn":"D","roll":{"value":0},"moves":[]},
{"type":"move","time":30,"turn":"L","roll":{"value":4},"move":{"src":{"owner":"L","index":0},"dest":{"owner":"L","index":4}}},
{"type":"resigned","player":"D","time":31}]}`
	games, faults = read(t, royalUrFormat, old)
	testkit.ErrorIf(t, len(faults) != 0 || len(games) != 1 ||
		fmt.Sprint(games[0].Turns) != "[{1 0 13} {0 -1 20} {4 1 30}]" || games[0].Result != record.DarkResigned,
		"RoyalUr, version 1: %+v, %v", games, faults)
	fault := func(changes ...string) *record.Fault {
		_, faults := read(t, royalUrFormat, strings.NewReplacer(changes...).Replace(old))
		testkit.MustEqual(t, len(faults), 1, "RoyalUr with %q: faults %v", changes, faults)
		return faults[0]
	}
	testkit.Equal(t, fault("FourBinary", "three_binary_0eq4", `"safe_rosettes":true`, `"safe_rosettes":false`).Msg,
		`the settings are of other rules: dice is "three_binary_0eq4" (want "four_binary"); safe_rosettes is false (want true)`,
		"RoyalUr of other rules")
	testkit.Equal(t, fault(`"value":4`, `"value":3`).Line, 5, "the line of a wrong roll")
	testkit.WantText(t, fault(`"time":30`, `"time":19`).Msg, "the clock goes back to 19 (want at least 20)")
}

// What is wrong is said, with where.
func TestFaults(t *testing.T) {
	forms := map[string]record.Format{"lines": linesFormat, "rgn": rgnFormat}
	names := strings.NewReplacer(`\n`, "\n", "TAIL", `,"result":"unfinished"}`,
		"HEAD", `{"schema":"ur.game/1","rules":"finkel","pieces":1,"players":["a","b"],`)
	for _, row := range testkit.Rows(t, "testdata/faults.txt", 3) {
		form, text, want := row[0], names.Replace(row[1]), row[2]
		_, faults := read(t, forms[form], text)
		testkit.ErrorIf(t, len(faults) == 0 || len(faults) > 1 && form == "lines" ||
			!strings.Contains(faults[0].Error(), want), "%q: %v, want one with %q", text, faults, want)
	}
}

// Whatever stands in a text, reading it ends, and what is read can be written and is read
// again as the same.
func FuzzReader(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 15))
	for range 3 {
		g := wholeGame(rng, 0)
		if len(g.Turns) > 30 {
			g.Turns, g.Result = g.Turns[:30], record.Unfinished
		}
		for i, form := range record.Formats() {
			f.Add(uint8(i), []byte(write(f, form, g)))
		}
	}
	f.Fuzz(func(t *testing.T, form uint8, text []byte) {
		chosen := record.Formats()[int(form)%len(record.Formats())]
		games, _ := read(t, chosen, string(text))
		for _, g := range games {
			again, faults := read(t, linesFormat, write(t, linesFormat, g))
			testkit.ErrorIf(t, len(faults) > 0 || len(again) != 1 || !reflect.DeepEqual(again[0].Turns, g.Turns) &&
				len(g.Turns) > 0 || again[0].Result != g.Result, "%+v is read again as %+v, %v", g, again, faults)
			if chosen.Name != "text" {
				write(t, chosen, g)
			}
		}
	})
}

// A million games a minute are 60 us each.
func BenchmarkReader(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 15))
	for _, form := range record.Formats() {
		if form.One {
			continue
		}
		b.Run("form="+form.Name, func(b *testing.B) {
			list := make([]*record.Game, 500)
			for i := range list {
				list[i] = wholeGame(rng, 60)
				for _, won := list[i].Result.Winner(); !won || list[i].Pieces != 7; _, won = list[i].Result.Winner() {
					list[i] = wholeGame(rng, 60)
				}
			}
			text := write(b, form, list...)
			b.SetBytes(int64(len(text)))
			games := 0
			for b.Loop() {
				r := record.NewReader(strings.NewReader(text), form)
				for {
					_, err := r.Next()
					if err == io.EOF {
						break
					}
					testkit.NoError(b, err)
					games++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(games), "us/game")
		})
	}
}

// A file is written in the form of its ending, and not over another.
func TestWriteNewFile(t *testing.T) {
	g := &record.Game{Rules: board.Finkel(), Pieces: 7, Players: [2]string{"a", "b"},
		Turns: []record.Turn{{Roll: 2, From: 0}, {Roll: 0, From: record.Pass}}}
	for ending, want := range map[string]string{".jsonl": `"turns":"2in-A3 0"`, ".txt": "1 L 2 in-A3",
		".rgn": "1. A@A3", ".royalur": `"notation_version"`} {
		name := filepath.Join(t.TempDir(), "game"+ending)
		testkit.NoError(t, record.WriteNewFile(name, g))
		testkit.WantText(t, testkit.ReadText(t, name), want)
		testkit.WantError(t, record.WriteNewFile(name, g), "exists (want another name)", "it is replaced")
	}
	testkit.WantError(t, record.WriteNewFile(filepath.Join(t.TempDir(), "game.pgn"), g), "not of a format of records",
		"an unknown extension")
	wrong := filepath.Join(t.TempDir(), "game.txt")
	testkit.WantError(t, record.WriteNewFile(wrong, &record.Game{Rules: board.Finkel(), Pieces: 7, Turns: []record.Turn{{Roll: 9}}}), "",
		"a game that is none is written")
	testkit.WantError(t, record.WriteNewFile(wrong, &record.Game{Pieces: 7}), "without rules", "a game without rules")
	testkit.WantError(t, testkit.ErrorOf(os.Lstat(wrong)), "", "something is left of it")
}

// A damaged record is refused, or it is the same game, or it is reported to have no hash.
func TestDamagedRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	g := wholeGame(rng, 60)
	for g.Dice == nil {
		g = wholeGame(rng, 60)
	}
	g.Players = [2]string{"net:a.safetensors", "greedy"}
	for _, f := range record.Formats() {
		file := []byte(write(t, f, g))
		games, _ := read(t, f, string(file))
		testkit.TryDamage(t, f.Name, file, games[0], func(data []byte) (*record.Game, error) {
			r := record.NewReader(bytes.NewReader(data), f)
			got, err := r.Next()
			if err != nil {
				return nil, err
			}
			game, unhashed := *got, r.Unhashed()
			game.Turns = append([]record.Turn(nil), got.Turns...)
			if _, err := r.Next(); err != io.EOF || unhashed {
				return nil, errors.New("damaged, games with other numbers, or reported to have no hash")
			}
			return &game, nil
		})
	}
}

// A start that does not fit the rules, the pieces or the turns is rejected.
func TestBadStart(t *testing.T) {
	for _, test := range []struct{ rules, start, bad, worse string }{
		{
			"finkel", "6:L.............:0 5:...D..D.......:0 D",
			"5:L.............:0 5:...D..D.......:0 D", "6:L.............:0 6:...D..D.......:0 L",
		},
		{
			"aseb", "4:L...............:0 3:...D..D.........:0 D",
			"3:L...............:0 3:...D..D.........:0 D", "4:L.............:0 3:...D..D.......:0 D",
		},
	} {
		r := testkit.Must(board.Lookup(test.rules))(t)
		game := &record.Game{Rules: r, Pieces: r.Pieces(), Turns: []record.Turn{{Roll: 0, From: record.Pass}, {Roll: 3, From: 1}}}
		testkit.NoError(t, game.SetStart(test.start))
		for _, format := range record.Formats() {
			if format.One {
				continue
			}
			for _, other := range []string{test.bad, test.worse} {
				text := strings.Replace(write(t, format, game), test.start, other, 1)
				testkit.WantError(t, testkit.ErrorOf(record.NewReader(strings.NewReader(text), format).Next()), "",
					"%s: the start %s was accepted instead of %s", format.Name, other, test.start)
			}
		}
	}
}

// Games are written and read in any of the formats.
func ExampleReader() {
	format, err := record.LookupFormat("jsonl")
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	game := &record.Game{Rules: board.Finkel(), Players: [2]string{"anna", "brain"}, Pieces: 7,
		Dice: &record.DiceOrigin{Seed: 1}}
	var w *record.Writer = record.NewWriter(&file, format)
	if err := w.Write(game); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	read, err := record.NewReader(&file, format).Next()
	if err != nil {
		panic(err)
	}
	fmt.Println(read.Players, read.Pieces, read.Result == record.Unfinished)
	// Output: [anna brain] 7 true
}
