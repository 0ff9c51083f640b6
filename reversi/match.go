package reversi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// PlayGame plays a game to its end, from the end of a record on; players[0] is Black. It
// returns the whole record.
func PlayGame(ctx context.Context, players [2]Player, from board.Record, l Limits) (board.Record, error) {
	r := board.Record{From: from.From, Moves: append([]board.Square(nil), from.Moves...)}
	for p := r.End(); !p.Over(); {
		player := players[p.Side]
		c, err := player.Choose(ctx, p, l)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return r, err
		}
		if p, err = p.Play(c.Square); err != nil {
			return r, fmt.Errorf("%s breaks the rules: %w", player.Name(), err)
		}
		r.Moves = append(r.Moves, c.Square)
	}
	return r, nil
}

// ScoreFor returns the final score of a record for a side.
func ScoreFor(r board.Record, side board.Side) int {
	p := r.End()
	if p.Side == side {
		return p.Score()
	}
	return -p.Score()
}

// Match is a number of pairs of games between two players. The games of a pair begin
// with the same opening; the first player is Black in the one and White in the other.
type Match struct {
	// First and Second make the players; every goroutine has its own.
	First, Second func() (Player, error)

	Pairs    int            // 1 or more
	Discs    int            // random openings have so many discs, 4 to 20; 8 if 0
	Openings []board.Record // instead of random ones, by turns
	Seed     uint64
	Parallel int          // goroutines: 1 if 0
	Limits   Limits       // for each move
	SPRT     *rating.SPRT // ends the match when it is decided; nil for none

	// Report, when set, hears of every pair in its order.
	Report func(*Score)
}

// Score is what came of a match, as the first player sees it.
type Score struct {
	Pairs             rating.Pairs
	Wins, Draws, Lost int // games
	Discs             int // sum of the final scores
	Decision          rating.Decision
	Games             []board.Record
}

// maxPairs bounds a match.
const maxPairs = 10_000_000

// pairResult is what a goroutine played.
type pairResult struct {
	number int
	games  [2]board.Record
	err    error
}

// Play plays the match. Results are the same on any number of goroutines, if the
// players' limits do not ask the clock. When the context ends it returns what is
// finished, with the context's error.
func (m Match) Play(ctx context.Context) (*Score, error) {
	if m.Discs == 0 {
		m.Discs = 8
	}
	if m.Pairs < 1 || m.Pairs > maxPairs || m.Discs < 4 || m.Discs > 20 {
		return nil, fmt.Errorf("match: %d pairs from openings of %d discs: want 1 to %d pairs and 4 to 20 discs", m.Pairs, m.Discs, maxPairs)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	results := m.start(inner)
	score := new(Score)
	waiting := map[int]pairResult{}
	done := false
	var failed error
	for r := range results {
		if r.err != nil {
			if failed == nil && !done && !errors.Is(r.err, context.Canceled) {
				failed = r.err
			}
			cancel()
			continue
		}
		waiting[r.number] = r
		for next, ok := waiting[int(score.Pairs.N())]; ok && !done; next, ok = waiting[int(score.Pairs.N())] {
			delete(waiting, next.number)
			score.add(next.games)
			if m.SPRT != nil {
				score.Decision = m.SPRT.Decide(score.Pairs)
				done = score.Decision != rating.Undecided
			}
			if m.Report != nil {
				m.Report(score)
			}
		}
		if done {
			cancel()
		}
	}
	if failed == nil && !done {
		failed = ctx.Err()
	}
	return score, failed
}

// add counts a pair.
func (s *Score) add(games [2]board.Record) {
	half := 0
	for i, g := range games {
		score := ScoreFor(g, board.Side(i))
		s.Discs += score
		switch {
		case score > 0:
			s.Wins++
			half += 2
		case score == 0:
			s.Draws++
			half++
		default:
			s.Lost++
		}
	}
	s.Pairs[half]++
	s.Games = append(s.Games, games[0], games[1])
}

// start lets goroutines play the pairs.
func (m Match) start(ctx context.Context) <-chan pairResult {
	numbers := make(chan int)
	results := make(chan pairResult)
	go func() {
		defer close(numbers)
		for n := range m.Pairs {
			select {
			case numbers <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wait sync.WaitGroup
	for range max(1, min(m.Parallel, 256)) {
		wait.Go(func() { m.work(ctx, numbers, results) })
	}
	go func() {
		wait.Wait()
		close(results)
	}()
	return results
}

func (m Match) work(ctx context.Context, numbers <-chan int, results chan<- pairResult) {
	first, err := m.First()
	var second Player
	if err == nil {
		second, err = m.Second()
	}
	if err != nil {
		results <- pairResult{err: err}
		return
	}
	for n := range numbers {
		games, err := m.pair(ctx, first, second, n)
		results <- pairResult{n, games, err}
	}
}

// pair plays the two games of a pair.
func (m Match) pair(ctx context.Context, first, second Player, n int) (games [2]board.Record, err error) {
	opening := m.opening(n)
	for i := range games {
		first.NewGame(m.Seed ^ uint64(2*n+i)<<8)
		second.NewGame(m.Seed ^ uint64(2*n+i)<<8 + 1)
		players := [2]Player{first, second}
		if i == 1 {
			players = [2]Player{second, first}
		}
		if games[i], err = PlayGame(ctx, players, opening, m.Limits); err != nil {
			return games, err
		}
	}
	return games, nil
}

// opening returns where pair n begins.
func (m Match) opening(n int) board.Record {
	if len(m.Openings) > 0 {
		return m.Openings[n%len(m.Openings)]
	}
	random := rand.New(rand.NewPCG(m.Seed, uint64(n)))
	for {
		r := board.Record{From: board.StartPosition()}
		p := r.From
		for 64-p.Empties() < m.Discs && !p.Over() {
			s := board.Pass
			if moves := p.Moves(); moves != 0 {
				s = anyOf(random, moves)
			}
			next, err := p.Play(s)
			if err != nil {
				break // cannot be: the move is legal
			}
			p = next
			r.Moves = append(r.Moves, s)
		}
		if !p.Over() {
			return r
		}
	}
}
