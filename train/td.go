package train

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/net"
	"github.com/seed-09dcdc84/ur/net/gradient"
	"github.com/seed-09dcdc84/ur/solve"
)

// TDConfig says how a net learns from games against itself. Of its numbers, 0 means the
// default.
type TDConfig struct {
	// Lambda is how far a surprise reaches back, 0 to 1; below 0 means 0.
	Lambda float64 `flag:"lambda" help:"how far a surprise reaches back, above 0 and at most 1"`

	// Rate is the size of the first steps. It has halved after RateMoves moves, has come
	// down to a third after twice as many, and so on.
	Rate      float64 `flag:"rate" help:"size of the first steps"`
	RateMoves int64   `flag:"rate-moves" help:"moves after which steps are half as large"`

	// Epsilon is how often a move is made at random, from which nothing is learned.
	Epsilon float64 `flag:"epsilon" help:"share of moves that are made at random"`

	// Plies is how far the players look ahead while they learn: 1 or 2.
	Plies int `flag:"plies" help:"plies of look-ahead while learning, 1 or 2"`

	// Workers play games of their own from the same weights, and after some games their
	// weights are averaged. Another number of them is another result; 1 is the algorithm of
	// the text.
	Workers int `flag:"workers" help:"games side by side, each with weights that are averaged from time to time"`

	// Sequential is the same as one worker.
	Sequential bool `flag:"sequential" help:"one game after another, one step after each move: the plain algorithm"`

	NetConfig
}

var tdMethod = Method{
	Name:   "td",
	Short:  "Teach a net by games against itself",
	Unit:   "moves",
	Growth: netMeasureGrowth,
	Long: `Td teaches a value network by games against itself, with no solution: TD(lambda), as in
TD-Gammon. After each move, what the position was thought to be worth is moved towards
what the next one is thought to be worth, and with it, by eligibility traces, the
positions before. At the end of a game the result takes the place of the next value.

With --sequential one game follows another, and the weights change after each move. That
is the algorithm of the textbooks. Without it, so many --workers play games of their own
from the same weights, and the mean of what they have learned is what all go on from.

Where a table of the exact solution is in the cache, the regret is measured by it.
Nothing is learned from that.`,
	Example: `  ur train td -o mine.safetensors --time 10m
  ur train td -o mine.safetensors --time 10m --curve mine.svg
  ur train td -o tdur.safetensors --sequential --features counts --hidden 80
  ur regret net:mine.safetensors
  ur match net:mine.safetensors brain`,
	New: func() Config {
		return &TDConfig{
			Lambda: DefaultLambda, Rate: DefaultTDRate, RateMoves: DefaultTDRateMoves, Plies: 1, Workers: DefaultTDWorkers,
			NetConfig: newNetConfig(DefaultTDHidden),
		}
	},
}

// Learner returns a learner before its first step.
func (c *TDConfig) Learner() (Learner, error) { return NewTD(*c) }

// Defaults of a [TDConfig].
const (
	DefaultLambda      = 0.7
	DefaultTDRate      = 0.3
	DefaultTDRateMoves = 10_000_000
	DefaultTDWorkers   = 2
	DefaultTDHidden    = "80"
)

// maxTDWorkers bounds the memory.
const maxTDWorkers = 256

