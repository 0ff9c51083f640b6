package record_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
)

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
		testkit.TryDamage(t, f.Name, file, func(data []byte) testkit.Outcome {
			r := record.NewReader(bytes.NewReader(data), f)
			got, err := r.Next()
			if err != nil {
				return testkit.Refused
			}
			game, unhashed := *got, r.Unhashed()
			game.Turns = append([]record.Turn(nil), got.Turns...)
			if _, err := r.Next(); err != io.EOF {
				return testkit.Refused // an error, or games with other numbers
			}
			switch {
			case unhashed:
				return testkit.Reported
			case !reflect.DeepEqual(&game, games[0]):
				return testkit.Changed
			}
			return testkit.Same
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
