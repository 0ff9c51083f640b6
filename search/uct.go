package search

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// UCT searches by Monte Carlo tree search. Each iteration follows the tree to a move without games,
// adds it, and values the position after it: by the result of a game of random moves, or by a
// leaf. The mean of these results is the value of every move on the way. A tried move is
// followed by the upper confidence bound UCB1 of its mean (Kocsis and Szepesvári, "Bandit based
// Monte-Carlo planning", 2006; Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the
// multiarmed bandit problem", 2002). Dice are thrown, and the moves of each roll have counts of
// their own.
//
// A searcher serves one goroutine, and keeps its memory for the next search. A search is a
// function of the position, the seed and the number of games.
type UCT[P any, G DiceGame[P]] struct {
	game    G
	mover   RandomMover[P] // nil when the game has none
	options UCTOptions[P]
	rolls   []uint8 // the roll at each place among the weights laid end to end
	kinds   int     // of rolls

	nodes  []uctNode[P]
	groups []uctGroup // the groups of a node for all rolls are neighbours
	path   []int32    // nodes below the root in this iteration
	list   List[P]
	player P         // position of the game of random moves
	logs   []float64 // logarithms of 0, 1, 2, ...
	moves  []UCTMove
	random uint64 // state of the random numbers
}

// UCTOptions are the switches of [UCT].
type UCTOptions[P any] struct {
	// C is the factor of the width of a confidence bound; 0 means [TextbookC]. Results are from 0, a
	// loss, to 1, a win.
	C float64

	// Leaf returns the winning probability of the side to move, 0 to 1; of a finished game 0, 1/2 or 1.
	// Nil means games of random moves.
	Leaf func(p *P) float64

	// Now is the clock; nil for the machine's.
	Now func() time.Time
}

// TextbookC is the constant of UCB1 for results from 0 to 1.
const TextbookC = math.Sqrt2

// UCTLimits end a search at the first one reached.
type UCTLimits struct {
	Games int           // iterations; 0 for no limit
	Time  time.Duration // 0 for no limit
}

// UCTResult is the result of a search. Its slice changes with the next one.
type UCTResult struct {
	Win   float64 // winning probability of the side to move: the mean of all games
	Best  int     // the move with the most games, in the game's order; -1 without one, or before a roll
	ID    uint8   // its ID, or NoMove
	Moves []UCTMove
	Games int // iterations
	Depth int // moves of the longest way in the tree
	Nodes int // moves in the tree
}

// UCTMove is the statistics of a move.
type UCTMove struct {
	Win   float64 // mean result for its side; 0 without games
	Games int
}

// RandomMover is a game with a fast random move, without a list of all moves.
type RandomMover[P any] interface {
	// RandomMove makes one of the moves of p after a roll, 0 in games without dice. Each has the same
	// probability if random has 64 random bits. It reports whether the same side moves again. A
	// finished game stays as it is: over is true, and result is the score of the side to move.
	RandomMove(p *P, roll int, random uint64) (again, over bool, result Value)
}

// uctNode is a move and the position after it.
type uctNode[P any] struct {
	position P
	total    float64 // sum of the results for the side that moved
	mean     float64 // total / games
	spread   float64 // 1 / sqrt(games)
	games    int32
	groups   int32 // the first group of the next ply; 0 for none yet
	again    bool
	id       uint8
}

// uctGroup are the moves of a position after a roll.
type uctGroup struct {
	first, count int32 // nodes; a count of -1 means that the game is over
	tried        int32 // moves with games
	start        int32 // the first move tried
	games        int32
	result       float64 // of the finished game, for the side to move
}

const (
	maxUCTNodes   = 1 << 23 // beyond, the tree does not grow
	maxRandomGame = 1 << 14 // plies; a longer game of random moves is a draw
	checkGames    = 32      // iterations between two looks at the clock
)

// NewUCT returns a searcher for a game without dice.
func NewUCT[P any, G Game[P]](game G, o UCTOptions[P]) *UCT[P, DiceGame[P]] {
	u := newUCT[P, DiceGame[P]](oneRoll[P, G]{game}, o, 1)
	u.mover, _ = any(game).(RandomMover[P])
	return u
}

// Game returns the game that is searched.
func (u *UCT[P, G]) Game() G { return u.game }

