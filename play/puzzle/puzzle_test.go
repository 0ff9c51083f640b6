package puzzle

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/solvetest"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// named returns players by their names.
func named(t *testing.T, specs ...string) (players []NamedPlayer) {
	t.Helper()
	for _, spec := range specs {
		p, err := play.ParsePlayer(spec)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, NamedPlayer{spec, p})
	}
	return players
}

// The puzzles that come with the program are at least 20, of every kind, and their numbers
// are near those of a search; where the exact solution is at hand, they are its own, and the
// search that found them finds them again.
func TestBuiltin(t *testing.T) {
	puzzles, err := All()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, p := range puzzles {
		kinds[p.Kind]++
		if p.Number != i+1 {
			t.Errorf("puzzle %d has number %d", i+1, p.Number)
		}
	}
	for _, k := range Kinds() {
		if kinds[k.Name] < 2 {
			t.Errorf("%d puzzles are of kind %q", kinds[k.Name], k.Name)
		}
	}
	if len(puzzles) < 20 {
		t.Errorf("%d puzzles", len(puzzles))
	}
	e, err := play.FindEvaluator(t.Context(), board.Finkel(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range puzzles {
		compare(t, p, e)
	}
	table, err := play.DefaultTables().Find(board.Finkel())
	var missing *solve.MissingTableError
	if errors.As(err, &missing) || testing.Short() {
		t.Skip("without the exact solution they are not found again")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := Finder{Table: table, Pieces: board.FinkelPieces, Games: 2000, Seed: 1, Player: "brain:classic", Each: 5}
	again, err := s.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range puzzles {
		mine := *p
		mine.Choices = nil // TD-Ur's weights are not here
		if !reflect.DeepEqual(&mine, again[i]) {
			t.Errorf("found\n%+v, want\n%+v", again[i], &mine)
		}
	}
}

// compare compares the numbers of a puzzle with those of an evaluator.
func compare(t *testing.T, p *Puzzle, e play.Evaluator) {
	t.Helper()
	near := 0.03 // of a search by the net
	if e.By() == "table" {
		near = 1e-6
	}
	v, err := e.Evaluate(t.Context(), p.MustTurn().Position, p.Roll)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range p.Moves {
		if math.Abs(v.Moves[i]-m.Win) > near {
			t.Errorf("puzzle %d: %s wins %g, the %s says %g", p.Number, m.Move, m.Win, e.By(), v.Moves[i])
		}
	}
}

// TD-Ur, which looks two plies ahead, does in the positions of its page what the page tells,
// so they are read from its picture rightly.
func TestPage(t *testing.T) {
	puzzles, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"B4-B6x", "in-A3"} {
		for _, c := range puzzles[i].Choices {
			if c.Player == "TD-Ur@2" && c.Move != want {
				t.Errorf("puzzle %d: TD-Ur makes %s, the page says %s", i+1, c.Move, want)
			}
		}
	}
}

// A search finds the same each time, of games of any number of pieces, and what it finds
// passes its check and comes back as it was written.
func TestFind(t *testing.T) {
	table, err := play.DefaultTables().Table(context.Background(), solvetest.Game(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	s := Finder{Table: table, Pieces: 3, Games: 300, Seed: 3, Player: "level:2", Each: 2, Players: named(t, "greedy", "random")}
	first, err := s.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Find(context.Background())
	if err != nil || !reflect.DeepEqual(first, second) || len(first) < 4 {
		t.Fatalf("%d and %d puzzles, %v", len(first), len(second), err)
	}
	for _, p := range first {
		if err := p.check(); err != nil {
			t.Error(err)
		}
		if state := p.MustTurn().Position; state.Turn() != board.Light || state.Pieces() != 3 {
			t.Errorf("position %s", p.Position)
		}
		compare(t, p, play.TableEvaluator(table))
	}
}

// risk is what a count over all throws says.
func TestRisk(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := 0.0
	for range 2000 {
		p := board.Finkel().Random(rng, 7)
		side := p.Turn().Other()
		ways := 0
		for throw := range 16 { // four dice, a bit each
			roll := throw&1 + throw>>1&1 + throw>>2&1 + throw>>3
			for _, next := range board.Finkel().Futures(nil, p, roll) {
				if next.Hand(side) > p.Hand(side) {
					ways++
					break
				}
			}
		}
		if got := risk(p, side); got != float64(ways)/16 {
			t.Fatalf("%s: risk %g, want %d of 16", board.Finkel().FormatPosition(p), got, ways)
		}
		if risk(p, p.Turn()) != 0 {
			t.Error("who moves is at risk")
		}
		seen += risk(p, side)
	}
	if seen == 0 {
		t.Error("nothing is at risk")
	}
}

// A puzzle that is not right is refused, with its line.
func TestRead(t *testing.T) {
	good := strings.SplitN(builtin, "\n", 2)[0]
	for _, change := range [][2]string{
		{schema, "ur.puzzle/9"}, {`"kind":"page"`, `"kind":"odd"`}, {`"roll":2`, `"roll":3`}, {`"best":"A3-A1*"`, `"best":"A1-A3"`},
		{`"move":"A2-B1"`, `"move":"A2-B2"`}, {`"win":0.641764`, `"win":0.1`}, {`"risk":0.3125`, `"risk":0.3`}, {`"roll":2`, `"roll":2,"more":1`}, {"L\"", "X\""},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("nothing is changed by %q", change)
		}
		if _, err := read(good + "\n" + bad + "\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", change, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	first, _, _ := strings.Cut(builtin, "\n") // small seeds are mutated fast
	f.Add(first)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		puzzles, err := read(text)
		if err != nil {
			return
		}
		for _, p := range puzzles {
			if p.Title() == "" || p.Index(p.Best) < 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}
