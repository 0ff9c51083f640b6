package bench

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/board"
)

// selectMoves measures what a turn consists of, on the engines that generate moves apart from values,
// and the generation of moves into one list and into new ones.
func selectMoves(of Selection) (Set, error) {
	of.Scopes = []Scope{Value, Turn, Moves}
	set, err := selectEngines(of)
	if err != nil {
		return set, err
	}
	apart := map[string]bool{}
	for _, b := range set.Benchmarks {
		apart[b.Engine] = apart[b.Engine] || b.Scope == string(Moves)
	}
	set.Benchmarks = slices.DeleteFunc(set.Benchmarks, func(b sample.Benchmark) bool { return !apart[b.Engine] })
	if of.Size == (Size{}) {
		of.Size = DefaultSize()
	}
	w := &Workload{Size: of.Size}
	made, err := newMovesWork(w)
	if err != nil {
		return set, err
	}
	turns := made.(*movesWork)
	set.Benchmarks = append(set.Benchmarks, futures[board.Array16](turns, "array16")...)
	set.Benchmarks = append(set.Benchmarks, futures[board.Bits](turns, "bits")...)
	return set, nil
}

// futures returns the benchmarks of a layout's generation of moves into one list, and into a new one
// for each turn.
func futures[B any, L board.Layout[B]](turns *movesWork, layout string) (list []sample.Benchmark) {
	boards := make([]B, len(turns.positions))
	for i, p := range turns.positions {
		L(&boards[i]).Set(p)
	}
	to := new(board.Futures[B])
	generate := func(isNew bool) (n int) {
		for i := range boards {
			if isNew {
				to = new(board.Futures[B])
			}
			L(&boards[i]).Futures(to, int(turns.rolls[i]))
			n += to.N
		}
		return n
	}
	for _, kind := range []string{"one", "new"} {
		isNew := kind == "new"
		list = append(list, sample.Benchmark{
			Name: "Futures/board=" + layout + "/list=" + kind, Base: "Futures/board=" + layout + "/list=one",
			Unit: Moves.Unit(),
			Pass: func() (float64, error) {
				generate(isNew)
				return float64(len(boards)), nil
			},
			Check: func() error {
				if n := generate(isNew); n != turns.futures {
					return fmt.Errorf("%d futures (want %d)", n, turns.futures)
				}
				return nil
			},
		})
	}
	return list
}