// complete returns c with its defaults filled in and the net to begin with, or a
// [*play.ConfigError].
func (c TDConfig) complete() (TDConfig, *net.Net, error) {
	const name = "td"
	start, err := c.completeNet(name, DefaultTDHidden)
	if err != nil {
		return c, nil, err
	}
	setDefault(&c.Lambda, DefaultLambda)
	setDefault(&c.Rate, DefaultTDRate)
	setDefault(&c.RateMoves, DefaultTDRateMoves)
	setDefault(&c.Plies, 1)
	setDefault(&c.Workers, DefaultTDWorkers)
	c.Lambda = max(0, c.Lambda)
	if c.Sequential {
		c.Workers = 1
	}
	switch {
	case !(c.Lambda <= 1):
		return c, nil, config.Fault(name, "Lambda", "must be above 0 and at most 1, got %g", c.Lambda)
	case !(c.Rate > 0 && c.Rate <= 10):
		return c, nil, config.Fault(name, "Rate", "must be above 0 and at most 10, got %g", c.Rate)
	case c.RateMoves < 1:
		return c, nil, config.Fault(name, "RateMoves", "must be at least 1, got %d", c.RateMoves)
	case !(c.Epsilon >= 0 && c.Epsilon <= 1):
		return c, nil, config.Fault(name, "Epsilon", "must be 0 to 1, got %g", c.Epsilon)
	case c.Plies < 1 || c.Plies > 2:
		return c, nil, config.Fault(name, "Plies", "must be 1 or 2, got %d", c.Plies)
	case c.Workers < 1 || c.Workers > maxTDWorkers:
		return c, nil, config.Fault(name, "Workers", "must be 1 to %d, got %d", maxTDWorkers, c.Workers)
	}
	return c, start, nil
}

// TD is a [Learner] of a value network from games of it against itself: TD(lambda) with
// eligibility traces and a semi-gradient (Sutton and Barto, "Reinforcement learning", 2nd
// edition, 2018, section 12.2; Tesauro, "Temporal difference learning and TD-Gammon",
// 1995).
//
// Let V(s) be the probability that Light wins in the position after a move: what the net
// says where Light is to move, and 1 minus that where Dark is. Both sides learn this one
// function, and since the net sees every position from the side to move, a position and its
// mirror image are one. With s and s' the positions after two moves in a row,
//
//	e <- lambda e + gradient of V(s)
//	w <- w + rate (V(s') - V(s)) e
//
// and when the game is over, who has won takes the place of V(s'). A pass is not a move:
// the position before it and the one behind it are looked at as one step. A move that is
// made at random clears the traces, and nothing is learned from it.
//
// With several workers, each begins a round from the same weights and learns by
// tdRoundGames games of its own; the mean of their weights, added up in the order of the
// workers, is what the next round begins with (McDonald et al., "Distributed training
// strategies for the structured perceptron", 2010).
type TD struct {
	config  TDConfig
	model   *gradient.Model
	workers []*tdWorker
	moves   int64
	games   int64 // played by each worker
	netMeter
}

// tdRoundGames is how many games a worker plays between two averages.
const tdRoundGames = 16

// NewTD returns a learner before its first step.
func NewTD(c TDConfig) (*TD, error) {
	c, start, err := c.complete()
	if err != nil {
		return nil, err
	}
	d := &TD{config: c, netMeter: netMeter{config: c.NetConfig, table: netTable(c.Pieces)}}
	if d.model, err = gradient.NewModel(start); err != nil {
		return nil, err
	}
	for i := range c.Workers {
		w, err := newTDWorker(c, start, i)
		if err != nil {
			return nil, err
		}
		d.workers = append(d.workers, w)
	}
	return d, nil
}

// Method returns "td".
func (d *TD) Method() string { return tdMethod.Name }

// tdSettings is what the result depends on but for the number of moves.
type tdSettings struct {
	netSettings
	Lambda    float64 `json:"lambda"`
	Rate      float64 `json:"rate"`
	RateMoves int64   `json:"rate_moves"`
	Epsilon   float64 `json:"epsilon"`
	Plies     int     `json:"plies"`
	Workers   int     `json:"workers"`
}

// Settings returns what the result depends on.
func (d *TD) Settings() any {
	c := d.config
	return tdSettings{c.NetConfig.settings(), c.Lambda, c.Rate, c.RateMoves, c.Epsilon, c.Plies, c.Workers}
}