// NewDiceUCT returns a searcher for a game with dice.
func NewDiceUCT[P any, G DiceGame[P]](game G, o UCTOptions[P]) (*UCT[P, G], error) {
	total, err := sumWeights(game.Weights())
	if err != nil {
		return nil, err
	}
	u := newUCT[P](game, o, int(total))
	u.mover, _ = any(game).(RandomMover[P])
	return u, nil
}

func newUCT[P any, G DiceGame[P]](game G, o UCTOptions[P], total int) *UCT[P, G] {
	if o.C == 0 {
		o.C = TextbookC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	u := &UCT[P, G]{game: game, options: o, rolls: make([]uint8, 0, total), logs: []float64{math.Inf(-1)}}
	for roll, w := range game.Weights() {
		u.kinds++
		for range w {
			u.rolls = append(u.rolls, uint8(roll))
		}
	}
	return u
}

// oneRoll is a game without dice as one with a single roll.
type oneRoll[P any, G Game[P]] struct{ game G }

func (g oneRoll[P, G]) Key(p *P) Key                           { return g.game.Key(p) }
func (g oneRoll[P, G]) Weights() []Value                       { return []Value{1} }
func (g oneRoll[P, G]) Moves(p *P, _ int, list *List[P]) Value { return g.game.Moves(p, list) }
func (g oneRoll[P, G]) Value(p *P) Value                       { return g.game.Value(p) }

// Search searches a position before its dice are thrown (roll is [NoRoll]) or after; a game without
// dice has the roll 0. It ends at a limit or with its context, after one game at least.
func (u *UCT[P, G]) Search(ctx context.Context, root P, roll int, seed uint64, l UCTLimits) (UCTResult, error) {
	if roll < NoRoll || roll >= u.kinds {
		return UCTResult{}, fmt.Errorf("roll is %d, must be 0 to %d, or %d before the dice are thrown", roll, u.kinds-1, NoRoll)
	}
	if l.Games < 0 || l.Time < 0 {
		return UCTResult{}, fmt.Errorf("invalid limits: %d games, %v (want 0 or more)", l.Games, l.Time)
	}
	u.random = mix.Mix(seed)
	u.nodes = append(u.nodes[:0], uctNode[P]{position: root})
	u.groups = u.groups[:0]
	u.groups = append(u.groups, uctGroup{}) // number 0 means none
	r := UCTResult{ID: NoMove, Best: -1}
	for begin := u.options.Now(); ; {
		u.playGame(roll)
		r.Games++
		r.Depth = max(r.Depth, len(u.path))
		if r.Games == l.Games || r.Games == math.MaxInt32 || r.Games%checkGames == 0 &&
			(ctx.Err() != nil || l.Time > 0 && u.options.Now().Sub(begin) >= l.Time) {
			break
		}
	}
	u.writeResult(&r, roll)
	return r, nil
}

// playGame is one iteration.
func (u *UCT[P, G]) playGame(rootRoll int) {
	u.path = u.path[:0]
	at, roll, isNew := int32(0), rootRoll, false
	var result float64 // for the side to move at the end of the way
	for !isNew {
		if roll == NoRoll {
			roll, _ = u.throwDice()
		}
		g := u.group(at, roll)
		if g == nil {
			break
		}
		if g.games++; g.count < 0 {
			result = g.result
			u.learnResult(result)
			return
		}
		at, isNew = u.chooseMove(g)
		u.path = append(u.path, at)
		roll = NoRoll
	}
	u.learnResult(u.value(&u.nodes[at].position))
}

// learnResult adds a result, for the side to move at the end of the way, to all moves on it.
func (u *UCT[P, G]) learnResult(result float64) {
	for i := len(u.path) - 1; i >= 0; i-- {
		n := &u.nodes[u.path[i]]
		if !n.again {
			result = 1 - result
		}
		n.add(result)
	}
	u.nodes[0].add(result)
}

func (n *uctNode[P]) add(result float64) {
	n.games++
	n.total += result
	games := float64(n.games)
	n.mean, n.spread = n.total/games, 1/math.Sqrt(games)
}

// chooseMove returns a move without games if there is one, otherwise the one with the highest
// confidence bound, the first of equal ones.
func (u *UCT[P, G]) chooseMove(g *uctGroup) (node int32, isNew bool) {
	if g.tried < g.count {
		at := g.start + g.tried
		if at >= g.count {
			at -= g.count
		}
		g.tried++
		return g.first + at, true
	}
	width := u.options.C * math.Sqrt(u.logOf(g.games))
	best, highest := 0, math.Inf(-1)
	for i := range u.nodes[g.first : g.first+g.count] {
		n := &u.nodes[int(g.first)+i]
		if bound := n.mean + float64(width*n.spread); bound > highest {
			best, highest = i, bound
		}
	}
	return g.first + int32(best), false
}

// logOf returns the logarithm of a number of games, the same on every machine.
func (u *UCT[P, G]) logOf(games int32) float64 {
	for len(u.logs) <= int(games) {
		u.logs = append(u.logs, samebits.Log(float64(len(u.logs))))
	}
	return u.logs[games]
}

// group returns the moves of a node's position after a roll, and lists them first if it is the
// first time; nil when there is no room for them.
func (u *UCT[P, G]) group(node int32, roll int) *uctGroup {
	n := &u.nodes[node]
	if n.groups == 0 {
		if len(u.nodes) >= maxUCTNodes {
			return nil
		}
		n.groups = int32(len(u.groups))
		for range u.kinds {
			u.groups = append(u.groups, uctGroup{})
		}
	}
	g := &u.groups[int(n.groups)+roll]
	if g.count == 0 {
		u.list.clear()
		result := u.game.Moves(&n.position, roll, &u.list)
		if g.count, g.result = int32(u.list.n), outcome(result); g.count == 0 {
			g.count = -1
			return g
		}
		start, _ := bits.Mul64(u.nextRandom(), uint64(g.count))
		g.first, g.start = int32(len(u.nodes)), int32(start)
		for i := range u.list.n {
			m := &u.list.slots[i]
			u.nodes = append(u.nodes, uctNode[P]{position: m.Next, again: m.Again, id: m.ID})
		}
	}
	return g
}

// outcome returns the result of a game, 0 to 1.
func outcome(v Value) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return 0
	}
	return 0.5
}

