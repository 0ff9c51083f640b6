package game

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"golang.org/x/sync/errgroup"
)

func TestMain(m *testing.M) { testkit.Main(m) }

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
		testkit.MustEqual(t, s.gameLink().String(), once, "the session")
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

// A game under each rule set is played to its end from its link, which names the rules, and its
// record leads back to it. Its moves are judged where the rules have a net.
func TestRuleSets(t *testing.T) {
	testkit.SetHome(t, t.TempDir()) // no tables
	r := newService()
	for _, set := range board.List() {
		t.Run(set.Name(), func(t *testing.T) {
			named := func(v *View) bool {
				return v.Rules == nil && set.IsFinkel() || v.Rules != nil && v.Rules.Name == set.Name()
			}
			_, noNet := new(play.Evaluators).FindWithin(t.Context(), set, quickPieces)
			by := "search"
			if set.Pieces() <= quickPieces {
				by = "table"
			}
			v := ask[*View](t, r, "new", Question{Rules: set.Name(), Light: "human", Dark: "greedy", Seed: 5})
			testkit.FatalIf(t, !named(v) || v.Pieces != set.Pieces() || len(v.Board) != 2*(set.Finish()+1)+1 ||
				!set.IsFinkel() && !strings.HasSuffix(v.Game, "/"+set.Name()), "a game of %s begins as %+v", set.Name(),
				v)
			v = playOn(t, r, v, 3)
			v = ask[*View](t, r, "undo", Question{Game: v.Game})
			testkit.Equal(t, v.Redo, true, "something can be made again")
			if noNet == nil {
				h := ask[*Hints](t, r, "hints", Question{Game: v.Game})
				testkit.ErrorIf(t, len(h.Moves) != len(v.Moves) || h.By != by || h.Before <= 0 || h.Before >= 1 ||
					len(h.Moves[0].Line) == 0 || (h.Moves[0].Why != nil) != (set.IsFinkel() && len(h.Moves) > 1), "hints %+v of the moves %+v", h, v.Moves)
			} else {
				_, err := r.Answer(t.Context(), "hints", []byte(`{"game":"`+v.Game+`"}`))
				testkit.WantError(t, err, set.Name(), "hints without a net")
			}
			v = playOn(t, r, ask[*View](t, r, "redo", Question{Game: v.Game}), -1)
			home := set.Pieces()
			testkit.ErrorIf(t, v.Board[set.Finish()] != home && v.Board[2*set.Finish()+1] != home,
				"the game ends as %s on %v", v.Result, v.Board)
			again := ask[*View](t, r, "show", Question{Game: v.Game})
			testkit.Equal(t, again.Turns, v.Turns, "the turns by the link")
			testkit.Equal(t, again.Result, v.Result, "the result by the link")
			if noNet == nil {
				a := ask[*analysis.Game](t, r, "analysis", Question{Game: v.Game})
				testkit.Equal(t, len(a.Moves), len(v.Turns), "judged turns")
				testkit.Equal(t, a.Result, v.Result, "the result of the analysis")
			}
			for _, form := range record.FormatNames() {
				text := ask[Text](t, r, "record", Question{Game: v.Game, Form: form})
				back := ask[*View](t, r, "read", Question{Text: text.Text})
				testkit.ErrorIf(t, !named(back) || !slices.Equal(back.Turns, v.Turns) || back.Result != v.Result,
					"%s leads to %s, want %s", form, back.Game, v.Game)
			}
		})
	}
}

// A game under other rules may begin with a position and a roll, and is shared as a whole.
func TestStartOfRuleSets(t *testing.T) {
	r := newService()
	three := 3
	const start = "3:L...............:1 4:...............D:0 D"
	v := ask[*View](t, r, "new",
		Question{Rules: "aseb", Light: "human", Dark: "human", Start: start, Roll: &three, Seed: 1})
	testkit.ErrorIf(t, v.Side != "dark" || *v.Roll != 3 ||
		!strings.HasSuffix(v.Game, "/"+strings.ReplaceAll(start, " ", "_")+"/aseb"), "%+v", v)
	again := ask[*View](t, r, "show", Question{Game: playOn(t, r, v, 2).Game})
	testkit.ErrorIf(t, again.Rules == nil || len(again.Turns) < 2, "%+v", again)
	testkit.Equal(t, ask[*View](t, r, "read", Question{Rules: "aseb", Text: start}).Side, "dark", "the side")
}

