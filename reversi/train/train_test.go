package train

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// tiny is a plan of a second.
func tiny() Plan {
	fit := Fit{Epochs: 2, Rate: 0.2, Last: 0.1, Ridge: 1, Trace: 0.9, Margin: 2}
	return Plan{Seed: 3, Rounds: []Round{
		{24, Play{Exact: 6, Opening: 20, Wild: 4}, fit, 1},
		{24, Play{Depth: 2, Exact: 6, Opening: 10, Stray: 20}, fit, 2},
	}}
}

// A seed names the weights: on any number of threads, and interrupted as well.
func TestRunIsTheSameOnThreadsAndResumed(t *testing.T) {
	r := testkit.Must(tiny().Run(context.Background(), "", 1, nil))(t)
	testkit.ErrorIf(t, r.Errors[eval.Stages-1] <= 0 || r.Error <= 0 || r.Curve != nil,
		"errors %v and %v, curve %v", r.Errors, r.Error, r.Curve)
	want := testkit.Written(t, r.Weights.Write)
	r = testkit.Must(tiny().Run(context.Background(), "", 3, nil))(t)
	testkit.ErrorIf(t, testkit.Written(t, r.Weights.Write) != want, "three threads learn something else")

	folder := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	first := tiny()
	_, err := first.Run(ctx, folder, 2, func(round, played, games int) {
		if round == 2 {
			cancel()
		}
	})
	testkit.WantError(t, err, "", "a cancelled run")
	logs, _ := filepath.Glob(filepath.Join(folder, "*.games"))
	testkit.FatalIf(t, len(logs) != 2, "%d logs, want 2", len(logs))
	text := testkit.Must(os.ReadFile(logs[0]))(t)
	// A kill while a line is written leaves a part of it.
	testkit.NoError(t, os.WriteFile(logs[0], text[:len(text)-30], 0o666))
	curved := tiny()
	curved.Curve = true
	r = testkit.Must(curved.Run(context.Background(), folder, 2, nil))(t)
	testkit.ErrorIf(t, testkit.Written(t, r.Weights.Write) != want, "resumed, it learns something else")
	testkit.ErrorIf(t, len(r.Curve) != 2 || r.Curve[1].Games != 12, "resumed, it has the curve %v", r.Curve)

	text[len(text)-20] ^= 1
	os.WriteFile(logs[0], text, 0o666)
	r = testkit.Must(tiny().Run(context.Background(), folder, 1, nil))(t)
	testkit.ErrorIf(t, testkit.Written(t, r.Weights.Write) != want, "a damaged log is believed")
	other := tiny()
	other.Seed++
	_, err = other.Run(context.Background(), folder, 1, nil)
	testkit.WantError(t, err, "seed is 3 (want 4)", "the log of another seed")
}

func TestFitLearnsWhatIsThere(t *testing.T) {
	p := testkit.Must(newPlayer(Play{Exact: 8, Opening: 40}, nil, 5))(t)
	var games []Game
	for n := range uint64(300) {
		games = append(games, testkit.Must(p.game(context.Background(), n))(t))
	}
	r := testkit.Must((Fit{Epochs: 12, Rate: 0.2, Margin: 2, Threads: 2}).Weights(context.Background(), games))(t)
	zeros, _ := rootMeanSquares(new(eval.Weights), samples(games, 1))
	last, zero := r.Errors[eval.Stages-1], zeros[eval.Stages-1]
	testkit.ErrorIf(t, last > 0.6*zero, "the last stage errs by %.1f discs, knowing nothing by %.1f", last, zero)
}

func TestPlansThatMakeNoSense(t *testing.T) {
	for _, p := range []Plan{{}, {Rounds: []Round{{}}}, {Rounds: []Round{{Games: 1, Play: Play{Opening: 1}}}}} {
		testkit.WantError(t, testkit.ErrorOf(p.Run(context.Background(), "", 1, nil)), "", "%+v", p)
	}
}

// archive returns an archive of games.
func archive(games ...string) []byte {
	var list []board.Record
	for _, g := range games {
		r := board.Record{From: board.StartPosition()}
		for i := 0; i < len(g); i += 2 {
			r.Moves = append(r.Moves, board.SquareAt(int(g[i]-'a'), int(g[i+1]-'1')))
		}
		list = append(list, r)
	}
	return FormatWTHOR(list)
}

const shortGame = "f5f4c3c6c5d6f3c4c7" // Black wins all discs with the ninth move

func TestReadWTHOR(t *testing.T) {
	text := archive(shortGame, "f5d6", shortGame)
	games, err := ReadWTHOR(bytes.NewReader(text))
	testkit.FatalIf(t, err != nil || len(games) != 2 || games[0].score(0) != 64 || len(games[0].Moves) != 9 ||
		games[0].Moves[0] != 37, "%+v, %v", games, err)
	for i := range len(text) {
		testkit.WantError(t, testkit.ErrorOf(ReadWTHOR(bytes.NewReader(text[:i]))), "", "a file cut after %d bytes", i)
	}
	testkit.WantError(t, testkit.ErrorOf(ReadWTHOR(bytes.NewReader(archive("a1")))), "game 1: move 1", "illegal")
	for at, want := range map[int]string{
		wthorMoves + 3: "game 1: move 4: square 0 before another move, 53", wthorScore: "game 1: 0 discs of Black (want 64",
	} {
		damaged := bytes.Clone(text)
		damaged[wthorHead+at] = 0
		testkit.WantError(t, testkit.ErrorOf(ReadWTHOR(bytes.NewReader(damaged))), want, "a 0 at byte %d of a game", at)
	}
	plain := bytes.Clone(text)
	plain[wthorHead+wthorScore] = 13 // discs without the empty squares
	testkit.Equal(t, len(testkit.Must(ReadWTHOR(bytes.NewReader(plain)))(t)), 2, "games, one without empty squares in its count")
	broken := errors.New("broken disk")
	for _, n := range []int{0, 9, wthorHead, wthorHead + 9, len(text)} {
		_, err := ReadWTHOR(io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(broken)))
		testkit.WantErrorIs(t, err, broken, "a disk that breaks after %d bytes", n)
	}
	testkit.WantError(t, testkit.ErrorOf(ReadWTHOR(bytes.NewReader(append(text, 1)))), "data after the 3 games of the header", "bytes behind the games")
}

func FuzzReadWTHOR(f *testing.F) {
	f.Add(archive(shortGame))
	f.Fuzz(func(t *testing.T, text []byte) {
		games, _ := ReadWTHOR(bytes.NewReader(text))
		for _, g := range games {
			r := board.Record{From: board.StartPosition(), Moves: g.Moves}
			testkit.ErrorIf(t, !r.End().Over(), "%s is no whole game", r.Text())
		}
	})
}

func FuzzGameText(f *testing.F) {
	r, _ := board.ParseRecord(board.StartPosition(), shortGame)
	text, _ := Game{Moves: r.Moves, From: 2, Exact: 8, Scores: []int8{64, 64}, Values: []int8{3, 5, -7, 64, 1, 0}}.MarshalText()
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var g, again Game
		testkit.SkipOn(t, g.UnmarshalText(text))
		text, _ = g.MarshalText()
		err := again.UnmarshalText(text)
		testkit.ErrorIf(t, err != nil || !reflect.DeepEqual(g, again), "%q is read as %+v: %v", text, again, err)
	})
}
