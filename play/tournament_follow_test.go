package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed-09dcdc84/ur/match"
)

// followedLog returns the log of a small tournament, and its report.
func followedLog(t testing.TB, games int, players ...string) (log []byte, report TournamentReport) {
	t.Helper()
	c := TournamentConfig{Games: games, Pieces: 1, Seed: 2}
	for _, name := range players {
		p, err := ParsePlayer(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Players = append(c.Players, p)
	}
	file := filepath.Join(t.TempDir(), "log.jsonl")
	var err error
	if c.Log, err = match.OpenLog(file); err != nil {
		t.Fatal(err)
	}
	result, err := Tournament(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Log.Close(); err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	return log, result.Report
}

// Who reads the log while others play sees the tournament as it is, after every line.
func TestReadTournament(t *testing.T) {
	log, want := followedLog(t, 130, "brain", "tree", "greedy", "random", "greedy:linear")
	got, err := ReadTournament(bytes.NewReader(log))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the log reads as %+v, %v, want %+v", got, err, want)
	}
	var before int64
	for end := range log {
		if log[end] != '\n' {
			continue
		}
		got, err := ReadTournament(bytes.NewReader(log[:end+1]))
		if err != nil || got.Played < before || end+1 < len(log) && got.Complete {
			t.Fatalf("after %d bytes: %d games, complete %t, %v", end+1, got.Played, got.Complete, err)
		}
		before = got.Played
	}
	var foreign *match.LogError
	for _, text := range []string{"", "{", "nonsense\n"} {
		if _, err := ReadTournament(bytes.NewReader([]byte(text))); !errors.As(err, &foreign) {
			t.Errorf("%q reads as a tournament: %v", text, err)
		}
	}
}

// FuzzReadTournament looks for logs that break the reader, or reports that JSON cannot hold.
func FuzzReadTournament(f *testing.F) {
	log, _ := followedLog(f, 2, "greedy", "random")
	end := 0
	for range 3 { // small seeds are mutated fast
		end += bytes.IndexByte(log[end:], '\n') + 1
		f.Add(log[:end])
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		if report, err := ReadTournament(bytes.NewReader(log)); err == nil {
			if _, err := json.Marshal(report); err != nil {
				t.Fatal(err)
			}
		}
	})
}