// Every rule set lists its players, and those that cannot play have the reason.
func TestSets(t *testing.T) {
	testkit.SetHome(t, t.TempDir()) // no tables
	r, sets := &Service{}, listRuleSets()
	testkit.FatalIf(t, len(sets) != len(board.List()) || len(sets[0].Players) < 20, "%+v", sets)
	for i, set := range board.List()[1:] {
		for _, c := range sets[1+i].Players {
			err := r.Check(t.Context(), set, c.Name)
			testkit.ErrorIf(t, c.Most >= set.Pieces() != (err == nil) || (c.Most == 0) != (c.Why != "") ||
				(c.Most == 0) != (unableReason(set, c.Name) != ""), "%s: %+v, but %v", set.Name(), c, err)
		}
		for _, name := range []string{"human", "greedy", "random", "first", "perfect", "level:4", "net"} {
			testkit.ErrorIf(t, !slices.ContainsFunc(sets[1+i].Players, func(c Choice) bool { return c.Name == name }),
				"%s has no %s", set.Name(), name)
		}
	}
}

// A game begins with any position and roll, and texts of all kinds lead back to it.
func TestGameFromPosition(t *testing.T) {
	r := newService()
	const start = "6:L.............:0 5:...D..D.......:0 D"
	for roll := range board.FinkelRoll + 1 {
		v := ask[*View](t, r, "new", Question{Light: "human", Dark: "human", Start: start, Roll: &roll})
		testkit.ErrorIf(t, *v.Roll != roll || v.Side != "dark" || v.Board[16+4] != 1,
			"roll %d: the view is %+v", roll, v)
		if roll == 0 {
			v = ask[*View](t, r, "go", Question{Game: v.Game})
		} else {
			v = ask[*View](t, r, "move", Question{Game: v.Game, From: v.Moves[0].From})
		}
		for _, text := range []string{v.Game, "http://127.0.0.1:8571/#/g/" + v.Game,
			ask[Text](t, r, "record", Question{Game: v.Game, Form: "rgn"}).Text,
			ask[Text](t, r, "record", Question{Game: v.Game, Form: "jsonl"}).Text, ask[Text](t, r, "record", Question{Game: v.Game, Form: "text"}).Text} {
			testkit.Equal(t, ask[*View](t, r, "read", Question{Text: text}).Game, v.Game, "%q was read as", text)
		}
	}
	v := ask[*View](t, r, "read", Question{Text: start})
	testkit.ErrorIf(t, v.Side != "dark" || len(v.Turns) != 0, "the position was read as %+v", v)
}

// No title is used twice, and the puzzles and levels of the program can be read.
func TestChoicesHaveTitles(t *testing.T) {
	seen := map[string]string{}
	strong := regexp.MustCompile(
		"(a beginner|a novice|learning|casual|steady|good|strong|an expert|perfect|perfect play|Person)$|^Perfect play|: near perfect, quick$")
	for _, c := range listPlayers(board.Finkel()) {
		testkit.ErrorIf(t, c.Title == c.Name || strings.ContainsAny(c.Title, "@=") || !strong.MatchString(c.Title),
			"the title of %s is %q, want a strength in it", c.Name, c.Title)
		other := seen[c.Title]
		testkit.ErrorIf(t, other != "", "%s and %s are both called %q", c.Name, other, c.Title)
		seen[c.Title] = c.Name
	}
	testkit.Equal(t, len(levels()), 10, "levels on record")
	p := ask[puzzleList](t, newService(), "puzzles", Question{})
	testkit.ErrorIf(t, len(p.Puzzles) < 20 || len(p.Puzzles[0].Moves) < 2, "%d puzzles", len(p.Puzzles))
}

