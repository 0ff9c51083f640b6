package play

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// A record must tell the whole game: from its text alone, the seed's dice and the
// rules, every position follows.
func TestRecordReplays(t *testing.T) {
	var text strings.Builder
	g := Game{Seed: 21, Number: 6, Pieces: 4, Seats: sit(t, Greedy{}, Random{})}
	r := NewRecorder(&text, g, [2]string{"greedy", "random"})
	g.Observe = r.Turn
	tally, err := g.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.End(tally); err != nil {
		t.Fatal(err)
	}

	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	header, turns, last := lines[1:6], lines[6:len(lines)-1], lines[len(lines)-1]
	if got := strings.Join(header, ", "); got != "seed 21, game 6, pieces 4, light greedy, dark random" {
		t.Errorf("header: %s", got)
	}
	position := board.StartPosition(4)
	for number, line := range turns {
		roll := board.Roll(21, 6, uint64(number))
		next := map[string]board.Position{}
		side := position.Turn()
		for _, m := range position.Moves(nil, roll) {
			next[m.Notation(side)] = position.Apply(m)
		}
		if len(next) == 0 {
			next["pass"] = position.Pass()
		}
		move := strings.Fields(line)[3]
		p, legal := next[move]
		if want := fmt.Sprintf("%d %c %d %s %s", number+1, "LD"[side], roll, move, p); !legal || line != want {
			t.Fatalf("line %q, want %q", line, want)
		}
		position = p
	}
	winner, over := position.Winner()
	if want := "result " + winner.String(); !over || last != want {
		t.Errorf("the record ends with %q at %s, want %q", last, position, want)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestRecordReportsItsError(t *testing.T) {
	r := NewRecorder(full{}, Game{Pieces: 7}, [2]string{"first", "first"})
	g := Game{Seats: sit(t, First{}, First{}), Observe: r.Turn}
	tally, err := g.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.End(tally); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

func TestRecordOfAGameThatStopped(t *testing.T) {
	var text strings.Builder
	if err := NewRecorder(&text, Game{Pieces: 7}, [2]string{"human", "brain"}).End(ur.Tally{}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(text.String(), "dark brain\nresult unfinished\n") {
		t.Errorf("record %q", text.String())
	}
}