// value returns the winning probability of the side to move, by the leaf or a game of random moves.
func (u *UCT[P, G]) value(p *P) float64 {
	u.player = *p
	if u.options.Leaf != nil {
		return u.options.Leaf(&u.player)
	}
	own := true // whether the side to move is that of p
	for range maxRandomGame {
		roll, random := u.throwDice()
		again, over, result := u.moveRandomly(roll, random)
		if over {
			if !own {
				result = -result
			}
			return outcome(result)
		}
		own = own == again
	}
	return 0.5
}

// moveRandomly is [RandomMover.RandomMove] for all games.
func (u *UCT[P, G]) moveRandomly(roll int, random uint64) (again, over bool, result Value) {
	if u.mover != nil {
		return u.mover.RandomMove(&u.player, roll, random)
	}
	u.list.clear()
	if result = u.game.Moves(&u.player, roll, &u.list); u.list.n == 0 {
		return false, true, result
	}
	choice, _ := bits.Mul64(random, uint64(u.list.n))
	m := &u.list.slots[choice]
	u.player = m.Next
	return m.Again, false, 0
}

// throwDice returns a roll, and random bits that do not depend on it.
func (u *UCT[P, G]) throwDice() (roll int, random uint64) {
	place, rest := bits.Mul64(u.nextRandom(), uint64(len(u.rolls)))
	return int(u.rolls[place]), rest
}

// nextRandom returns the next number of SplitMix64.
func (u *UCT[P, G]) nextRandom() uint64 {
	u.random += mixData
	return mix.Mix(u.random)
}

// writeResult writes the moves of the root.
func (u *UCT[P, G]) writeResult(r *UCTResult, roll int) {
	r.Win, r.Nodes, r.Moves = u.nodes[0].mean, len(u.nodes)-1, u.moves[:0]
	if roll == NoRoll {
		return
	}
	most := int32(-1)
	g := u.group(0, roll)
	for i := range max(0, g.count) {
		n := &u.nodes[g.first+i]
		r.Moves = append(r.Moves, UCTMove{n.mean, int(n.games)})
		if n.games > most {
			most, r.Best, r.ID = n.games, int(i), n.id
		}
	}
	u.moves = r.Moves
}