// The players of a link that cannot move here are named when it is opened, and nothing is asked of them.
func TestUnavailablePlayers(t *testing.T) {
	testkit.SetHome(t, t.TempDir()) // no tables
	for link, want := range map[string]string{
		"7/1.0/human/level:44":          `"level:44" is no player`,
		"7/1.0/net@99/human":            `"net@99" is no player`,
		"7/1.0/human/net:..%2f..%2fetc": `"net:../../etc" is no player`,
		"7/1.0/Ann/human":               `"Ann" is no player`,
		"5/1.0/human/perfect/////blitz": "needs the table of their solution",
		"7/1.0/human/greedy":            "",
		"7/1.0/human/search:depth=2":    "",
		"1//Ann/human/0-//r1":           "",
	} {
		v := ask[*View](t, newService(), "show", Question{Game: link})
		testkit.ErrorIf(t, (want == "") != (v.Why == "") || !strings.Contains(v.Why, want),
			"%s: %q, want %q", link, v.Why, want)
		testkit.ErrorIf(t, v.Why != "" && v.More && v.Side == "light", "%s: the page is asked to go on", link)
	}
}

// Without a table, perfect play is offered for small games only, and errors name neither a
// folder nor a command.
func TestPerfectWithoutTable(t *testing.T) {
	testkit.SkipIf(t, exactPieces() == board.FinkelPieces, "the table of the whole game is on this machine")
	_, err := newService().Answer(t.Context(), "new", []byte(`{"light":"human","dark":"level:10"}`))
	testkit.ErrorIf(t, err == nil || strings.ContainsAny(err.Error(), `/\`) ||
		strings.Contains(err.Error(), "ur solve"), "error %v, want a reason without a path or command", err)
}

// slowPlayer is prepared when go on is closed, or not at all.
type slowPlayer struct {
	goOn  chan struct{}
	times *atomic.Int64
}

func (p slowPlayer) prepare(ctx context.Context, _ int) error {
	p.times.Add(1)
	select {
	case <-p.goOn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// withPieces returns Finkel's rules with a number of pieces.
func withPieces(t *testing.T, pieces int) *board.Rules {
	t.Helper()
	return testkit.Must(board.Finkel().WithPieces(pieces))(t)
}

func newSlow() (*Service, slowPlayer) {
	p := slowPlayer{make(chan struct{}), new(atomic.Int64)}
	return &Service{players: map[string]*player{"slow": {Pool: play.NewPool(play.Player{
		Spec: "slow", Prepare: p.prepare,
		New: func(ur.Engine) (play.Instance, error) { return nil, errors.New("no instance") },
	}, nil)}}}, p
}

// A player is prepared once, whatever becomes of the requests that ask for it.
func TestPreparedOnce(t *testing.T) {
	r, p := newSlow()
	defer r.Close()
	r.Patience = time.Millisecond
	for range 3 {
		testkit.WantErrorAs[*PreparingError](t, r.Check(t.Context(), withPieces(t, 5), "slow"), "", "not yet prepared")
	}
	testkit.WantErrorIs(t, r.Check(testkit.CanceledContext(), withPieces(t, 5), "slow"), context.Canceled,
		"a request that has ended")
	close(p.goOn)
	r.Patience = 0
	testkit.NoError(t, r.Check(t.Context(), withPieces(t, 5), "slow"))
	testkit.Equal(t, p.times.Load(), 1, "times that the player was prepared")
}

// A request that comes while the preparation ends starts no second one.
func TestPreparedOnceForAll(t *testing.T) {
	five := withPieces(t, 5)
	for range 50 {
		r, p := newSlow()
		close(p.goOn)
		var all errgroup.Group
		for range 32 {
			all.Go(func() error { return r.Check(t.Context(), five, "slow") })
		}
		testkit.NoError(t, all.Wait())
		testkit.Equal(t, p.times.Load(), 1, "times that the player was prepared")
		r.Close()
	}
}

// The end of the service ends its preparations.
func TestServiceCloses(t *testing.T) {
	r, _ := newSlow()
	r.Patience = time.Millisecond
	testkit.WantErrorAs[*PreparingError](t, r.Check(t.Context(), withPieces(t, 5), "slow"), "", "not yet prepared")
	r.Close()
	r.Patience = time.Minute // the answer is expected at once, but a busy machine takes its time
	testkit.WantErrorIs(t, r.Check(t.Context(), withPieces(t, 4), "slow"), context.Canceled, "after the end")
}
