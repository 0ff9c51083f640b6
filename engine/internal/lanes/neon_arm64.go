//go:build go1.27 && !purego

package lanes

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
)

func init() { NEON = neonEngine{} }

// neonEngine is lanes/go with the rows for all lanes added by one call to a kernel: a lane takes
// eight two-word additions instead of 14 with one, and the call is paid once for four games. The
// choices stay in Go, one after another, so a CPU begins the next before the last has ended.
type neonEngine struct{ goEngine }

func (neonEngine) Name() string        { return "lanes/neon" }
func (neonEngine) Needs() []ur.Feature { return []ur.Feature{ur.NEON} }

func (e neonEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.goEngine.New(s)
	if err != nil {
		return nil, err
	}
	return &neonGame{goGame: g.(*goGame)}, nil
}

// neonGame is a neonEngine bound to a pair of brains.
type neonGame struct {
	*goGame
	rows [len(goGame{}.lanes)]*narrowRow // steps of this turn, by lane
}

// playTurn plays one turn in some lanes, the first in g.lanes.
func (g *neonGame) playTurn(lanes []goLane) {
	for i := range lanes {
		l := &lanes[i]
		if l.turns%board.RollsPerWord == 0 {
			l.rolls = form.Rolls(l.key, l.turns)
		}
		roll := uint32(l.rolls & 7)
		l.rolls >>= 4
		t := &g.tables[uint32(l.position.Turn())*4+(roll-1)&3]
		g.rows[i] = &t.row[l.choose(t, roll)]
		l.turns++
	}
	addRows(&lanes[0], &g.rows[0], len(lanes))
}

func (g *neonGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	if !g.narrow {
		return g.Game.Games(winners, s)
	}
	winners = s.Winners(winners)
	t := ur.Tally{Games: int64(s.N)}
	begun := min(s.N, len(g.lanes))
	lanes := g.lanes[:begun]
	for i := range lanes {
		g.begin(&lanes[i], s, i)
	}
	for len(lanes) > 0 {
		g.playTurn(lanes)
		// The last lane comes first: it takes the place of a finished one.
		for i := len(lanes) - 1; i >= 0; i-- {
			l := &lanes[i]
			if !l.position.Over() {
				if l.turns == g.setup.TurnLimit {
					return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(l.index), Limit: l.turns}
				}
				continue
			}
			form.AddGame(&t, l.position, l.turns, l.counts)
			if winners != nil {
				winners[l.index] = l.position.Winner()
			}
			if begun < s.N {
				g.begin(l, s, begun)
				begun++
			} else {
				*l = lanes[len(lanes)-1]
				lanes = lanes[:len(lanes)-1]
			}
		}
	}
	return t, nil
}

// addRows adds a row to each of n lanes, one after another in memory. It must equal narrowGame.add.
//
//go:noescape
func addRows(lanes *goLane, rows **narrowRow, n int)
