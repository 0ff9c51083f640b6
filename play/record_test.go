package play

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/play/record"
)

// A match that is recorded is the match that is not, and played again from its record, read
// from text, it has the same tally and wins; on any number of threads the same bytes.
func TestMatchReplays(t *testing.T) {
	for _, players := range [][]Player{{classic, small}, {Greedy, Random}} {
		c := MatchConfig{Players: players, Games: 301, Seed: 5, Pieces: 3}
		want := mustMatch(t, c)
		var first []byte
		for _, threads := range []int{1, 3} {
			var text bytes.Buffer
			w := record.NewWriter(&text, record.Formats()[0])
			c.Parallel, c.Record = threads, w.Write
			if got := mustMatch(t, c); got.Score != want.Score {
				t.Errorf("recorded: %+v, want %+v", got.Score, want.Score)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = text.Bytes()
			}
			if !bytes.Equal(first, text.Bytes()) {
				t.Errorf("%d threads write another record than one", threads)
			}
		}
		var tally ur.Tally
		var wins [2]int64
		r := record.NewReader(bytes.NewReader(first), record.Formats()[0])
		for n := 0; ; n++ {
			g, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = g.Replay(func(s *record.Step) { s.Count(&tally) })
			if err != nil || g.Players[n%2] != players[0].Spec {
				t.Fatalf("game %d: %v, players %v", n, err, g.Players)
			}
			winner, _ := g.Result.Winner()
			tally.Games++
			tally.Wins[winner]++
			wins[(int(winner)+n)%2]++
		}
		if tally != want.Tally || wins != want.Wins {
			t.Errorf("played again: %+v and wins %v, want %+v and %v", tally, wins, want.Tally, want.Wins)
		}
	}
}

// A record that cannot be written ends the match with its error.
func TestMatchCannotBeRecorded(t *testing.T) {
	broken := errors.New("broken")
	c := MatchConfig{Players: []Player{Greedy, Random}, Games: 1000, Pieces: 2, Record: func(*record.Game) error { return broken }}
	if r, err := Match(t.Context(), c); !errors.Is(err, broken) || r.Tally.Games >= 1000 {
		t.Errorf("%d games, error %v", r.Tally.Games, err)
	}
}
