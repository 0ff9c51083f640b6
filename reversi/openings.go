package reversi

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// openings are the moves and names of openings, one a line, as in Robert Gatliff's and Matthias Berg's lists
// (http://www.samsoft.org.uk/reversi/openings.htm).
//
//go:embed openings.txt
var openings string

// openingNames are the names by canonical boards: other orders of the same moves and symmetric
// games have the same names.
var openingNames = sync.OnceValue(func() map[board.Board]string {
	names := map[board.Board]string{}
	for line := range strings.Lines(openings) {
		moves, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if r, err := board.ParseRecord(board.StartPosition(), moves); err == nil {
			canonical, _ := r.End().Canonical()
			names[canonical] = name
		}
	}
	return names
})

// Opening returns the name of the last opening that a game went through, or "".
func Opening(r board.Record) (name string) {
	for i, p := range r.Positions() {
		canonical, _ := p.Canonical()
		if n := openingNames()[canonical]; n != "" && i > 0 {
			name = n
		}
	}
	return name
}
