package ur

import "github.com/seed-09dcdc84/ur/board"

// Recorder is a [Game] that also tells who won each game of a series. All built-in
// engines make recorders, which play as fast as they do without telling; [Winners]
// asks any Game.
type Recorder interface {
	Game

	// Winners plays as Games does, and sets winners[i] to the side that won game i
	// of the series, for i = 0..N-1. winners must be at least that long. With an
	// error, neither it nor the tally means anything.
	Winners(winners []board.Side, s Series) (Tally, error)
}

// Winners plays a series and sets winners[i] to the side that won its game i. The
// slice must be at least as long as the series. A game that is no [Recorder] is asked
// for one game after another, which says who won.
func Winners(g Game, winners []board.Side, s Series) (Tally, error) {
	if r, ok := g.(Recorder); ok {
		return r.Winners(winners, s)
	}
	var total Tally
	for i := range s.N {
		t, err := g.Games(s.Part(i, 1))
		if err != nil {
			return Tally{}, err
		}
		winners[i] = board.Light
		if t.Wins[board.Dark] > 0 {
			winners[i] = board.Dark
		}
		total.Add(t)
	}
	return total, nil
}
