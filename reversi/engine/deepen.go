package engine

import (
	"cmp"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

const (
	// most is the value of 64 discs, and disc2 that of two: scores differ by multiples of it.
	most  = 64 * eval.Disc
	disc2 = 2 * eval.Disc

	// nearEnd is how many plies before the end of the game a search to a depth gives way to one to the
	// end.
	nearEnd = 7

	// severalFrom is from how many empty squares on several levels come before the exact search, and
	// carefulFrom from how many a level that errs less: on smaller positions they took more nodes than
	// they saved.
	severalFrom = 26
	carefulFrom = 23

	// selectiveFrom is from how many empty squares on selective searches to the end come
	// before the exact one.
	selectiveFrom = 17

	// midgameLevel is the level of selectivity of searches that do not reach the end.
	midgameLevel = 0
)

// set makes a board the root.
func (s *searcher) set(b board.Board) {
	s.root = node{own: b.Own, opp: b.Opp, moves: b.Moves(), features: &s.features}
	s.best, s.improved, s.cutting = board.None, false, 0
	s.known = Result{Best: board.None}
	if s.weights != nil {
		s.features = eval.FeaturesOf(b)
	}
}

// search searches a position with at least one move. The best move is the first that reached the
// value in the last search that was completed or improved.
func (s *searcher) search(b board.Board, plies int) Result {
	empties := b.Empties()
	s.set(b)
	if plies == 0 {
		return Result{Value: s.value(s.root, empties), Best: board.First(s.root.moves)}
	}
	s.deepen(plies, empties)
	if s.known.Best == board.None || s.improved { // a move of the search that was stopped
		s.known.Best = s.best
	}
	return s.known
}

// deepen searches at rising depths, and to the end at rising confidence.
func (s *searcher) deepen(plies, empties int) {
	s.toEnd = plies == empties
	middle, goal := uint8(midgameLevel), s.goal
	if !s.uses(probCutting) {
		middle, goal = levelExact, levelExact
	}
	guess, last := 0, plies
	if s.toEnd {
		last = empties - nearEnd
	}
	switch {
	case s.guesses(empties):
		for depth := 2 - plies&1; depth <= last; depth += 2 {
			if guess = s.aspire(guess, depth, empties, middle); s.stop.Load() {
				return
			}
		}
	case !s.toEnd:
		s.aspire(guess, plies, empties, middle)
	}
	if !s.toEnd {
		return
	}
	if s.guesses(empties) && s.uses(probCutting) && s.uses(evaluation) && empties >= selectiveFrom {
		for _, level := range s.levels(empties) {
			if guess = s.glance(guess, empties, level); s.stop.Load() {
				return
			}
		}
	} else {
		goal = levelExact
	}
	s.aspire(guess, empties, empties, goal)
}

// guesses reports whether shallower searches come before the last one; of few empty squares they cost
// more than they save.
func (s *searcher) guesses(empties int) bool { return s.uses(iteration) && empties >= byMobility-1 }

// levels lists the levels before the goal: all of them under a deadline, otherwise those that save
// more nodes than they take.
func (s *searcher) levels(empties int) []uint8 {
	var list []uint8
	switch {
	case s.gradual:
		list = []uint8{0, 1, 2, 3, 4}
	case empties >= severalFrom:
		list = []uint8{1, 3}
	case empties >= carefulFrom:
		list = []uint8{1}
	default:
		list = []uint8{0}
	}
	return slices.DeleteFunc(list, func(level uint8) bool { return level >= s.goal })
}

// aspire searches a small window about a guess, and moves it to where the value is. It returns
// the value, or the guess if the search was stopped.
func (s *searcher) aspire(guess, depth, empties int, level uint8) int {
	// Estimates of a won game are equal, so a search of one ends with the first of them.
	alpha, beta, width, step := -eval.Max, eval.Max, 3*eval.Disc/2, 1
	if depth == empties {
		alpha, beta, step = -most, most, disc2
		guess, width = guess>>6<<6, disc2
	}
	low, high := max(alpha, guess-width), min(beta, guess+width)
	// Before an exact search without a deadline the whole window is better: what its iterations leave in
	// the table saves that search more than a small window saves them.
	whole := s.solving() && depth < empties || depth == empties && !s.guesses(empties)
	if low >= high || depth <= shallow || whole || !s.uses(aspiration) {
		low, high = alpha, beta
	}
	for up, down := false, false; ; {
		value := s.window(s.root, low, high, depth, empties, level)
		width *= 2
		switch {
		case s.stop.Load():
			return guess
		case value <= low && low > alpha:
			low, high, down = max(alpha, value-width), value+step, true
		case value >= high && high < beta:
			s.known.Best = s.best
			low, high, up = value-step, min(beta, value+width), true
		default:
			s.finish(value, depth, empties, level)
			return value
		}
		if up && down { // selective searches may contradict each other
			low, high = alpha, beta
		}
	}
}

// glance searches to the end in one window of four discs about a guess, and returns the value or a
// bound of it: the next level corrects it, and its table entries order that search's moves. Under a
// deadline every level has to find its value.
func (s *searcher) glance(guess, empties int, level uint8) int {
	if s.gradual {
		return s.aspire(guess, empties, empties, level)
	}
	low, high := max(-most, guess>>6<<6-2*disc2), min(most, guess>>6<<6+2*disc2)
	value := s.window(s.root, low, high, empties, empties, level)
	switch {
	case s.stop.Load():
		return guess
	case low < value && value < high:
		s.finish(value, empties, empties, level)
	}
	return value
}

// finish notes the value of a completed search.
func (s *searcher) finish(value, depth, empties int, level uint8) {
	s.known = Result{Value: value, Best: s.best, Depth: depth}
	if depth == empties {
		s.known.Confidence = confidences[level]
	}
	s.improved = false
	if s.progress != nil && !s.progress(s.known) {
		s.stop.Store(true)
	}
}

// onThreads lets all searchers search the same position; they share results by the table. The
// first to finish stops the others. If the search is stopped before, the result is the most
// confident one so far, with a move of any searcher if it has none.
func (e *Engine) onThreads(b board.Board, plies int) Result {
	if len(e.searchers) == 1 {
		return e.searchers[0].search(b, plies)
	}
	var (
		stop  = e.searchers[0].stop
		wait  sync.WaitGroup
		mutex sync.Mutex
		found = Result{Best: board.None}
	)
	for _, s := range e.searchers {
		wait.Go(func() {
			a := s.search(b, plies)
			stop.Store(true)
			mutex.Lock()
			defer mutex.Unlock()
			more := cmp.Or(a.Confidence-found.Confidence, a.Depth-found.Depth)
			if more > 0 || found.Best == board.None {
				found = a
			}
		})
	}
	wait.Wait()
	return found
}
