package connectfour

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
)

// horizon is a game after which only column 5 wins. A search of four plies does not see it, since the
// win comes behind threats that must be answered: it chooses column 4, which loses.
const horizon = "32567373226461266731"

// The horizon effect and its cures: to search on where a reply is forced, and to search the moves
// deeper that force one.
func TestHorizon(t *testing.T) {
	p := testkit.Must(Parse(horizon))(t)
	exact := testkit.Must(testkit.Must(newSolver(1<<20))(t).solve(t.Context(), p))(t)
	testkit.Equal(t, []int{exact.Column, int(exact.Value)}, []int{4, 8}, "column and value of perfect play")
	for name, o := range map[string]search.Options{
		"plain": {}, "quiescence": {Quiescence: 8}, "extensions": {Extensions: true}, "both": {Quiescence: 8, Extensions: true},
	} {
		o.Static = true
		s := testkit.Must(search.New[Position](Threats{}, o))(t)
		r := testkit.Must(s.Search(t.Context(), p, search.Limits{Depth: 4, First: 4}))(t)
		column := firstColumn(s.Moves()[r.Best].Next.All ^ p.All)
		if name == "plain" {
			testkit.Equal(t, column, 3, "the column of a plain search, value %d", r.Value)
			reply := testkit.Must(testkit.Must(newSolver(1<<20))(t).solve(t.Context(), p.Play(column)))(t)
			testkit.Equal(t, reply.Value, 2, "the value of this column for the other side")
			continue
		}
		testkit.Equal(t, []int{column, int(r.Value)}, []int{4, 8 * Unit}, "%s: column and value", name)
	}
}

// Where the game ends within the search, estimates change nothing.
func TestThreatsEqualTheGame(t *testing.T) {
	for game, value := range solved {
		p := testkit.Must(Parse(game))(t)
		rest := Squares - p.Stones()
		if rest > 12 {
			continue
		}
		s := testkit.Must(search.New[Position](Threats{}, search.Options{Static: true, Bounds: true}))(t)
		r := testkit.Must(s.Search(t.Context(), p, search.Limits{Depth: rest, First: rest}))(t)
		testkit.Equal(t, r.Value, Unit*value, "%s: value", game)
	}
}
