package session

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/valuenet"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// begin begins a session or fails.
func begin(t testing.TB, setup Setup) *Session {
	t.Helper()
	return testkit.Must(New(t.Context(), setup))(t)
}

// run goes on until a person has to choose.
func run(t testing.TB, s *Session) {
	t.Helper()
	testkit.NoError(t, s.Run(t.Context(), nil))
}

// setPlayer gives a side to a person or a player.
func setPlayer(ctx context.Context, s *Session, side board.Side, spec string) error {
	take, err := s.Prepare(ctx, side, spec)
	if err == nil {
		take()
	}
	return err
}

// jsonl is the whole record, as it is written.
func jsonl(t testing.TB, s *Session) string {
	t.Helper()
	form := testkit.Must(record.LookupFormat("jsonl"))(t)
	var out bytes.Buffer
	w := record.NewWriter(&out, form)
	testkit.NoError(t, errors.Join(w.Write(s.Record()), w.Close()))
	return out.String()
}

// Two players of the program play the game that package play plays.
func TestRunIsTheGame(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{"greedy", "level:3"}, Seed: 7, Game: 3})
	run(t, s)
	var want *record.Game
	config := play.MatchConfig{Players: []play.Player{s.Player(board.Light), s.Player(board.Dark)}, Games: 8, Seed: 7}
	config.Record = func(g *record.Game) error {
		if g.Dice.Game == 3 && g.Players[0] == "greedy" {
			want = g
		}
		return nil
	}
	testkit.Must(play.Match(t.Context(), config))(t)
	testkit.Equal(t, s.Record(), want, "record")
}

// Whatever is done in whatever order, the record is a game by the rules and the dice, it
// loads as the same session, and what is undone can be redone.
func TestSessionsHold(t *testing.T) {
	ctx := context.Background()
	specs := []string{Person, Person, "greedy", "level:2", "random"}
	var sets []string
	for _, r := range board.List() {
		if _, _, err := valuenet.BuiltinFor(r); err == nil { // it has levels
			sets = append(sets, r.Name())
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		set := testkit.Must(board.Lookup(rapid.SampledFrom(sets).Draw(r, "rules")))(r)
		setup := Setup{
			Players: [2]string{rapid.SampledFrom(specs).Draw(r, "light"), rapid.SampledFrom(specs).Draw(r, "dark")},
			Rules:   set,
			Pieces:  rapid.IntRange(1, set.Pieces()).Draw(r, "pieces"), Seed: rapid.Uint64().Draw(r, "seed"),
		}
		s := testkit.Must(New(ctx, setup))(r)
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			before := len(s.Steps())
			switch rapid.IntRange(0, 12).Draw(r, "act") {
			case 0:
				could, was := s.CanUndo(), jsonl(t, s)
				testkit.MustEqual(r, s.Undo(), could, "Undo where CanUndo is told")
				testkit.FatalIf(r, could && s.Phase() == Over, "over after Undo")
				testkit.FatalIf(r, could && slices.Contains([]string{s.Players()[0], s.Players()[1]}, Person) &&
					!strings.Contains(was, "resigned") && s.Phase() != Choosing, "phase %d after Undo", s.Phase())
			case 1:
				could := s.CanRedo()
				testkit.MustEqual(r, s.Redo(), could, "Redo where CanRedo is told")
				testkit.FatalIf(r, could && len(s.Steps()) <= before, "Redo adds no step")
			case 2:
				s.Swap()
			case 3:
				side := board.Side(rapid.IntRange(0, 1).Draw(r, "side"))
				testkit.NoError(r, setPlayer(ctx, s, side, rapid.SampledFrom(specs).Draw(r, "instance")))
			case 4:
				err := s.Resign(s.Turn().Side())
				testkit.FatalIf(r, (err != nil) != (s.Phase() == Over && err != nil), "%v", err)
			default:
				advance(r, s)
			}
			check(r, s)
		}
	})
}

// advance plays a turn, whoever has to.
func advance(r *rapid.T, s *Session) {
	var err error
	switch s.Phase() {
	case Choosing:
		err = s.Move(rapid.IntRange(0, len(s.Turn().Moves)-1).Draw(r, "move"))
	case Passing:
		err = s.Pass()
	case Thinking:
		task, ok := s.Task()
		testkit.FatalIf(r, !ok, "no task")
		err = s.Answer(task, testkit.Must(task.Choose(context.Background()))(r))
	}
	testkit.NoError(r, err)
}

// check compares a session with the rules, the dice, and its record loaded again.
func check(r *rapid.T, s *Session) {
	g := s.Record()
	last := s.Rules().Start()
	testkit.Must(g.Replay(func(step *record.Step) { last = step.Next }))(r)
	turn := s.Turn()
	testkit.FatalIf(r, last != s.Position() || turn.Position != last || turn.Number != len(s.Steps()),
		"turn %d at %v, want %d at %v", turn.Number, s.Position(), len(s.Steps()), last)
	_, over := last.Winner()
	testkit.FatalIf(r, !over && turn.Roll != s.Rules().Roll(s.setup.Seed, s.setup.Game, uint64(turn.Number)),
		"the dice do not stay as they fell")
	again := testkit.Must(Load(context.Background(), g, Setup{}))(r)
	testkit.FatalIf(r, !reflect.DeepEqual(again.Record(), g) || again.Phase() != s.Phase() ||
		again.Players() != s.Players(), "loaded\n%+v, want\n%+v", again.Record(), g)
	kept := testkit.Must(Load(context.Background(), s.Snapshot(), Setup{}))(r)
	testkit.FatalIf(r, !reflect.DeepEqual(kept.Record(), g) || !reflect.DeepEqual(kept.Snapshot(), s.Snapshot()) ||
		kept.CanRedo() != s.CanRedo() || len(kept.undone) != len(s.undone),
		"kept\n%+v, want\n%+v", kept.Snapshot(), s.Snapshot())
	blind := s.Snapshot() // where only the record knows the rolls
	blind.Dice = nil
	again = testkit.Must(Load(context.Background(), blind, Setup{}))(r)
	testkit.MustEqual(r, len(again.undone), len(s.undone), "turns that can be redone")
}

