package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/gradient"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// seedOfDistill joins the seeds of evolve.go.
const seedOfDistill = 1000

// distillGames is how many games a part of a batch takes its decisions from, in turn:
// positions of one game are much alike.
const distillGames = 128

// distillCursor is where the games of a part of a batch stand.
type distillCursor struct {
	Games []distillGame `json:"games"`
	At    int           `json:"at"`   // the game whose turn it is
	Next  uint64        `json:"next"` // number of the next game

	rules *rules.Rules
}

// saved returns a copy for a checkpoint.
func (c *distillCursor) saved() distillCursor {
	copied := *c
	copied.Games = slices.Clone(c.Games)
	for i := range copied.Games {
		copied.Games[i].Board, copied.Games[i].State = savedPosition(c.rules, copied.Games[i].position)
	}
	return copied
}

// distillGame is a game under way.
type distillGame struct {
	Number uint64             `json:"number"`
	Turn   uint64             `json:"turn"`
	Board  [board.Numbers]int `json:"board"`           // of the position, in a checkpoint
	State  string             `json:"state,omitempty"` // the same under other rules than Finkel's

	position rules.Position
	noise    float64 // see player
}

// check returns an error for a state that no learner would have saved.
func (c *distillCursor) check(r *rules.Rules) error {
	if len(c.Games) != distillGames || c.At < 0 || c.At >= distillGames {
		return fmt.Errorf("the next game is %[2]d of %[1]d", len(c.Games), c.At)
	}
	for i := range c.Games {
		g := &c.Games[i]
		p, err := readPosition(r, g.Board, g.State)
		if err != nil {
			return fmt.Errorf("game %d: %w", g.Number, err)
		}
		if p.Pieces() != r.Pieces() {
			return fmt.Errorf("game %d has %d pieces (want %d)", g.Number, p.Pieces(), r.Pieces())
		}
		if _, over := p.Winner(); over {
			return fmt.Errorf("game %d is over", g.Number)
		}
		g.position, g.noise = p, noiseOf(g.Number)
	}
	c.rules = r
	return nil
}

// savedPosition returns a position for a checkpoint: as the 33 numbers of Finkel's rules, or as
// text under other rules.
func savedPosition(r *rules.Rules, p rules.Position) (numbers [board.Numbers]int, text string) {
	if r.Equal(rules.Finkel()) {
		if on, err := p.Board(); err == nil {
			return on.Numbers(), ""
		}
	}
	return numbers, r.FormatPosition(p)
}

// readPosition reads what savedPosition returned.
func readPosition(r *rules.Rules, numbers [board.Numbers]int, text string) (rules.Position, error) {
	if text != "" {
		return r.ParsePosition(text)
	}
	if !r.Equal(rules.Finkel()) {
		return rules.Position{}, fmt.Errorf("no position of the rule set %q", r.Name())
	}
	p, err := board.FromNumbers(numbers)
	return rules.FromBoard(p), err
}

// distillShard is a part of a batch and its games.
type distillShard struct {
	distillCursor
	seed   uint64
	stride uint64 // between the numbers of its games
	batch  *gradient.Batch
	groups []distillGroup
	target []float64 // by position: the win probability of its side to move
}

// distillGroup are the positions after the moves of one decision.
type distillGroup struct {
	first, n int
	again    [rules.MaxMoves]bool    // whether the choosing side moves again
	regret   [rules.MaxMoves]float64 // of the moves, 0 to 1
}

// begin makes the shard ready for its first batch.
func (s *distillShard) begin(c DistillConfig, index uint64, m *gradient.Model) {
	const size = distillPositionsPerShard + rules.MaxMoves
	*s = distillShard{seed: seedFor(c.Seed, seedOfDistill), stride: distillShards, batch: gradient.NewBatch(m, size)}
	s.target = make([]float64, 0, size)
	s.Next, s.rules = index, c.game()
	s.Games = make([]distillGame, distillGames)
	for i := range s.Games {
		s.start(&s.Games[i])
	}
}

// start begins the next game.
func (s *distillShard) start(g *distillGame) {
	*g = distillGame{Number: s.Next, position: s.rules.Start(), noise: noiseOf(s.Next)}
	s.Next += s.stride
}

