package matchcmd

import (
	"fmt"
	"io"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
)

// Forfeits are the errors of players who failed to move and lost their game.
type Forfeits struct {
	mutex sync.Mutex
	first []error
	n     int
}

const mostForfeits = 5 // number of printed errors

// Note adds an error.
func (f *Forfeits) Note(err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.n++; len(f.first) < mostForfeits {
		f.first = append(f.first, err)
	}
}

func (f *Forfeits) printReport(w io.Writer, program string) {
	for _, err := range f.first {
		fmt.Fprintf(w, "%s match: a game is lost: %s\n", program, text.Plain(err.Error()))
	}
	if more := f.n - len(f.first); more > 0 {
		fmt.Fprintf(w, "%s match: %s lost in the same way\n", program, text.Plural(more, "more game"))
	}
}

// checkForfeits returns an error if a player lost every game by failing to move.
func checkForfeits[S Score[S]](s match.Schedule, scores []S) error {
	games, forfeited := make([]int64, len(s.Players)), make([]int64, len(s.Players))
	for i, p := range s.Pairings() {
		for side, player := range [2]int{p.First, p.Second} {
			games[player] += scores[i].FinishedGames()
			forfeited[player] += scores[i].ForfeitedGames()[side]
		}
	}
	for i, name := range s.Players {
		if games[i] > 0 && forfeited[i] == games[i] {
			return fmt.Errorf("player %q: lost every game by failing to move (want a legal move for each position)",
				name)
		}
	}
	return nil
}