// FuzzUndone looks for a list of what was taken back that does not load, or loads as moves that
// do not follow from the game: these would not be kept as they were loaded.
func FuzzUndone(f *testing.F) {
	for _, text := range []string{"", "2:0", "2:0 1:0 3:2", "0:-1", "4:15", "9", "1:0 x", "7:0",
		"1:0 5:1", "9:0", "1:14", "1:0 -1:3"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, dice bool) {
		g := &record.Game{Rules: board.Finkel(), Players: [2]string{Person, "greedy"}, Pieces: 2,
			Meta: map[string]string{undone: text}}
		if dice {
			g.Dice = &record.DiceOrigin{Seed: 7}
		}
		s := testkit.Must(Load(t.Context(), g, Setup{}))(t)
		again, err := Load(t.Context(), s.Snapshot(), Setup{})
		testkit.ErrorIf(t, err != nil || !reflect.DeepEqual(again.undone, s.undone),
			"%q loads as %v, and that as %v, %v", text, s.undone, again.undone, err)
		for s.Redo() {
		}
		testkit.Must(s.Record().Replay(nil))(t)
	})
}

// Undo takes back the whole exchange and Redo plays it again, move by move.
func TestUndoTheExchange(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 1})
	var asked []int
	var records []string
	for run(t, s); s.Phase() != Over; run(t, s) {
		asked, records = append(asked, s.Turn().Number), append(records, jsonl(t, s))
		testkit.NoError(t, s.Move(0))
	}
	whole := jsonl(t, s)
	for i := len(asked) - 1; i >= 0; i-- {
		testkit.FatalIf(t, !s.Undo() || s.Phase() != Choosing || s.Turn().Number != asked[i] ||
			jsonl(t, s) != records[i], "undone to turn %d, want %d", s.Turn().Number, asked[i])
	}
	testkit.Equal(t, s.Undo(), false, "more is undone than was played")
	for i := 1; i < len(asked); i++ {
		testkit.FatalIf(t, !s.Redo() || jsonl(t, s) != records[i],
			"redone to turn %d, want %d", s.Turn().Number, asked[i])
	}
	testkit.Equal(t, s.Redo() && jsonl(t, s) == whole && !s.Redo(), true, "the end is redone, and nothing behind it")
	s.Undo()
	testkit.NoError(t, s.Move(len(s.Turn().Moves)-1))
	testkit.Equal(t, s.CanRedo(), false, "something to redo after another move")
}

// An answer that comes after the game has changed is not played, and two tasks of one
// player may think at once.
func TestLateAnswers(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 1})
	run(t, s)
	for s.Phase() != Thinking {
		advanceTest(t, s)
	}
	late, _ := s.Task()
	s.Undo()
	advanceTest(t, s)
	for s.Phase() != Thinking {
		advanceTest(t, s)
	}
	task, _ := s.Task()
	done := make(chan error, 2)
	for _, one := range []*Task{late, task} {
		go func() {
			_, err := one.Choose(t.Context())
			done <- err
		}()
	}
	for range 2 {
		testkit.NoError(t, <-done)
	}
	before := jsonl(t, s)
	testkit.WantErrorIs(t, s.Answer(late, 0), ErrStale, "a late answer")
	testkit.Equal(t, jsonl(t, s), before, "after a late answer")
	testkit.WantError(t, s.Answer(task, len(task.turn.Moves)), "", "a move that is none")
	testkit.Equal(t, jsonl(t, s), before, "after a move that is none")
	testkit.NoError(t, s.Answer(task, 0))
	testkit.WantErrorIs(t, s.Answer(task, 0), ErrStale, "a second answer")
}

// advanceTest makes the first move or passes.
func advanceTest(t *testing.T, s *Session) {
	t.Helper()
	step := func() error { return s.Move(0) }
	if s.Phase() == Passing {
		step = s.Pass
	}
	testkit.NoError(t, step())
}

// A game lost on time, taken back and then resigned is a resignation without a termination.
func TestLostOnTime(t *testing.T) {
	g := begin(t, Setup{Players: [2]string{Person, Person}}).Record()
	g.Result, g.Meta = record.LightResigned, map[string]string{"Termination": "time forfeit",
		"TimeControl": "1m0s a side"}
	s := testkit.Must(Load(t.Context(), g, Setup{}))(t)
	testkit.MustEqual(t, s.Record(), g, "the record")
	testkit.ErrorIf(t, !s.Undo() || s.Resign(board.Dark) != nil || s.Record().Meta["Termination"] != "",
		"the game ends as %+v", s.Record())
}

// The result is put into words, with the name of the winner where the players differ.
func TestResultText(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{"first", "greedy"}, Pieces: 1, Seed: 1})
	run(t, s)
	want := regexp.MustCompile(
		`^(Light \(first\)|Dark \(greedy\)) wins after [0-9]+ turns: 1 home against 0\.$`)
	testkit.ErrorIf(t, !want.MatchString(s.ResultText()), "the result is %q", s.ResultText())
	s = begin(t, Setup{Players: [2]string{Person, Person}})
	testkit.Equal(t, s.ResultText(), "Nobody wins after 0 turns.", "the result")
	testkit.NoError(t, s.Resign(board.Light))
	testkit.Equal(t, s.ResultText(), "Dark wins after 0 turns: Light resigns.", "the result")
}