// Step plays some games with each worker and returns the number of their moves.
func (d *TD) Step(ctx context.Context) (moves int64, err error) {
	rate := d.config.Rate / (1 + float64(d.moves)/float64(d.config.RateMoves))
	err = each(ctx, d.config.Parallel, len(d.workers), func(i int) error {
		w := d.workers[i]
		copy(w.model.Params, d.model.Params)
		w.moves = 0
		for game := range int64(tdRoundGames) {
			w.play(uint64(d.games+game), float32(rate))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	params := d.model.Params
	copy(params, d.workers[0].model.Params)
	moves = d.workers[0].moves
	for _, w := range d.workers[1:] {
		for i, x := range w.model.Params {
			params[i] += x
		}
		moves += w.moves
	}
	if n := float32(len(d.workers)); n > 1 {
		for i := range params {
			params[i] /= n
		}
	}
	for _, x := range params {
		if x-x != 0 {
			return 0, &DivergedError{Moves: d.moves + moves, Rate: d.config.Rate}
		}
	}
	d.games += tdRoundGames
	d.moves += moves
	return moves, nil
}

// DivergedError says that weights have grown without bound.
type DivergedError struct {
	Moves int64
	Rate  float64
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("td: a weight is no longer a number after %d moves: the rate of %g is too high", e.Moves, e.Rate)
}

// Finished reports that there is always more to learn.
func (d *TD) Finished() (reason string, finished bool) { return "", false }

// Net returns the net as it is.
func (d *TD) Net() *net.Net { return d.model.Net() }

// Measure plays against the built-in brain, and measures the regret where a table is at
// hand.
func (d *TD) Measure(ctx context.Context, _ []Score) ([]Score, error) { return d.measure(ctx, d.Net()) }

// WriteResult writes the net, with its provenance.
func (d *TD) WriteResult(w io.Writer, p Provenance) error {
	return writeNet(w, d.Net(), p, tdMethod.Unit)
}

// tdState is a TD between two steps.
type tdState struct {
	Params []float32 `json:"params"`
	Moves  int64     `json:"moves"`
	Games  int64     `json:"games"`
}

// State returns everything that steps change.
func (d *TD) State() (json.RawMessage, error) {
	return json.Marshal(tdState{d.model.Params, d.moves, d.games})
}

// SetState goes on from where a learner of equal settings stood.
func (d *TD) SetState(text json.RawMessage) error {
	var s tdState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if len(s.Params) != len(d.model.Params) {
		return fmt.Errorf("the state has %d numbers, not %d", len(s.Params), len(d.model.Params))
	}
	if s.Moves < 0 || s.Games < 0 {
		return fmt.Errorf("the state tells of %d moves and %d games", s.Moves, s.Games)
	}
	copy(d.model.Params, s.Params)
	d.moves, d.games = s.Moves, s.Games
	return nil
}

// tdWorker learns by games of its own. It serves one goroutine.
type tdWorker struct {
	config TDConfig
	seed   uint64
	model  *gradient.Model
	traces gradient.Traces
	batch  *gradient.Batch // of the positions after the moves of a turn
	value  *gradient.Batch // of the position that the last move led to
	moves  int64
}

// newTDWorker returns a worker by its number.
func newTDWorker(c TDConfig, start *net.Net, number int) (*tdWorker, error) {
	m, err := gradient.NewModel(start)
	if err != nil {
		return nil, err
	}
	const replies = board.MaxMoves * board.MaxMoves * board.MaxRoll
	return &tdWorker{
		config: c, seed: seedFor(c.Seed, seedOfTD, uint64(number)), model: m, traces: gradient.NewTraces(m),
		batch: gradient.NewBatch(m, replies), value: gradient.NewBatch(m, 1),
	}, nil
}

// seedOfTD is beside the seeds of evolve.go.
const seedOfTD = 1001

// play plays a game and learns from it.
func (w *tdWorker) play(game uint64, rate float32) {
	var buf [board.MaxMoves]board.Move
	w.traces.Clear()
	p := board.StartPosition(w.config.Pieces)
	dice := board.NewDice(w.seed, game)
	worth := w.look(p) // V of p, once its gradient is in the traces
	for turn := uint64(0); ; turn++ {
		moves := p.Moves(buf[:0], dice.Roll())
		if len(moves) == 0 {
			p = p.Pass()
			continue
		}
		w.moves++
		if w.explores(game, turn) {
			p = p.Apply(moves[board.Mix(w.seed^board.Mix(game)+turn)%uint64(len(moves))])
			w.traces.Clear()
			if _, over := p.Winner(); over {
				return
			}
			worth = w.look(p)
			continue
		}
		next, value := w.choose(p, moves)
		winner, over := next.Winner()
		if over {
			value = float32(1 - winner)
		}
		w.traces.Follow(w.model, rate*(value-worth), float32(w.config.Lambda))
		if over {
			return
		}
		p = next
		worth = w.look(p)
	}
}

// explores reports whether the move of a turn is made at random.
func (w *tdWorker) explores(game, turn uint64) bool {
	return w.config.Epsilon > 0 && unit(board.Mix(w.seed^board.Mix(game<<20|turn))) < w.config.Epsilon
}

// look returns V of a position and adds its gradient to the traces.
func (w *tdWorker) look(p board.Position) float32 {
	w.value.Clear()
	w.value.Add(p)
	w.value.Forward()
	win := float32(net.Logistic(float64(w.value.Logits[0])))
	slope := float32(win * (1 - win))
	if p.Turn() == board.Dark {
		win, slope = 1-win, -slope
	}
	w.traces.Add(w.value, 0, slope)
	return win
}

// choose returns the position after the best move, and V of it.
func (w *tdWorker) choose(p board.Position, moves []board.Move) (board.Position, float32) {
	var after [board.MaxMoves]board.Position
	w.batch.Clear()
	for i, m := range moves {
		after[i] = p.Apply(m)
		if _, over := after[i].Winner(); over {
			return after[i], 0
		}
		w.batch.Add(after[i])
	}
	w.batch.Forward()
	best, most := 0, math.Inf(-1)
	for i := range moves {
		chance := float64(w.batch.Logits[i])
		if after[i].Turn() != p.Turn() {
			chance = -chance
		}
		if chance > most {
			best, most = i, chance
		}
	}
	logit := w.batch.Logits[best]
	if w.config.Plies == 2 && len(moves) > 1 {
		best, logit = w.deepest(p, after[:len(moves)])
	}
	value := float32(net.Logistic(float64(logit)))
	if after[best].Turn() == board.Dark {
		value = 1 - value
	}
	return after[best], value
}

// deepest returns the number of the position that is best at two plies, and its logit at
// one, which is what is learned from.
func (w *tdWorker) deepest(p board.Position, after []board.Position) (best int, logit float32) {
	logits := append([]float32(nil), w.batch.Logits...)
	most := math.Inf(-1)
	for i, next := range after {
		chance := w.replies(next)
		if next.Turn() != p.Turn() {
			chance = 1 - chance
		}
		if chance > most {
			best, most = i, chance
		}
	}
	return best, logits[best]
}

// replies returns the mean over the rolls of the best reply: the probability that the side
// to move wins.
func (w *tdWorker) replies(p board.Position) float64 {
	var buf [board.MaxMoves]board.Move
	type reply struct{ roll, index int }
	var list [board.MaxMoves*board.MaxRoll + 1]reply
	var sign [board.MaxMoves*board.MaxRoll + 1]bool // whether the same side is to move
	best := [board.MaxRoll + 1]float64{}
	n, passes := 0, 0
	w.batch.Clear()
	for roll, ways := range board.RollWays {
		moves := p.Moves(buf[:0], roll)
		if len(moves) == 0 {
			passes += ways
		}
		for _, m := range moves {
			next := p.Apply(m)
			if _, over := next.Winner(); over {
				best[roll] = 1
				continue
			}
			list[n], sign[n] = reply{roll, w.batch.Add(next)}, next.Turn() == p.Turn()
			n++
		}
	}
	pass := w.batch.Add(p.Pass())
	w.batch.Forward()
	for i, r := range list[:n] {
		chance := net.Logistic(float64(w.batch.Logits[r.index]))
		if !sign[i] {
			chance = 1 - chance
		}
		best[r.roll] = max(best[r.roll], chance)
	}
	sum := float64(passes) * (1 - net.Logistic(float64(w.batch.Logits[pass])))
	for roll, ways := range board.RollWays {
		sum += float64(ways) * best[roll]
	}
	return sum / 16
}

// tableOf says which table a learner measures by or learns from: what the first turn is worth.
func tableOf(t solve.Table, pieces int) string {
	return fmt.Sprintf("%.12f", t.Win(board.StartPosition(pieces)))
}
