package cli

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// shortest is the shortest game: Black wins all discs.
const shortest = "f5f4c3c6c5d6f3c4c7"

// writeArchive writes an archive in the WTHOR format: a header with the number of games, and 68 bytes a game.
func writeArchive(t *testing.T, games ...string) (name string) {
	text := make([]byte, 16)
	binary.LittleEndian.PutUint32(text[4:], uint32(len(games)))
	text[12] = 8
	for _, g := range games {
		record := make([]byte, 68)
		for i := 0; i < len(g); i += 2 {
			record[8+i/2] = (g[i+1]-'0')*10 + g[i] - 'a' + 1
		}
		text = append(text, record...)
	}
	name = filepath.Join(t.TempDir(), "games.WTB")
	testkit.FatalIf(t, os.WriteFile(name, text, 0o600) != nil, "write %s", name)
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

	testkit.WantError(t, testkit.ErrorOf(readRecords(writeArchive(t, "f5d6"), false)), "no complete games", "no game is over")
	testkit.WantError(t, testkit.ErrorOf(readRecords(writeArchive(t, "a1"), true)), "game 1: move 1", "illegal")
}
