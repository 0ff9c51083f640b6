package movegen

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// perftVectors are counts by other programs: of the first position by depth, of others
// from depth 1 on.
type perftVectors struct {
	A, B, C map[string]uint64
	Other   []struct {
		Name, Board, Side string
		A, B, C           []uint64
	} `json:"other_positions"`
}

func readVectors(t testing.TB) perftVectors {
	var v perftVectors
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, "../testdata/perft.json")), &v))
	testkit.FatalIf(t, len(v.A) == 0 || len(v.B) == 0 || len(v.C) == 0 || len(v.Other) == 0, "the vectors hold nothing")
	return v
}

func mustCount(t testing.TB, p Perft, b board.Board, depth int) uint64 {
	return testkit.Must(p.Count(context.Background(), b, depth))(t)
}

// Every generator must count what other programs count, under each convention.
func TestPerftEqualsThePublishedCounts(t *testing.T) {
	v := readVectors(t)
	for i, g := range Available() {
		depth := testkit.Trials(8, 9)
		if i < 2 { // the slow ones
			depth = testkit.Trials(6, 7)
		}
		for c, counts := range map[Convention]map[string]uint64{'A': v.A, 'B': v.B, 'C': v.C} {
			for d := 1; d <= depth; d++ {
				got := mustCount(t, Perft{Generator: g, Convention: c}, board.Start, d)
				testkit.Equal(t, got, counts[strconv.Itoa(d)], "%s: depth %d, convention %c", g.Name(), d, c)
			}
		}
		for _, o := range v.Other {
			p := testkit.Must(board.ParsePosition(o.Board, o.Side))(t)
			for c, counts := range map[Convention][]uint64{'A': o.A, 'B': o.B, 'C': o.C} {
				for d, want := range counts {
					if want > 300_000 && !testkit.Long() {
						continue
					}
					got := mustCount(t, Perft{Generator: g, Convention: c}, p.Board, d+1)
					testkit.Equal(t, got, want, "%s: %s, depth %d, convention %c", g.Name(), o.Name, d+1, c)
				}
			}
		}
	}
}

// Games that end and sides that pass come up first at plies 9 to 11.
func TestPerftWithPasses(t *testing.T) {
	v := readVectors(t)
	depth := testkit.Trials(10, 11)
	for c, counts := range map[Convention]map[string]uint64{'A': v.A, 'B': v.B, 'C': v.C} {
		got := mustCount(t, Perft{Convention: c}, board.Start, depth)
		testkit.Equal(t, got, counts[strconv.Itoa(depth)], "convention %c", c)
	}
}

func TestPerftRefusesAndStops(t *testing.T) {
	for _, depth := range []int{-1, maxPerft + 1} {
		err := testkit.ErrorOf(Perft{}.Count(context.Background(), board.Start, depth))
		testkit.WantError(t, err, "", "depth %d", depth)
	}
	err := testkit.ErrorOf((Perft{}).Count(testkit.CanceledContext(), board.Start, 30))
	testkit.WantError(t, err, "", "a cancelled count")
}

func TestPerftAllocatesOnce(t *testing.T) {
	c := counter{generator: Fastest(), convention: PassCounts}
	room := new(frames)
	n := testing.AllocsPerRun(3, func() { c.count(board.Start, board.Start.Moves(), 6, room) })
	testkit.Equal(t, n, 0, "allocations while counting")
}

func ExamplePerft() {
	n, err := Perft{Generator: All()[0]}.Count(context.Background(), board.Start, 5)
	fmt.Println(n, err)
	// Output: 1396 <nil>
}
