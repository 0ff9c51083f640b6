package reversi

import (
	"context"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// ponderHit lets a player think on the opponent's time to the end, and returns what it
// answers to the expected reply, warm and cold.
func ponderHit(t *testing.T, s Settings, line string) (warm, cold Choice) {
	t.Helper()
	record := testkit.Must(board.ParseRecord(board.StartPosition(), line))(t)
	player := testkit.Must(NewThinker(s))(t)
	ctx := context.Background()
	own := testkit.Must(player.Choose(ctx, record.End(), Limits{}))(t)
	p, err := record.End().Play(own.Square)
	if err != nil {
		t.Fatal(err)
	}
	reply := board.None
	if len(own.Line) > 1 {
		reply = own.Line[1]
	}
	player.NewGame(0)
	player.Ponder(ctx, p, reply)
	<-player.pondered
	if reply == board.None {
		reply = board.First(p.Moves())
	}
	if p, err = p.Play(reply); err != nil {
		t.Fatal(err)
	}
	if warm, err = player.Choose(ctx, p, Limits{}); err != nil {
		t.Fatal(err)
	}
	player.NewGame(0)
	if cold, err = player.Choose(ctx, p, Limits{}); err != nil {
		t.Fatal(err)
	}
	return warm, cold
}

// After the expected move a player that pondered searches fewer positions, in the midgame
// and where it solves.
func TestPonderHitSearchesLess(t *testing.T) {
	w := testkit.Must(eval.Learned())(t)
	late := board.Record{From: board.StartPosition()}
	for p := late.End(); p.Empties() > 16; p = late.End() {
		move := board.Pass
		if p.Moves() != 0 {
			move = board.First(p.Moves())
		}
		testkit.NoError(t, late.Add(move))
	}
	for name, line := range map[string]string{"midgame": "f5d6c3", "endgame": late.Text()} {
		warm, cold := ponderHit(t, Settings{Name: name, Weights: w, Depth: 8, Exact: 16}, line)
		if warm.Nodes >= cold.Nodes/2 || warm.Score != cold.Score && name == "endgame" {
			t.Errorf("%s: %d nodes and score %v after pondering, %d and %v without", name, warm.Nodes, warm.Score, cold.Nodes, cold.Score)
		}
		t.Logf("%s: %d nodes after pondering, %d without", name, warm.Nodes, cold.Nodes)
	}
}

// Choose and NewGame end a search in the background that has no limit.
func TestPonderingEnds(t *testing.T) {
	player := testkit.Must(NewThinker(Settings{Name: "p", Time: time.Millisecond, Exact: 4}))(t)
	player.Ponder(context.Background(), board.StartPosition(), board.None)
	if c, err := player.Choose(context.Background(), board.StartPosition(), Limits{}); err != nil || c.Square == board.None {
		t.Errorf("%+v, %v", c, err)
	}
	player.Ponder(context.Background(), board.StartPosition(), 37)
	player.NewGame(0)
	if player.cancel != nil {
		t.Error("a new game does not end the search")
	}
}
