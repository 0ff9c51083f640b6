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
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// toyScore counts pairs of games with one winner each.
type toyScore struct{ Pairs rating.Pairs }

func (s toyScore) Plus(t toyScore) toyScore  { s.Pairs.Add(t.Pairs); return s }
func (s toyScore) FinishedGames() int64      { return 2 * s.Pairs.N() }
func (s toyScore) PairResults() rating.Pairs { return s.Pairs }
func (s toyScore) ForfeitedGames() [2]int64  { return [2]int64{} }

func (s toyScore) Results() (wins [2]int64, draws int64) {
	return [2]int64{s.Pairs.Wins(), s.FinishedGames() - s.Pairs.Wins()}, 0
}

// toyGame is a match or tournament whose pairings all have a score and an error.
func toyGame(players []string, score toyScore, err error) Game[toyScore] {
	schedule := match.Schedule{Players: players, Games: 100, Seed: 1}
	return Game[toyScore]{
		Program: "toy", Schedule: schedule,
		Play: func(context.Context, *match.Log, func(int), func(error)) (out match.Outcome[toyScore], _ error) {
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
		testkit.WantText(t, stdout, test.want)
		testkit.ErrorIf(t, err == nil || test.err == full && !errors.Is(err, full),
			"%v, %v: error %v", test.players, test.err, err)
		stdout, err = run(toyGame(test.players, toyScore{}, full), Options{})
		testkit.Equal(t, stdout, "", "%v without games: output", test.players)
		testkit.WantErrorIs(t, err, full, "%v without games", test.players)
	}
	stdout, _ := run(toyGame([]string{"a", "b"}, some, full), Options{JSON: true})
	var report struct{ Stop string }
	testkit.NoError(t, json.Unmarshal([]byte(stdout), &report))
	testkit.Equal(t, report.Stop, stopFailed, "the end in the report %s", stdout)
}

// A match of a player against itself has two names in its files.
func TestEqualNames(t *testing.T) {
	g := toyGame([]string{"a", "a"}, toyScore{rating.Pairs{2: 5}}, nil)
	r := report[toyScore]{Game: g}
	r.out, _ = g.Play(t.Context(), nil, nil, nil)
	sheet := testkit.Must(r.newSheet())(t)
	testkit.Equal(t, sheet.Players[0].Name, "a (first)", "the first player")
	testkit.Equal(t, sheet.Players[1].Name, "a (second)", "the second player")
}

// A score counts a draw as half a win, and leaves out the games in no pair.
func TestReportOfDraws(t *testing.T) {
	s := newSummary([2]string{"a", "b"}, 1, toyScore{rating.Pairs{1: 2}})
	s.Games, s.Wins = 6, [2]int64{0, 4}
	var out bytes.Buffer
	s.writeReport(&out, "", "games of a pair", 2, [2]int64{}, Ending{}, func(int) {})
	testkit.WantText(t, out.String(), "a      0 wins   25.0 %   (95 %: ", "b      4 wins   75.0 %   (95 %: ",
		"draws  2, each half a win in %", "games of a pair: 2, counted in no percentage, Elo or test")
}

// The time of a match is that of the games played now.
func TestTiming(t *testing.T) {
	for played, want := range map[int64]string{10: "threads 2, 3 s", 4: "threads 2, 3 s, 6 games found in the log",
		0: "no game played, 10 games found in the log"} {
		testkit.Equal(t, Ending{Threads: 2, Seconds: 3, Played: played}.Timing(10), want, "%d of 10 games played", played)
	}
}

// exampleSheet is a tournament of two players that have met, and one that has met nobody.
func exampleSheet(t *testing.T) sheet {
	t.Helper()
	c := match.Schedule{Players: []string{"brain:<b>", "random", "first"}, Games: 200, Seed: 3}
	rated := testkit.Must(c.Rate([]rating.Pairs{{10, 0, 40, 0, 50}, {}, {}}))(t)
	return sheet{Sheet: rated, Details: " of 7 pieces"}
}

func TestSheetAsText(t *testing.T) {
	got := testkit.Written(t, exampleSheet(t).writeText)
	want := `Round robin of 3 players, 200 games of 7 pieces in each pairing, seed 3

  #  player       Elo                95 %  games   score     1  2     3
  1  brain:<b>   72.7     -40.5 to 185.9    200  70.0 %     -     70.0
  2  first        0.0  -226.5 to 226.5      0  50.0 %        -
  3  random     -72.7    -185.9 to 40.5    200  30.0 %  30.0        -
`
	testkit.Equal(t, words(got[:strings.Index(got, "\n\nElo")]), words(want), "but for spaces and figures")
	testkit.WantText(t, got, "the mean is 0.", "one more pair of games in each pairing",
		"Not complete: 200 games are played.")
}

// words returns the words of a text that are no Elo, which the test of ratings checks.
func words(text string) string {
	var kept []string
	for _, word := range strings.Fields(text) {
		if strings.Trim(word, "-0123456789") != "." || word == "70.0" || word == "30.0" || word == "50.0" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// A page must be whole without anything else, and safe from what stands in the names of players.
func TestSheetAsPage(t *testing.T) {
	page := testkit.Written(t, exampleSheet(t).writeHTML)
	for _, foreign := range []string{"http:", "https:", "src=", "<script", "<b>", "ZgotmplZ", "NaN", "Inf"} {
		testkit.ErrorIf(t, strings.Contains(page, foreign), "%q stands in the page", foreign)
	}
	testkit.Equal(t, strings.Count(page, `<td class="name">`), 3+3+3, "names of rows in the page")
}

// Who has not played has lost nothing, and nobody has an Elo of -0.0.
func TestSheetOfTheBeginning(t *testing.T) {
	c := match.Schedule{Players: []string{"a", "b", "c"}, Games: 2}
	r := sheet{Sheet: testkit.Must(c.Rate([]rating.Pairs{{2: 1}, {}, {}}))(t)}
	text := testkit.Written(t, r.writeText)
	for _, wrong := range []string{"won or lost every", "-0.0"} {
		testkit.ErrorIf(t, strings.Contains(text, wrong), "%q stands in\n%s", wrong, text)
	}
	testkit.WantText(t, text, "Not all players have met yet")
	testkit.Equal(t, formatTenths(-0.04)+" "+formatTenths(-0.06), "0.0 -0.1", "-0.04 and -0.06")
}
