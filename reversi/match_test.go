package reversi

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func maker(name string) func() (Player, error) {
	return func() (Player, error) { return ParsePlayer(name, Env{}) }
}

func TestMatchIsTheSameOnThreads(t *testing.T) {
	m := Match{First: maker("level:2"), Second: maker("greedy"), Pairs: 6, Seed: 5}
	want, err := m.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := want.Wins + want.Draws + want.Lost; n != 12 || len(want.Games) != 12 || want.Pairs.N() != 6 {
		t.Errorf("%d games counted, want 12", n)
	}
	if want.Pairs.Score() < 0.6 {
		t.Errorf("level:2 scores %.2f against greedy", want.Pairs.Score())
	}
	m.Parallel = 3
	got, err := m.Play(context.Background())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("on three threads: %+v, want %+v, %v", got, want, err)
	}
	for i, g := range want.Games {
		if !g.End().Over() {
			t.Errorf("game %d is not finished", i)
		}
		if i%2 == 1 && !reflect.DeepEqual(g.Moves[:4], want.Games[i-1].Moves[:4]) {
			t.Errorf("the games of pair %d begin with different openings", i/2)
		}
	}
}

func TestMatchEndsWhenDecided(t *testing.T) {
	m := Match{First: maker("greedy"), Second: maker("random"), Pairs: 2000, Seed: 1, Parallel: 2, SPRT: &rating.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}}
	s, err := m.Play(context.Background())
	if err != nil || s.Decision == rating.Undecided || s.Pairs.N() >= 2000 {
		t.Errorf("%+v, %v", s.Pairs, err)
	}
}

func TestMatchesThatMakeNoSense(t *testing.T) {
	ok := maker("random")
	for _, m := range []Match{{First: ok, Second: ok}, {First: ok, Second: ok, Pairs: 1, Discs: 50}, {First: maker("nobody"), Second: ok, Pairs: 1}} {
		if _, err := m.Play(context.Background()); err == nil {
			t.Errorf("%+v is played", m)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := (Match{First: ok, Second: ok, Pairs: 100}).Play(ctx); !errors.Is(err, context.Canceled) || s == nil {
		t.Errorf("a cancelled match: %+v, %v", s, err)
	}
}

func TestPlayersAreNamed(t *testing.T) {
	for _, name := range []string{"random", "greedy", "hand", "level:1", "level:10", "search:depth=3,exact=8,eval=hand", "search:time=5ms,probcut=0"} {
		p, err := ParsePlayer(name, Env{})
		if err != nil || p.Name() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "level", "level:0", "level:11", "level:x", "search:", "search:depth=0", "search:depth=99", "search:depth=3,luck=1", "search:time=-1s", "search:depth=3,eval=guess", "wizard"} {
		if p, err := ParsePlayer(name, Env{}); err == nil {
			t.Errorf("%q makes %s", name, p.Name())
		}
	}
}

// Every player answers every kind of position, and at once when its context is over.
func TestPlayersAnswer(t *testing.T) {
	must, err := board.ParseRecord(board.StartPosition(), "f5f6d3g5h5h4f7h6")
	if err != nil {
		t.Fatal(err)
	}
	over, err := board.ParseRecord(board.StartPosition(), "f5f4c3c6c5d6f3c4c7")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"random", "greedy", "hand", "level:3", "search:time=5ms,exact=20"} {
		p, err := ParsePlayer(name, Env{})
		if err != nil {
			t.Fatal(err)
		}
		if c, err := p.Choose(context.Background(), must.End(), Limits{}); err != nil || c.Square != board.Pass {
			t.Errorf("%s must pass and answers %s, %v", name, c.Square, err)
		}
		if _, err := p.Choose(context.Background(), over.End(), Limits{AllMoves: true}); !errors.Is(err, ErrOver) {
			t.Errorf("%s in a finished game: %v", name, err)
		}
		c, err := p.Choose(cancelled, board.StartPosition(), Limits{Time: time.Hour})
		if err != nil || board.Start.Moves()&c.Square.Bit() == 0 {
			t.Errorf("%s, stopped: %s, %v", name, c.Square, err)
		}
	}
	thinker, err := ParsePlayer("level:2", Env{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := thinker.Choose(context.Background(), board.StartPosition(), Limits{AllMoves: true})
	if err != nil || len(c.Moves) != 4 {
		t.Errorf("hints: %+v, %v", c, err)
	}
	if _, err := NewThinker(Settings{Name: "timeless"}); err == nil || !strings.Contains(err.Error(), "timeless") {
		t.Errorf("a thinker without end: %v", err)
	}
}