// noiseOf returns the error size of a game's players: zero in half of the games, otherwise up
// to 0.1 of the win probability, with small errors more frequent.
func noiseOf(game uint64) float64 {
	x := unit(board.Mix(game ^ 0x5bd1e995))
	return 0.1 * math.Pow(max(0, 2*x-1), 3)
}

// unit turns 64 random bits into a number from 0 up to 1.
func unit(word uint64) float64 { return float64(word>>11) / (1 << 53) }

// learn fills the batch and computes its gradient, not divided by the positions.
func (s *distillShard) learn(c DistillConfig, order bool) {
	s.batch.Clear()
	s.groups, s.target = s.groups[:0], s.target[:0]
	for s.batch.Len() < distillPositionsPerShard {
		s.decide(&s.Games[s.At], c)
		s.At = (s.At + 1) % len(s.Games)
	}
	s.batch.Forward()
	for i, logit := range s.batch.Logits {
		s.batch.Slopes[i] = float32(valuenet.Logistic(float64(logit)) - s.target[i])
	}
	if order {
		for i := range s.groups {
			s.groups[i].addSlopes(s.batch, c.Sharpness, c.Weight)
		}
	}
	s.batch.Backward()
}

// decide plays a game up to its next decision, adds the positions after its moves to the batch,
// and makes one of them. A new game replaces a finished one.
func (s *distillShard) decide(g *distillGame, c DistillConfig) {
	var buf [rules.MaxMoves]board.Move
	for {
		roll := s.rules.Roll(s.seed, g.Number, g.Turn)
		moves := s.rules.Moves(buf[:0], g.position, roll)
		g.Turn++
		switch len(moves) {
		case 0:
			g.position = g.position.Pass()
			continue
		case 1:
			g.position = s.rules.Apply(g.position, moves[0])
		default:
			g.position = s.add(c.Table, g, moves)
		}
		if _, over := g.position.Winner(); over {
			s.start(g)
		}
		if len(moves) > 1 {
			return
		}
	}
}

// moveBits returns the bits of the index of a move.
func (s *distillShard) moveBits() int {
	if s.rules.Pieces() > 8 {
		return 4
	}
	return 3
}

// add adds a decision and returns the position after the chosen move. A winning move is made
// without learning: the net never values it.
func (s *distillShard) add(t solve.Ranked, g *distillGame, moves []board.Move) rules.Position {
	group := distillGroup{first: s.batch.Len(), n: len(moves)}
	var after [rules.MaxMoves]rules.Position
	var worth [rules.MaxMoves]float64
	best, choice, most := 0.0, 0, math.Inf(-1)
	mover := g.position.Turn()
	for i, m := range moves {
		after[i] = s.rules.Apply(g.position, m)
		if _, over := after[i].Winner(); over {
			return after[i]
		}
		group.again[i] = after[i].Turn() == mover
		win := solve.Win(t, after[i])
		s.target = append(s.target, win)
		if worth[i] = win; !group.again[i] {
			worth[i] = 1 - win
		}
		s.batch.AddRules(after[i])
		best = max(best, worth[i])
		random := unit(board.Mix(s.seed ^ board.Mix(g.Number<<20|g.Turn<<s.moveBits()|uint64(i))))
		if with := worth[i] + g.noise*math.Log(random/(1-random)+1e-12); with > most {
			choice, most = i, with
		}
	}
	for i := range moves {
		group.regret[i] = best - worth[i]
	}
	s.groups = append(s.groups, group)
	return after[choice]
}

// addSlopes adds the derivative of the expected regret, in points, of a player that chooses
// with a probability proportional to exp(sharpness * logarithm of the odds).
func (g *distillGroup) addSlopes(b *gradient.Batch, sharpness, weight float64) {
	var value, chance [rules.MaxMoves]float64
	most := math.Inf(-1)
	for i := range g.n {
		value[i] = sharpness * float64(b.Logits[g.first+i])
		if !g.again[i] {
			value[i] = -value[i]
		}
		most = max(most, value[i])
	}
	sum, expected := 0.0, 0.0
	for i := range g.n {
		chance[i] = math.Exp(value[i] - most)
		sum += chance[i]
		expected += chance[i] * g.regret[i]
	}
	expected /= sum
	for i := range g.n {
		slope := weight * sharpness * chance[i] / sum * (g.regret[i] - expected)
		if !g.again[i] {
			slope = -slope
		}
		b.Slopes[g.first+i] += float32(slope)
	}
}
