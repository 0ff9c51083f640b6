package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/train"
)

// shortest is the shortest game: Black wins all discs.
const shortest = "f5f4c3c6c5d6f3c4c7"

// writeArchive writes an archive in the WTHOR format.
func writeArchive(t *testing.T, games ...string) (name string) {
	var list []board.Record
	for _, g := range games {
		r := board.Record{From: board.StartPosition()}
		for i := 0; i < len(g); i += 2 {
			r.Moves = append(r.Moves, board.SquareAt(int(g[i]-'a'), int(g[i+1]-'1')))
		}
		list = append(list, r)
	}
	name = filepath.Join(t.TempDir(), "games.WTB")
	testkit.FatalIf(t, os.WriteFile(name, train.FormatWTHOR(list), 0o600) != nil, "write %s", name)
	return name
}

// The list of an archive is read as the archive is: its games by "book learn", and its openings by "match".
func TestArchives(t *testing.T) {
	name := writeArchive(t, shortest, "f5d6", shortest)
	var list strings.Builder
	testkit.FatalIf(t, showArchive(&list, name) != nil, "%s is not shown", name)
	line := shortest + " # +64"
	testkit.FatalIf(t, strings.Count(list.String(), line) != 2, "the list is %q (want %q twice)", &list, line)
	text := filepath.Join(t.TempDir(), "games.txt")
	testkit.FatalIf(t, os.WriteFile(text, []byte(list.String()), 0o600) != nil, "write %s", text)
	for _, file := range []string{name, text} {
		games := testkit.Must(readRecords(file, false))(t)
		testkit.Equal(t, len(games), 2, "games of %s", file)
		testkit.Equal(t, games[1].Text(), shortest, "game of %s", file)
	}
	openings := testkit.Must(readRecords(name, true))(t)
	testkit.Equal(t, len(openings), 1, "different openings")
	testkit.Equal(t, openings[0].Text(), shortest[:16], "opening")

	damaged := writeArchive(t, shortest, "a1")
	first := testkit.Must(firstRecord(damaged))(t)
	testkit.Equal(t, first.Text(), shortest[:16], "first opening of an archive that is damaged behind it")
	testkit.WantError(t, testkit.ErrorOf(readRecords(damaged, true)), "game 2: move 1", "all openings of it")

	testkit.WantError(t, testkit.ErrorOf(readRecords(writeArchive(t, "f5d6"), false)), "no complete games", "no game is over")
	testkit.WantError(t, testkit.ErrorOf(readRecords(writeArchive(t, "a1"), true)), "game 1: move 1", "illegal")
}
