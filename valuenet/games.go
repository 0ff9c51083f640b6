package valuenet

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Match describes whole games between two nets. They are played at 1 ply on the dice shared by
// all engines.
type Match struct {
	Light, Dark *Integer // may be the same

	Pieces    int // of each player, 1 to 7; 0 means 7
	TurnLimit int // turns of a game; 0 means [ur.DefaultTurnLimit]
}

// complete returns m with its defaults filled in, or an error for an invalid field.
func (m Match) complete() (Match, error) {
	if m.Light == nil || m.Dark == nil {
		return m, errors.New("match of nets: Light and Dark must both be set")
	}
	m.Pieces = cmp.Or(m.Pieces, board.MaxPieces)
	if err := board.CheckPieces(m.Pieces); err != nil {
		return m, fmt.Errorf("match of nets: %w", err)
	}
	m.TurnLimit = cmp.Or(m.TurnLimit, ur.DefaultTurnLimit)
	if m.TurnLimit < 1 || m.TurnLimit > ur.DefaultTurnLimit {
		return m, fmt.Errorf("match of nets: the turn limit must be 1 to %d, got %d", ur.DefaultTurnLimit, m.TurnLimit)
	}
	return m, nil
}

// Lanes plays games side by side: in every round each of them takes a turn, and the moves of
// all of them are valued together, so one call of a kernel serves many games. It serves one
// goroutine.
type Lanes struct {
	match   Match
	oracle  bool
	kernels []*kernel // one, or one of each side where the nets differ
	seats   [2]uint8  // the kernel of a side

	lanes [laneCount]lane
	live  []uint8 // lanes whose game is under way

	// sums[k] are those of a kernel: of every lane, as Light and as Dark sees it to move.
	sums  [2][]int16
	units [2][]int16
	ask   [2][]step // for units: the moves of this round, by kernel
	carry [2][]step // for sums: the moves made
	worth [2][]int32
}

// laneCount is how many games are played at once. More would leave the nearest cache.
const laneCount = 32

// lane is a game under way.
type lane struct {
	compact
	side  board.Side
	index int // of the game in its series
	key   uint64
	rolls uint64 // of the dice word, the next in the lowest nibble
	turns int

	// The turn under way: where pieces can go, and where the values of these moves begin.
	roll, to uint32
	first    int
}

// NewLanes prepares the games of a match on an available engine.
func NewLanes(e *Engine, m Match) (*Lanes, error) {
	m, err := m.complete()
	if err != nil {
		return nil, err
	}
	g := &Lanes{match: m, oracle: e == Scalar, live: make([]uint8, 0, laneCount)}
	if g.oracle {
		return g, nil
	}
	nets := []*Integer{m.Light}
	if m.Dark != m.Light {
		nets, g.seats[board.Dark] = append(nets, m.Dark), 1
	}
	for i, q := range nets {
		k := newKernel(e, q)
		g.kernels = append(g.kernels, &k)
		const most = laneCount * board.MaxMoves
		g.sums[i] = aligned(2 * laneCount * q.width)
		g.units[i], g.worth[i] = aligned(most*q.width), make([]int32, most)
		g.ask[i], g.carry[i] = make([]step, 0, most), make([]step, 0, 2*laneCount)
	}
	return g, nil
}

// Games plays games on the shared dice and returns their tally. Where winners is not nil,
// winners[i] is set to the winner of game i of the series. The error is a [*ur.TurnLimitError],
// and the winners and the tally are then meaningless.
func (g *Lanes) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	if winners != nil {
		winners = winners[:s.N]
	}
	if g.oracle {
		return g.match.games(winners, s)
	}
	t := ur.Tally{Games: int64(s.N)}
	begun := min(s.N, laneCount)
	g.live = g.live[:0]
	for i := range begun {
		g.live = append(g.live, uint8(i))
		g.begin(uint8(i), s, i)
	}
	for len(g.live) > 0 {
		g.round(&t)
		for i := 0; i < len(g.live); i++ {
			l := &g.lanes[g.live[i]]
			winner, over := l.winner(g.match.Pieces)
			switch {
			case over:
				t.Wins[winner]++
				t.Turns += int64(l.turns)
				if winners != nil {
					winners[l.index] = winner
				}
				if begun < s.N {
					g.begin(g.live[i], s, begun)
					begun++
				} else {
					g.live[i] = g.live[len(g.live)-1]
					g.live = g.live[:len(g.live)-1]
					i--
				}
			case l.turns == g.match.TurnLimit:
				return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(l.index), Limit: l.turns}
			}
		}
	}
	return t, nil
}

// begin puts a lane at the start of game i of a series.
func (g *Lanes) begin(number uint8, s ur.Series, i int) {
	l := &g.lanes[number]
	*l = lane{index: i, key: board.GameKey(s.Seed, s.Number(i))}
	l.compact = compactOf(board.StartPosition(g.match.Pieces))
	for k, kernel := range g.kernels {
		w := kernel.net.width
		sums := g.sums[k][2*int(number)*w:][:2*w]
		kernel.sumsOf(sums[:w], l.set(board.Light))
		copy(sums[w:], sums[:w])
	}
}

// winner returns the side with all its pieces home.
func (l *lane) winner(pieces int) (board.Side, bool) {
	return board.Side(l.home[board.Dark] / uint32(pieces)), l.home[board.Light] == uint32(pieces) || l.home[board.Dark] == uint32(pieces)
}

