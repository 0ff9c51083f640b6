package matchcmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
)

// exampleSheet is a tournament of two players that have met, and one that has met nobody.
func exampleSheet(t *testing.T) sheet {
	t.Helper()
	c := match.Schedule{Players: []string{"brain:<b>", "random", "first"}, Games: 200, Seed: 3}
	rated := testkit.Must(c.Rate([]rating.Pairs{{10, 0, 40, 0, 50}, {}, {}}))(t)
	return sheet{Sheet: rated, Details: " of 7 pieces"}
}

func TestSheetAsText(t *testing.T) {
	var out strings.Builder
	testkit.NoError(t, exampleSheet(t).writeText(&out))
	want := `Round robin of 3 players, 200 games of 7 pieces in each pairing, seed 3

  #  player       Elo                95 %  games   score     1  2     3
  1  brain:<b>   72.7     -40.5 to 185.9    200  70.0 %     -     70.0
  2  first        0.0  -226.5 to 226.5      0  50.0 %        -
  3  random     -72.7    -185.9 to 40.5    200  30.0 %  30.0        -
`
	got := out.String()
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

// A page must be whole without anything else, and safe from what stands in
// the names of players.
func TestSheetAsPage(t *testing.T) {
	var out strings.Builder
	testkit.NoError(t, exampleSheet(t).writeHTML(&out))
	page := out.String()
	for _, foreign := range []string{"http:", "https:", "src=", "<script", "<b>", "ZgotmplZ", "NaN", "Inf"} {
		if strings.Contains(page, foreign) {
			t.Errorf("%q stands in the page", foreign)
		}
	}
	testkit.Equal(t, strings.Count(page, `<td class="name">`), 3+3+3, "names of rows in the page")
}

// Who has not played has lost nothing, and nobody has an Elo of -0.0.
func TestSheetOfTheBeginning(t *testing.T) {
	c := match.Schedule{Players: []string{"a", "b", "c"}, Games: 2}
	r := sheet{Sheet: testkit.Must(c.Rate([]rating.Pairs{{2: 1}, {}, {}}))(t)}
	var text bytes.Buffer
	testkit.NoError(t, r.writeText(&text))
	for _, wrong := range []string{"won or lost every", "-0.0"} {
		if strings.Contains(text.String(), wrong) {
			t.Errorf("%q stands in\n%s", wrong, &text)
		}
	}
	testkit.WantText(t, text.String(), "Not all players have met yet")
	if formatTenths(-0.04) != "0.0" || formatTenths(-0.06) != "-0.1" {
		t.Errorf("-0.04 and -0.06 are written %s and %s", formatTenths(-0.04), formatTenths(-0.06))
	}
}
