package game

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// ask asks a question that must be answered.
func ask[T any](t testing.TB, r *Service, verb string, q Question) T {
	t.Helper()
	text := testkit.Must(json.Marshal(q))(t)
	answer, err := r.Answer(context.Background(), verb, text)
	testkit.FatalIf(t, err != nil, "%s %s: %v", verb, text, err)
	value, ok := answer.(T)
	testkit.FatalIf(t, !ok, "%s: the answer is a %T", verb, answer)
	return value
}

// playOn plays a game to its end: a person moves the first piece that can, until steps
// choices are made; negative means to the end.
func playOn(t testing.TB, r *Service, v *View, steps int) *View {
	t.Helper()
	for v.Result == "unfinished" && steps != 0 {
		if v.More {
			v = ask[*View](t, r, "go", Question{Game: v.Game})
			continue
		}
		steps--
		v = ask[*View](t, r, "move", Question{Game: v.Game, From: v.Moves[0].From})
	}
	return v
}

func newService() *Service { return &Service{} }

// A whole game is the record that a match of the same seed has, and its link says all of it.
func TestWholeGame(t *testing.T) {
	r := newService()
	v := playOn(t, r, ask[*View](t, r, "new", Question{Light: "first", Dark: "level:3", Seed: 7}), -1)
	again := ask[*View](t, r, "show", Question{Game: v.Game})
	testkit.ErrorIf(t, again.Result != v.Result || len(again.Turns) != len(v.Turns) || again.Game != v.Game,
		"the link shows another game: %+v, want %+v", again, v)
	person := playOn(t, r, ask[*View](t, r, "new", Question{Light: "human", Dark: "level:3", Seed: 7}), -1)
	testkit.Equal(t, person.Turns, v.Turns, "the turns of a person who moves as the player \"first\"")
	testkit.ErrorIf(t, len(v.Game) > 2000, "the link has %d letters", len(v.Game))
}

// What is taken back can be made again, and the dice stay as they fell.
func TestUndo(t *testing.T) {
	r := newService()
	before := playOn(t, r, ask[*View](t, r, "new", Question{Light: "human", Dark: "greedy", Seed: 3}), 5)
	for before.More {
		before = ask[*View](t, r, "go", Question{Game: before.Game})
	}
	undone := ask[*View](t, r, "undo", Question{Game: before.Game})
	testkit.FatalIf(t, len(undone.Turns) >= len(before.Turns) || !undone.Redo || undone.Side != "light",
		"nothing was taken back: %+v", undone)
	back := ask[*View](t, r, "redo", Question{Game: undone.Game})
	testkit.ErrorIf(t, back.Game != before.Game || *back.Roll != *before.Roll,
		"redo leads to %s, want %s", back.Game, before.Game)
	same := ask[*View](t, r, "move", Question{Game: undone.Game, From: before.Turns[len(undone.Turns)].From})
	for same.More {
		same = ask[*View](t, r, "go", Question{Game: same.Game})
	}
	testkit.Equal(t, same.Game, before.Game, "the same move leads to")
}

// Whoever resigns has lost, and may take that back.
func TestResign(t *testing.T) {
	r := newService()
	v := playOn(t, r, ask[*View](t, r, "new", Question{Light: "human", Dark: "random", Seed: 9, Pieces: 3}), 2)
	over := ask[*View](t, r, "resign", Question{Game: v.Game})
	testkit.ErrorIf(t, over.Result != "light resigned" || len(over.Moves) > 0 || over.More || over.Roll != nil,
		"after resigning: %+v", over)
	testkit.Equal(t, ask[*View](t, r, "undo", Question{Game: over.Game}).Game, v.Game, "taken back")
}

// What is wrong is said in a sentence that tells what would be right.
func TestRefused(t *testing.T) {
	r := newService()
	begun := ask[*View](t, r, "new", Question{Light: "human", Dark: "greedy", Seed: 1})
	names := strings.NewReplacer("GAME", begun.Game, "LONG", strings.Repeat("7", maxLink+1))
	for _, row := range testkit.Rows(t, "testdata/refused.txt", 3) {
		verb, question, want := row[0], names.Replace(row[1]), row[2]
		testkit.WantError(t, testkit.ErrorOf(r.Answer(context.Background(), verb, []byte(question))), want,
			"%s %.80s", verb, question)
	}
}

// An analysis ends with its context: a link may hold thousands of turns.
func TestAnalysisIsInterrupted(t *testing.T) {
	r := newService()
	v := playOn(t, r, ask[*View](t, r, "new", Question{Light: "human", Dark: "first", Pieces: 1}), -1)
	late, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	_, err := r.Answer(late, "analysis", []byte(`{"game":"`+v.Game+`"}`))
	testkit.WantErrorIs(t, err, context.DeadlineExceeded, "after the deadline the analysis")
	_, err = r.Answer(testkit.CanceledContext(), "analysis", []byte(`{"game":"`+v.Game+`"}`))
	testkit.WantErrorIs(t, err, context.Canceled, "the analysis")
}

// Players that are offered can play; names of files are none of them.
func TestPlayers(t *testing.T) {
	r := newService()
	testkit.SkipIf(t, testing.Short(), "every player moves once")
	for _, c := range listPlayers(board.Finkel()) {
		if c.Name == "human" {
			continue
		}
		v := ask[*View](t, r, "new", Question{Light: c.Name, Dark: "first", Seed: 1, Pieces: 2})
		v = ask[*View](t, r, "go", Question{Game: v.Game})
		testkit.ErrorIf(t, len(v.Turns) == 0, "%s does not move", c.Name)
	}
}

// FuzzLink looks for links that are read and do not come back as they are.
func FuzzLink(f *testing.F) {
	r := newService()
	for _, q := range []Question{{Light: "human", Dark: "level:3"},
		{Light: "first", Dark: "human", Seed: 1 << 40, Pieces: 2}} {
		v := playOn(f, r, ask[*View](f, r, "new", q), 6)
		f.Add(v.Game)
		f.Add(ask[*View](f, r, "undo", Question{Game: v.Game}).Game)
		f.Add(ask[*View](f, r, "resign", Question{Game: v.Game}).Game)
	}
	f.Add("1//a%2Fb/c/1030")
	f.Add("7/1.0/x/y/")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLink(text)
		if err != nil {
			return
		}
		once := l.String()
		again, err := parseLink(once)
		testkit.FatalIf(t, err != nil || again.String() != once,
			"%q is written as %q, which is read as %v: %v", text, once, again, err)
		s, err := l.startSession(context.Background(), r)
		if err != nil {
			return
		}
		testkit.MustEqual(t, s.gameLink(), once, "the session")
		s.newView()
	})
}

// FuzzAnswer looks for questions that break the service.
func FuzzAnswer(f *testing.F) {
	r := newService()
	for i := range Verbs() {
		f.Add(i, `{"game":"2/1.0/human/first/","from":0,"form":"rgn"}`)
	}
	f.Add(0, `{"form":"text","text":"// The Royal Game of Ur"}`)
	f.Fuzz(func(t *testing.T, verb int, question string) {
		names := Verbs()
		name := names[uint(verb)%uint(len(names))]
		if name == "new" && strings.Contains(question, "perfect") {
			return // which may solve the game
		}
		if answer, err := r.Answer(context.Background(), name, []byte(question)); err == nil {
			_, err := json.Marshal(answer)
			testkit.FatalIf(t, err != nil, "%s %q: %v", name, question, err)
		}
	})
}
