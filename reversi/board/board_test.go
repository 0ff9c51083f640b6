package board

import (
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// walk calls f with the positions of random games until it has called it n times.
func walk(n int, f func(p Position)) {
	random := rand.New(rand.NewPCG(2, 8))
	for n > 0 {
		for p := StartPosition(); n > 0; n-- {
			f(p)
			if p.Over() {
				break
			}
			move := Pass
			if moves := Squares(p.Moves()); len(moves) > 0 {
				move = moves[random.IntN(len(moves))]
			}
			next, err := p.Play(move)
			if err != nil {
				panic(err)
			}
			p = next
		}
	}
}

func TestBoardEqualsTheArray(t *testing.T) {
	walk(20_000, func(p Position) {
		a := ArrayOf(p.Board)
		for x, disc := range a {
			if bit := Square(x).Bit(); disc == 1 != (p.Own&bit != 0) || disc == -1 != (p.Opp&bit != 0) {
				t.Fatalf("%s: the array has %d on %s", p, disc, Square(x))
			}
		}
		testkit.MustEqual(t, Squares(p.Moves()), Squares(a.Moves()), "%s: moves", p)
		for s := range Square(64) {
			if got, want := p.Flips(s), a.Flips(s); got != want {
				t.Fatalf("%s: %s flips %v, want %v", p, s, Squares(got), Squares(want))
			}
			next, err := p.Play(s)
			if legal := p.Moves()&s.Bit() != 0; legal != (err == nil) || legal && (next.Own&next.Opp != 0 || next.Empties() != p.Empties()-1 || next.Side == p.Side) {
				t.Fatalf("%s: %s leads to %s, %v", p, s, next, err)
			}
		}
	})
}

func TestSymmetriesCommuteWithMoves(t *testing.T) {
	walk(500, func(p Position) {
		least, by := p.Canonical()
		testkit.FatalIf(t, p.Board.Symmetric(by) != least, "symmetry %d does not lead to the canonical board", by)
		for n := range Symmetries {
			b := p.Board.Symmetric(n)
			testkit.MustEqual(t, b.Symmetric(Undo(n)), p.Board, "symmetry %d, undone by %d", n, Undo(n))
			c, _ := b.Canonical()
			testkit.FatalIf(t, c != least, "symmetry %d has another canonical board", n)
			var moved uint64
			for _, s := range Squares(p.Moves()) {
				moved |= s.Symmetric(n).Bit()
			}
			testkit.MustEqual(t, Squares(b.Moves()), Squares(moved), "symmetry %d: moves", n)
		}
	})
}

func TestTextsRoundTrip(t *testing.T) {
	walk(1_000, func(p Position) {
		q, err := ParsePosition(p.Text(), p.Side.String())
		testkit.FatalIf(t, err != nil || q != p, "%s is read as %s, %v", p, q, err)
		testkit.FatalIf(t, bits.OnesCount64(p.Black())+bits.OnesCount64(p.White())+p.Empties() != 64,
			"%s has not 64 squares", p)
	})
	for _, bad := range []struct{ squares, side string }{
		{"", "X"}, {StartPosition().Text()[:63], "X"}, {StartPosition().Text() + "-", "X"},
		{StartPosition().Text()[:63] + "?", "X"}, {StartPosition().Text(), ""}, {StartPosition().Text(), "XO"},
	} {
		testkit.WantError(t, testkit.ErrorOf(ParsePosition(bad.squares, bad.side)), "", "%q %q", bad.squares, bad.side)
	}
}

// edges are the vectors of unusual games.
type edges struct {
	Lines []struct {
		Line, Board string
		SideAfter   string `json:"side_after"`
		GameOver    bool   `json:"game_over"`
		Score       int    `json:"score_X"`
	}
	MustPass []struct{ Line, Board, Side string } `json:"must_pass"`
	GameOver []struct {
		Board, Side string
		Score       int `json:"score_side"`
	} `json:"game_over"`
}

func TestUnusualGames(t *testing.T) {
	var e edges
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, "../testdata/edge.json")), &e))
	testkit.FatalIf(t, len(e.Lines) == 0 || len(e.MustPass) == 0 || len(e.GameOver) == 0, "the vectors hold nothing")
	for _, l := range e.Lines {
		r := testkit.Must(ParseRecord(StartPosition(), l.Line))(t)
		p := r.End()
		score := p.Score()
		if p.Side == White {
			score = -score
		}
		testkit.ErrorIf(t, p.Text() != l.Board || p.Side.String() != l.SideAfter || p.Over() != l.GameOver ||
			score != l.Score || r.Text() != l.Line,
			"%s ends in %s, over: %t, %+d for Black", l.Line, p, p.Over(), score)
	}
	for _, l := range e.MustPass {
		r, err := ParseRecord(StartPosition(), l.Line)
		p := r.End()
		testkit.ErrorIf(t, err != nil || p.Text() != l.Board || p.Side.String() != l.Side || p.Moves() != 0 || p.Over(),
			"%s: %s, %v", l.Line, p, err)
		testkit.Must(p.Play(Pass))(t)
	}
	for _, l := range e.GameOver {
		p, err := ParsePosition(l.Board, l.Side)
		testkit.ErrorIf(t, err != nil || !p.Over() || p.Score() != l.Score,
			"%s %s: over: %t, %+d, %v", l.Board, l.Side, p.Over(), p.Score(), err)
		testkit.WantError(t, testkit.ErrorOf(p.Play(Pass)), "", "%s %s: a pass in a finished game", l.Board, l.Side)
	}
}

func TestIllegalMovesAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"a1": "a1 turns nothing over", "d4": "d4 is not empty", "pass": "may not pass", "z9": `invalid square "z9"`,
		"f5f": "incomplete square", "f5f6e6f4g4f4": "move 6: f4 is not empty",
	} {
		testkit.WantError(t, testkit.ErrorOf(ParseRecord(StartPosition(), text)), want, "%s", text)
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add("f5d6c3d3c4f4f6f3")
	f.Add("f5f4c3c6c5d6f3c4c7")
	f.Add("f5f6d3g5h5h4f7h6pass")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRecord(StartPosition(), text)
		testkit.SkipOn(t, err)
		again := testkit.Must(ParseRecord(StartPosition(), r.Text()))(t)
		testkit.Equal(t, again.Text(), r.Text(), "%q is read as", text)
	})
}

func FuzzParsePosition(f *testing.F) {
	f.Add(StartPosition().Text(), "X")
	f.Fuzz(func(t *testing.T, squares, side string) {
		p, err := ParsePosition(squares, side)
		testkit.SkipOn(t, err)
		testkit.Equal(t, testkit.Must(ParsePosition(p.Text(), p.Side.String()))(t), p, "%s is read as", p)
	})
}

func TestParseOBF(t *testing.T) {
	p, ok, err := ParseOBF("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; h1:+12; b1:-4; % FForum 1")
	testkit.ErrorIf(t, err != nil || !ok || p.Empties() != 14, "%+v, %t, %v", p, ok, err)
	_, ok, err = ParseOBF("  % nothing")
	testkit.ErrorIf(t, ok || err != nil, "a comment: %t, %v", ok, err)
	start := StartPosition().Text()
	for _, bad := range []string{start, start + " Y;", start[1:] + " X;", start + " X X;"} {
		_, _, err := ParseOBF(bad)
		testkit.WantError(t, err, "", "%q", bad)
	}
}

func FuzzParseOBF(f *testing.F) {
	f.Add(StartPosition().String() + "; d3:+1; e3: 0;%")
	f.Fuzz(func(t *testing.T, line string) {
		p, ok, err := ParseOBF(line)
		testkit.ErrorIf(t, ok && err == nil && p.Own&p.Opp != 0, "%q has squares with two discs", line)
	})
}
