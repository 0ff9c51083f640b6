package ur

import (
	"reflect"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// Evaluator computes getValue for many boards in one representation by one brain. With
// one, a representation is an [Engine]: see [TurnByTurn].
type Evaluator[B any] interface {
	// Values writes boards[i]'s value to dst[i]; both have the same length.
	Values(dst []int32, boards []B)
}

// TurnByTurn returns an engine that plays one game at a time: it generates a turn's futures
// on board representation B, evaluates them all in one call, and takes the best. The name
// is "board/eval"; bind makes a brain's evaluator, a pointer to all that it holds for the
// brain, and needs lists exactly the evaluator's CPU features; see [Engine].
func TurnByTurn[B any, L board.Layout[B]](name string, bind func(*Brain) Evaluator[B], needs ...Feature) Engine {
	return turnEngine[B, L]{name, needs, bind}
}

// turnEngine is an engine from [TurnByTurn].
type turnEngine[B any, L board.Layout[B]] struct {
	name  string
	needs []Feature
	bind  func(*Brain) Evaluator[B]
}

func (e turnEngine[B, L]) Name() string     { return e.name }
func (e turnEngine[B, L]) Needs() []Feature { return e.needs }

func (e turnEngine[B, L]) New(s Setup) (Game, error) {
	s, err := s.Complete()
	if err != nil {
		return nil, err
	}
	g := &turnGame[B, L]{setup: s}
	for side := range g.eval {
		g.eval[side] = e.bind(s.Brain(board.Side(side)))
	}
	L(&g.start).Set(board.StartPosition(s.Pieces))
	g.Set(board.StartPosition(s.Pieces))
	return g, nil
}

// turnGame is a turnEngine bound to a pair of brains.
type turnGame[B any, L board.Layout[B]] struct {
	setup Setup
	eval  [2]Evaluator[B] // evaluators by side
	start B               // where Games begins

	loaded []B // boards for Values

	// The game in progress: its board, and the state outside the board.
	board  B
	turn   board.Side
	home   [2]uint8 // pieces home, by side
	pieces uint8

	futures board.Futures[B]
	value   [board.FinkelMoves]int32
}

func (g *turnGame[B, L]) Bytes() int {
	bytes := int(unsafe.Sizeof(*g))
	for _, e := range g.eval {
		bytes += int(reflect.Indirect(reflect.ValueOf(e)).Type().Size())
	}
	return bytes
}

func (g *turnGame[B, L]) Load(positions []board.Position) {
	g.loaded = make([]B, len(positions))
	for i, p := range positions {
		L(&g.loaded[i]).Set(p)
	}
}

func (g *turnGame[B, L]) Values(dst []int32, by board.Side) {
	g.eval[by].Values(dst, g.loaded[:len(dst)])
}

func (g *turnGame[B, L]) Generate(rolls []uint8) (n int) {
	for i, roll := range rolls {
		L(&g.loaded[i]).Futures(&g.futures, int(roll))
		n += g.futures.N
	}
	return n
}

func (g *turnGame[B, L]) Set(p board.Position) {
	L(&g.board).Set(p)
	g.turn = p.Turn()
	g.home = [2]uint8{uint8(p.Home(board.Light)), uint8(p.Home(board.Dark))}
	g.pieces = uint8(p.Pieces())
}

// over reports whether a side has every piece home.
func (g *turnGame[B, L]) over() bool {
	return g.home[board.Light] == g.pieces || g.home[board.Dark] == g.pieces
}

func (g *turnGame[B, L]) Futures(dst []Future, roll int) []Future {
	if g.over() {
		return dst
	}
	f := &g.futures
	L(&g.board).Futures(f, roll)
	g.eval[g.turn].Values(g.value[:f.N], f.Boards[:f.N])
	for i := range f.N {
		future := Future{Position: L(&f.Boards[i]).Position(), Value: g.value[i], Pass: f.Pass}
		if !f.Pass {
			future.Move = f.Moves[i]
		}
		dst = append(dst, future)
	}
	return dst
}

func (g *turnGame[B, L]) Play(roll int) (board.Move, bool) {
	if g.over() {
		return board.Move{}, false
	}
	return g.playTurn(roll)
}

// playTurn plays one turn in an unfinished game.
func (g *turnGame[B, L]) playTurn(roll int) (board.Move, bool) {
	f := &g.futures
	L(&g.board).Futures(f, roll)
	if f.Pass {
		g.board = f.Boards[0]
		g.turn = g.turn.Other()
		return board.Move{}, false
	}
	best := g.choose()
	move := f.Moves[best]
	g.board = f.Boards[best]
	if move.To == board.Finish {
		g.home[g.turn]++
	}
	if !board.IsRosette(int(move.To)) {
		g.turn = g.turn.Other()
	}
	return move, true
}

// choose returns the moving side's choice among the futures. A single legal move needs
// no value.
func (g *turnGame[B, L]) choose() int {
	n := g.futures.N
	if n == 1 {
		return 0
	}
	value := g.value[:n]
	g.eval[g.turn].Values(value, g.futures.Boards[:n])
	best := 0
	if g.turn == board.Light {
		for i, v := range value {
			if v > value[best] {
				best = i
			}
		}
	} else {
		for i, v := range value {
			if v < value[best] {
				best = i
			}
		}
	}
	return best
}

func (g *turnGame[B, L]) Games(winners []board.Side, s Series) (Tally, error) {
	winners = s.Winners(winners)
	t := Tally{Games: int64(s.N)}
	for i := range s.N {
		winner, err := g.playGame(&t, s.Seed, s.Number(i))
		if err != nil {
			return Tally{}, err
		}
		if winners != nil {
			winners[i] = winner
		}
	}
	return t, nil
}

// playGame plays one whole game, adds it to the tally and returns the winner.
func (g *turnGame[B, L]) playGame(t *Tally, seed, number uint64) (board.Side, error) {
	g.board, g.turn = g.start, board.Light
	g.home, g.pieces = [2]uint8{}, uint8(g.setup.Pieces)
	dice := board.Finkel().Dice(seed, number)
	for turns := 1; turns <= g.setup.TurnLimit; turns++ {
		side := g.turn
		move, moved := g.playTurn(dice.Roll())
		if !moved {
			t.Passes++
			continue
		}
		t.AddMove(move)
		if g.home[side] == g.pieces {
			t.Wins[side]++
			t.Turns += int64(turns)
			return side, nil
		}
	}
	return 0, &TurnLimitError{Seed: seed, Game: number, Limit: g.setup.TurnLimit}
}
