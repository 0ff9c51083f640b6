package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// defaultSignatures are those of the work behind everything published. One changes only
// with the rules, the classic brain or the work of its level, and then no figure of the
// level may be compared with an older one.
var defaultSignatures = map[Scope]string{
	Value: "0be46ef2a82f9c99", Turn: "f2c0bdebe70bce32", Game: "bc1f26eb738d485d",
}

func TestSignatureOfTheDefaultWork(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "takes long under the race detector")
	w := testkit.Must(defaultWorkload())(t)
	for _, scope := range Scopes() {
		testkit.Equal(t, w.Signature(scope), defaultSignatures[scope], "signature of scope %s", scope)
	}
}

// The corpus is every eleventh turn of the games of the seed, which the oracle plays: neighbours look
// alike.
func TestCorpus(t *testing.T) {
	const stride, size = 11, 4096
	oracle := testkit.Must(engine.Oracle().New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()}))(t)
	var lines []string
	turns := 0
	for game := uint64(0); len(lines) < size; game++ {
		replay(playing(oracle), workloadSeed, game, func(r replayed) {
			if turns%stride == 0 {
				lines = append(lines, fmt.Sprintf("%s\t%d\n", board.Finkel().FormatPosition(r.position), r.roll))
			}
			turns++
		})
	}
	testkit.Golden(t, "../corpus.txt", []byte(strings.Join(lines[:size], "")))
}

// A workload lets the oracle play only the first games. Here it plays all.
func TestOracleAgreesOnAllGames(t *testing.T) {
	testkit.NeedLong(t, "takes seconds")
	w := testkit.Must(defaultWorkload())(t)
	s := w.works[Game].(*gamesWork)
	oracle := testkit.Must(engine.Oracle().New(workloadSetup()))(t)
	testkit.Equal(t, testkit.Must(oracle.Games(nil, firstGames(w.Size.Games)))(t), s.all, "tally of the oracle")
}

// The candidates of whole games are counted as those of single turns are.
func TestCandidatesOfWholeGames(t *testing.T) {
	w := testkit.Must(NewWorkload(Size{Positions: 1, TurnGames: 5, Games: 5, FirstGames: 1}))(t)
	turns := w.works[Turn].(*turnWork)
	testkit.Equal(t, int64(turns.candidates), turns.whole.candidates, "candidates of single turns")
	testkit.Equal(t, int64(len(turns.rolls)), turns.whole.all.Turns, "number of single turns")
}

// sideBySide is the oracle, which says that it plays games side by side.
type sideBySide struct{ ur.Engine }

func (sideBySide) Name() string { return "array16/batch" }
func (sideBySide) Lanes() int   { return 32 }

func TestTurnsOfBatchesAreWholeGames(t *testing.T) {
	w := testWorkload(t)
	c := testkit.Must(w.Benchmark(sideBySide{engine.Oracle()}, Turn))(t)
	whole := w.works[Game].(*gamesWork)
	testkit.Equal(t, checkedPass(t, c), float64(whole.all.Turns), "turns a pass")
	got, want := c.Metrics(1)[0].Value, float64(whole.all.Turns)/float64(whole.candidates)
	testkit.Near(t, got, want, 1e-12, "turns a candidate")
	wrong := sideBySide{wrongEngine{engine.Oracle()}}
	testkit.WantError(t, testkit.Must(w.Benchmark(wrong, Turn))(t).Check(), "", "wrong games pass for right turns")
}

// Engines that play all games and engines that play the first ones report the time
// of the same game: that of the mean length.
func TestGamesAreOfMeanLength(t *testing.T) {
	w := testWorkload(t)
	games := w.works[Game].(*gamesWork)
	for _, e := range []ur.Engine{engine.Oracle(), sideBySide{engine.Oracle()}} {
		b := testkit.Must(w.Benchmark(e, Game))(t)
		want := games.first
		if _, batch := e.(ur.Batch); batch {
			want = games.all
		}
		units, turns := testkit.Must(b.Pass())(t), float64(want.Turns)
		testkit.Near(t, units*games.meanTurns(), turns, turns/1000, "%s: turns of %v games of mean length", b.Name, units)
	}
}

// wrongEngine is the oracle with one wrong answer at every level.
type wrongEngine struct{ ur.Engine }

func (wrongEngine) Name() string { return "array16/wrong" }

func (e wrongEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return wrongGame{g}, err
}

type wrongGame struct{ ur.Game }

func (g wrongGame) Values(dst []int32, by board.Side) {
	g.Game.Values(dst, by)
	dst[len(dst)-1]++
}

func (g wrongGame) Play(roll int) (board.Move, bool) {
	move, moved := g.Game.Play(roll)
	move.Capture = !move.Capture
	return move, moved
}

func (g wrongGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	t, err := g.Game.Games(winners, s)
	t.Captures++
	return t, err
}

func TestWrongAnswersAreFound(t *testing.T) {
	w := testWorkload(t)
	for _, scope := range Scopes() {
		b := testkit.Must(w.Benchmark(wrongEngine{engine.Oracle()}, scope))(t)
		testkit.WantError(t, b.Check(), "want ", "scope %s", scope)
	}
}
