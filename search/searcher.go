package search

import "context"

// Searcher searches a game without dice. It serves one goroutine, and after its first
// search it allocates nothing.
type Searcher[P any, G Game[P]] struct {
	control
	memory
	choice

	game   G
	run    func(s *Searcher[P, G], depth int) Value // the algorithm
	table  *Table
	last   LastPly[P]    // nil when the game has none, or it is not to be used
	quiet  Quieter[P]    // likewise
	prober Prober[P]     // likewise
	cutter ProbCutter[P] // likewise

	frames [maxPly + 1]frame[P]
	scout  bool // pvs: null windows for all moves but the first

	root    P
	key     Key
	behind  P // where the principal variation leads to
	helpers []*Searcher[P, G]
}

// frame is what a node needs while it is searched, in memory that is used again.
type frame[P any] struct {
	list  List[P]
	order []uint8
	ranks []int64
	line  [maxPly + 1]uint8 // the best moves from here on
	lineN int
}

// New returns a searcher of a game.
func New[P any, G Game[P]](game G, o Options) (*Searcher[P, G], error) {
	o, err := o.complete(false)
	if err != nil {
		return nil, err
	}
	s := newSearcher[P](game, o)
	s.team = newTeam(o)
	for i := 1; i < o.Threads; i++ {
		h := newSearcher[P](fork(game), o)
		h.helper, h.team, h.help = i, s.team, h.assist
		s.helpers = append(s.helpers, h)
	}
	return s, nil
}

func newSearcher[P any, G Game[P]](game G, o Options) *Searcher[P, G] {
	s := &Searcher[P, G]{game: game, table: o.Table}
	s.options = o
	for _, a := range withoutDice[P, G]() {
		if a.Name == o.Algorithm {
			s.run = a.run
		}
	}
	s.scout = o.Algorithm == "pvs"
	if !o.NoLast && !o.Quiescence && !o.Extensions { // whose moves a last ply would not search on
		s.last, _ = any(game).(LastPly[P])
	}
	if o.Quiescence {
		s.quiet, _ = any(game).(Quieter[P])
	}
	if o.Probe {
		s.prober, _ = any(game).(Prober[P])
	}
	if o.ProbCut > 0 {
		s.cutter, _ = any(game).(ProbCutter[P])
	}
	return s
}

// Search looks ahead from a position, deeper and deeper, until a limit is reached or
// the context is done. It returns what the last finished depth found; when none was,
// Depth is 0 and Best is the move that looks best. Of a game that is over it returns the
// result, at depth 0. The only errors are of the limits.
func (s *Searcher[P, G]) Search(ctx context.Context, root P, l Limits) (Result, error) {
	if err := l.check(); err != nil {
		return Result{}, err
	}
	s.start(ctx, l)
	if s.table != nil {
		s.table.grow()
	}
	s.setRoot(root)
	for _, h := range s.helpers {
		h.follow(&s.control)
		h.setRoot(root)
	}
	if len(s.order) > 0 {
		s.deepen()
	}
	return s.result(), nil
}

// setRoot generates the moves of the root.
func (s *Searcher[P, G]) setRoot(root P) {
	s.root = root
	s.key = s.game.Key(&s.root)
	s.forget()
	f := &s.frames[0]
	f.list.Clear()
	result := s.game.Moves(&s.root, &f.list)
	s.prepare(f.list.n)
	for i := range f.list.All() {
		s.values[i] = Value(f.list.slots[i].Order)
	}
	if f.list.n > 0 {
		result = s.game.Value(&s.root)
	}
	s.first(result)
}

// deepen searches to depth 1, 2, 3 and so on.
func (s *Searcher[P, G]) deepen() {
	for depth := s.firstDepth(); depth <= s.limits.last() && !s.over(); depth++ {
		value := s.together(depth)
		if s.stopped {
			return
		}
		s.guess = value
		s.finish(depth)
		s.keepLine()
		if s.options.Report != nil {
			r := s.result()
			s.options.Report(&r)
		}
	}
}

// together searches to a depth with all threads. Each searches the whole, but takes what others
// have done from the table, and stops when the leader is done: what they find out is the same, so
// that the value is.
func (s *Searcher[P, G]) together(depth int) Value {
	if len(s.helpers) == 0 || !s.gather(depth) {
		return s.iterate(depth)
	}
	for _, h := range s.helpers {
		h.adopt(&s.choice, depth)
		go h.help()
	}
	value := s.iterate(depth)
	s.dismiss()
	return value
}

// assist is what a helper does: it searches what the leader does.
func (s *Searcher[P, G]) assist() {
	s.sharing, s.stopped = true, false
	s.iterate(s.reach)
	s.team.ended.Done()
}

// iterate searches to one depth by the algorithm.
func (s *Searcher[P, G]) iterate(depth int) Value {
	s.reach = depth
	value := s.run(s, depth)
	if s.limits.AllMoves && !s.stopped {
		s.valueAll(depth)
	}
	return value
}

// keepLine keeps the principal variation of the depth that was finished. Where the
// table cut it short, the table's own moves go on.
func (s *Searcher[P, G]) keepLine() {
	f := &s.frames[0]
	s.line = append(s.line[:0], f.line[:f.lineN]...)
	if s.table == nil {
		return
	}
	s.behind = s.root
	key := s.key
	for ply := 0; ply < s.reach; ply++ {
		if ply == len(s.line) {
			s.line = append(s.line, s.table.probe(s.place(key, ply)).move)
		}
		m := s.find(ply, s.line[ply])
		if m == nil {
			s.line = s.line[:ply]
			return
		}
		s.behind, key = m.Next, m.Key
	}
}

// find returns the move of an ID of the position behind, at a distance from the root.
func (s *Searcher[P, G]) find(ply int, id uint8) *Move[P] {
	list := &s.frames[ply].list
	if ply > 0 {
		list.Clear()
		s.game.Moves(&s.behind, list)
	}
	for i := range list.All() {
		if m := &list.slots[i]; m.ID == id {
			return m
		}
	}
	return nil
}

// result tells what was found so far.
func (s *Searcher[P, G]) result() Result {
	r := Result{
		Depth: s.finished.depth, Value: s.finished.value, Best: s.finished.best, ID: NoMove,
		Line: s.line, Nodes: s.nodes, Elapsed: s.elapsed(), Stats: s.stats,
	}
	if r.Best >= 0 {
		r.ID = s.frames[0].list.slots[r.Best].ID
		if len(r.Line) == 0 {
			s.line = append(s.line, r.ID)
			r.Line = s.line
		}
	}
	if s.limits.AllMoves && r.Depth > 0 {
		r.Moves = s.finished.moves
	}
	for _, h := range s.helpers {
		r.Nodes += h.nodes
		r.Stats.add(h.stats)
	}
	return r
}

// Moves returns the moves of the root of the last search, in the game's order.
func (s *Searcher[P, G]) Moves() []Move[P] { return s.frames[0].list.All() }

// turned tells the value of a move from that of the position it leads to.
func turned[P any](m *Move[P], v Value) Value {
	if m.Again {
		return v
	}
	return -v
}
