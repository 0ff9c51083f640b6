package matchcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// toyScore counts pairs of games with one winner each.
type toyScore struct{ Pairs rating.Pairs }

func (s toyScore) Plus(t toyScore) toyScore  { s.Pairs.Add(t.Pairs); return s }
func (s toyScore) FinishedGames() int64      { return 2 * s.Pairs.N() }
func (s toyScore) PairResults() rating.Pairs { return s.Pairs }

func (s toyScore) Results() (wins [2]int64, draws int64) {
	return [2]int64{s.Pairs.Wins(), s.FinishedGames() - s.Pairs.Wins()}, 0
}

// toyGame is a match or tournament whose pairings all have a score and an error.
func toyGame(players []string, score toyScore, err error) Game[toyScore] {
	schedule := match.Schedule{Players: players, Games: 100, Seed: 1}
	return Game[toyScore]{
		Program: "toy", Schedule: schedule,
		Play: func(context.Context, *match.Log, func(int)) (out match.Outcome[toyScore], _ error) {
			out.Decision = rating.Undecided
			for range schedule.Pairings() {
				out.Scores = append(out.Scores, score)
				out.Games += score.FinishedGames()
			}
			return out, err
		},
		Pairing: func(s Summary, _ toyScore) any { return s },
		Match: func(s Summary, _ toyScore, e Ending) any {
			return struct {
				Summary
				Ending
			}{s, e}
		},
		Tournament: func(sheet match.Sheet, pairings []any) any { return sheet },
		Lines:      func(io.Writer, toyScore, Ending, int) {},
	}
}

// run runs a game with flags.
func run(g Game[toyScore], o Options) (stdout string, err error) {
	var out, log bytes.Buffer
	err = Run(context.Background(), &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log}, &o, g)
	return out.String(), err
}

// A match that fails, as on a full disk, or is interrupted prints its finished games, and so does
// a tournament. One that fails before the first game prints nothing.
func TestFailedMatchPrintsItsGames(t *testing.T) {
	full := errors.New("no space left on device")
	some := toyScore{rating.Pairs{0: 1, 2: 5, 4: 4}}
	for _, test := range []struct {
		players []string
		err     error
		want    string
	}{
		{[]string{"a", "b"}, full, "a against b: 20 games"},
		{[]string{"a", "b"}, context.Canceled, "a against b: 20 games"},
		{[]string{"a", "b", "c"}, full, "Not complete: 60 games are played."},
	} {
		stdout, err := run(toyGame(test.players, some, test.err), Options{})
		if !strings.Contains(stdout, test.want) || err == nil || test.err == full && !errors.Is(err, full) {
			t.Errorf("%v, %v: error %v, printed %s", test.players, test.err, err, stdout)
		}
		if stdout, err := run(toyGame(test.players, toyScore{}, full), Options{}); stdout != "" ||
			!errors.Is(err, full) {
			t.Errorf("%v without games: error %v, printed %s", test.players, err, stdout)
		}
	}
	stdout, _ := run(toyGame([]string{"a", "b"}, some, full), Options{JSON: true})
	var report struct{ Stop string }
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || report.Stop != stopFailed {
		t.Errorf("%v: the report is %s", err, stdout)
	}
}

// A match of a player against itself has two names in its files.
func TestEqualNames(t *testing.T) {
	g := toyGame([]string{"a", "a"}, toyScore{rating.Pairs{2: 5}}, nil)
	r := report[toyScore]{Game: g}
	r.out, _ = g.Play(t.Context(), nil, nil)
	sheet, err := r.sheet()
	if err != nil || sheet.Players[0].Name != "a (first)" || sheet.Players[1].Name != "a (second)" {
		t.Errorf("the players are %+v (%v)", sheet.Players, err)
	}
}