// round lets every game take a turn.
func (g *Lanes) round(t *ur.Tally) {
	for k := range g.kernels {
		g.ask[k], g.carry[k] = g.ask[k][:0], g.carry[k][:0]
	}
	for _, number := range g.live {
		l := &g.lanes[number]
		l.throw()
		if l.to = 0; l.roll > 0 {
			l.to = l.destinations(l.side, l.roll)
		}
		if l.to&(l.to-1) != 0 {
			g.propose(l, uint32(number))
		}
	}
	for k, kernel := range g.kernels {
		n := len(g.ask[k])
		kernel.units(g.units[k], g.sums[k], g.ask[k])
		kernel.values(g.worth[k], g.units[k], n)
	}
	for _, number := range g.live {
		g.turn(t, &g.lanes[number], uint32(number))
	}
	for k, kernel := range g.kernels {
		kernel.move(g.sums[k], g.carry[k])
	}
}

// throw throws the dice.
func (l *lane) throw() {
	if l.turns%board.RollsPerWord == 0 {
		word := board.DiceWord(l.key, uint64(l.turns/board.RollsPerWord))
		word -= word >> 1 & 0x5555555555555555
		l.rolls = word&0x3333333333333333 + word>>2&0x3333333333333333
	}
	l.roll = uint32(l.rolls & 7)
	l.rolls >>= 4
	l.turns++
}

// propose asks for the values of the moves of a lane.
func (g *Lanes) propose(l *lane, number uint32) {
	k := g.seats[l.side&1]
	width := g.kernels[k].width
	l.first = len(g.ask[k])
	list := g.ask[k][:l.first+bits.OnesCount32(l.to)]
	result := uint32(l.first) * width
	own := (2*number + uint32(l.side)) * width
	other := (2*number + uint32(l.side^1)) * width
	for i, to := l.first, l.to; to != 0; to &= to - 1 {
		square := uint32(bits.TrailingZeros32(to))
		s := step{from: other, to: result, rows: l.change(l.side, square-l.roll, square) + otherView}
		if rosetteSquares>>square&1 != 0 {
			s.from, s.rows = own, s.rows-otherView
		}
		list[i] = s
		result += width
		i++
	}
	g.ask[k] = list
}

// choose returns the destination square of the side to move: of the highest worth, and of
// equals the first.
func (g *Lanes) choose(l *lane) uint32 {
	to := l.to
	if to>>board.Finish != 0 && l.home[l.side&1] == uint32(g.match.Pieces)-1 {
		return board.Finish
	}
	worth := g.worth[g.seats[l.side&1]][l.first:]
	choice, most := uint32(0), int64(-1<<62)
	for i := 0; to != 0; to &= to - 1 {
		square := uint32(bits.TrailingZeros32(to))
		value := int64(worth[i])
		if rosetteSquares>>square&1 == 0 {
			value = -value
		}
		if value > most {
			choice, most = square, value
		}
		i++
	}
	return choice
}

// turn makes the move of a lane's turn, or passes.
func (g *Lanes) turn(t *ur.Tally, l *lane, number uint32) {
	var to uint32
	switch {
	case l.to == 0:
		t.Passes++
		l.side ^= 1
		return
	case l.to&(l.to-1) == 0:
		to = uint32(bits.TrailingZeros32(l.to))
	default:
		to = g.choose(l)
	}
	from := to - l.roll
	rows := l.change(l.side, from, to)
	for k, kernel := range g.kernels {
		own := (2*number + uint32(l.side)) * kernel.width
		other := (2*number + uint32(l.side^1)) * kernel.width
		g.carry[k] = append(g.carry[k], step{own, own, rows}, step{other, other, rows + otherView})
	}
	t.Moves++
	if l.move(l.side, from, to) {
		t.Captures++
	}
	if rosetteSquares>>to&1 != 0 {
		t.Rosettes++
	} else {
		l.side ^= 1
	}
}

// games is Games from the definition: one game after another on the plain rules.
func (m Match) games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	t := ur.Tally{Games: int64(s.N)}
	for i := range s.N {
		dice, p := board.NewDice(s.Seed, s.Number(i)), board.StartPosition(m.Pieces)
		over := false
		for turns := 1; !over; turns++ {
			if turns > m.TurnLimit {
				return ur.Tally{}, &ur.TurnLimitError{Seed: s.Seed, Game: s.Number(i), Limit: m.TurnLimit}
			}
			var winner board.Side
			p = m.play(&t, p, dice.Roll())
			if winner, over = p.Winner(); over {
				t.Wins[winner]++
				t.Turns += int64(turns)
				if winners != nil {
					winners[i] = winner
				}
			}
		}
	}
	return t, nil
}

// play returns the position after a turn.
func (m Match) play(t *ur.Tally, p board.Position, roll int) board.Position {
	var buf [board.MaxMoves]board.Move
	moves := p.Moves(buf[:0], roll)
	if len(moves) == 0 {
		t.Passes++
		return p.Pass()
	}
	q := m.Light
	if p.Turn() == board.Dark {
		q = m.Dark
	}
	var worth [board.MaxMoves]int32
	for i, move := range moves {
		worth[i] = q.afterMove(p, move)
	}
	move := moves[best(worth[:len(moves)])]
	t.AddMove(move)
	return p.Apply(move)
}
