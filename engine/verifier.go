package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// VerifyOptions set how much a [Verifier] does. The zero value is a thorough check that
// takes about a second an engine.
type VerifyOptions struct {
	Seed      uint64 // seed for the positions and brains, and for the games
	Positions int    // random positions for each number of pieces; 0 means 200
	Games     int    // games between two classic brains; 0 means 2000
}

// Verifier compares engines with the oracle, bit for bit: values, futures, choices, tallies and
// winners, on random and edge positions, with ordinary and extreme brains. It also checks the
// other promises in [ur.Game]: the turn limit, the caller's untouched memory, and no
// allocation. It computes the oracle's answers once. It is not safe for concurrent use.
type Verifier struct {
	options   VerifyOptions
	positions []board.Position // none is over
	brains    []verifyBrain
	matches   []*verifyMatch
	limit     verifyLimit
}

// verifyBrain is a brain with the oracle's value for every position.
type verifyBrain struct {
	name   string
	brain  *ur.Brain
	values []int32
}

// verifyMatch is a series with the oracle's tally.
type verifyMatch struct {
	name    string
	setup   ur.Setup
	series  ur.Series
	tally   ur.Tally
	winners []board.Side // winners in the first games, verifyWinners at most
}

// verifyWinners is how many winners in a series are compared: more than any engine plays at once.
const verifyWinners = 100

// VerifyReport counts the answers compared and found equal.
type VerifyReport struct {
	Engine    string   `json:"engine"`
	Values    int      `json:"values"`
	Turns     int      `json:"turns"`
	Games     int64    `json:"games"`
	Signature ur.Tally `json:"signature"` // tally between classic brains
}

// NewVerifier computes the oracle's answers. It stops early with the context's error when ctx ends.
func NewVerifier(ctx context.Context, o VerifyOptions) (*Verifier, error) {
	o.Positions, o.Games = cmp.Or(o.Positions, 200), cmp.Or(o.Games, 2000)
	v := &Verifier{options: o, positions: EdgePositions()}
	rng := rand.New(rand.NewPCG(o.Seed, 0x7572))
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		for range o.Positions {
			v.positions = append(v.positions, board.Finkel().Random(rng, pieces))
		}
	}
	v.addBrains(rng)
	if err := v.addMatches(ctx); err != nil {
		return nil, err
	}
	return v, v.addLimit()
}

// EdgePositions returns positions that expose errors in generators and evaluators: all pieces
// in hand, all home but one, blocked moves, captures, full paths. Each occurs with either side
// to move and every number of pieces. All are unfinished.
func EdgePositions() []board.Position {
	forms := []string{
		"0:.............L:6 0:.............D:6 L", // all home but one, about to finish
		"1:..............:6 1:..............:6 L", // all home but one, not entered
		"0:....LLLLLLL...:0 7:..............:0 L", // a wall in the combat zone
		"0:LLLL.......LLL:0 0:DDDDD.......DD:0 L", // most of the path taken on both sides
		"5:...L...L......:0 5:...D......D...:0 L", // rosettes held
		"6:.....L........:0 6:.......D......:0 L", // the safe square is taken
		"6:.......L......:0 3:....DDD.D.....:0 L", // captures on every roll but one
		"3:LLLL..........:0 3:DDDD..........:0 L", // entering is blocked
		"0:..........L.LL:4 0:...........DDD:4 L", // only exact throws go home
		"0:...........LLL:4 0:.....D.D.D....:4 L", // almost home against pieces in the middle
		"0:............LL:5 7:..............:0 L", // one side far ahead
	}
	var positions []board.Position
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		positions = append(positions, board.StartPosition(pieces))
	}
	for _, form := range forms {
		p, err := board.Finkel().ParsePosition(form)
		if err != nil {
			panic(fmt.Sprintf("engine: edge position %q: %v", form, err)) // a form above is wrong
		}
		positions = append(positions, p)
	}
	for _, p := range slices.Clone(positions) {
		positions = append(positions, p.Mirror())
	}
	return positions
}

// addBrains chooses the brains and computes the oracle's values.
func (v *Verifier) addBrains(rng *rand.Rand) {
	fill := func(weight func(k int) int) *ur.Brain {
		b := new(ur.Brain)
		for k := range b {
			b[k] = int16(weight(k))
		}
		return b
	}
	v.brains = []verifyBrain{
		{name: "classic", brain: ur.ClassicBrain()},
		{name: "zero", brain: new(ur.Brain)},
		{name: "small random", brain: fill(func(int) int { return rng.IntN(61) - 30 })},
		{name: "random", brain: fill(func(int) int { return rng.IntN(1999) - 999 })},
		{name: "wide random", brain: fill(func(int) int { return rng.IntN(1<<16) - 1<<15 })},
		{name: "all 32767", brain: fill(func(int) int { return 32767 })},
		{name: "all -32767", brain: fill(func(int) int { return -32767 })},
		{name: "all -32768", brain: fill(func(int) int { return -32768 })},
		{name: "alternating 32767", brain: fill(func(k int) int { return 32767 - k%2*2*32767 })},
	}
	for i, b := range v.brains {
		for _, p := range v.positions {
			v.brains[i].values = append(v.brains[i].values, b.brain.Value(p))
		}
	}
}

// brain returns the brain with a name.
func (v *Verifier) brain(name string) *ur.Brain {
	return v.brains[slices.IndexFunc(v.brains, func(b verifyBrain) bool { return b.name == name })].brain
}

// addMatches chooses the series and plays them with the oracle. They cover the same
// brain on both sides and different ones, every number of pieces, values beyond 16 bits, and
// lengths that are no multiple of any lane count.
func (v *Verifier) addMatches(ctx context.Context) error {
	classic, zero, small, random := v.brain("classic"), v.brain("zero"), v.brain("small random"), v.brain("random")
	wide := new(ur.Brain)
	for k, w := range classic {
		wide[k] = w * 16
	}
	add := func(name string, light, dark *ur.Brain, pieces int, s ur.Series) {
		s.Seed = v.options.Seed
		setup := ur.Setup{Light: light, Dark: dark, Pieces: pieces}
		v.matches = append(v.matches, &verifyMatch{name: name, setup: setup, series: s})
	}
	few := v.options.Games/20 + 1
	add("classic against itself", classic, classic, 0, ur.Series{N: v.options.Games})
	add("classic against zero", classic, zero, 0, ur.Series{N: few})
	add("small random against classic", small, classic, 0, ur.Series{First: 1, Step: 2, N: few})
	add("random against classic", random, classic, 0, ur.Series{First: 1 << 40, N: few})
	add("wide against classic", wide, classic, 0, ur.Series{First: 77, N: few})
	add("one game", classic, wide, 0, ur.Series{N: 1})
	add("no game", classic, classic, 0, ur.Series{})
	for pieces := 1; pieces < board.FinkelPieces; pieces++ {
		add(fmt.Sprintf("%d pieces, classic against small random", pieces), classic, small, pieces,
			ur.Series{First: uint64(pieces), Step: 3, N: few + pieces})
	}
	for _, m := range v.matches {
		g, err := Oracle().New(m.setup)
		if err != nil {
			return err
		}
		if m.tally, err = gamesInParts(ctx, g, m.series); err != nil {
			return err
		}
		m.winners = make([]board.Side, min(m.series.N, verifyWinners))
		if _, err := g.Games(m.winners, m.series.Part(0, len(m.winners))); err != nil {
			return err
		}
	}
	return nil
}

// gamesInParts plays a series in parts, and checks ctx between them.
func gamesInParts(ctx context.Context, g ur.Game, s ur.Series) (ur.Tally, error) {
	const most = 1000
	var total ur.Tally
	for i := 0; i < s.N; i += most {
		if err := ctx.Err(); err != nil {
			return ur.Tally{}, err
		}
		t, err := g.Games(nil, s.Part(i, min(most, s.N-i)))
		if err != nil {
			return ur.Tally{}, err
		}
		total.Add(t)
	}
	return total, nil
}

// Verify compares e with the oracle. The error describes the first difference; the report
// counts the comparisons before it.
func (v *Verifier) Verify(ctx context.Context, e ur.Engine) (VerifyReport, error) {
	report := VerifyReport{Engine: e.Name(), Signature: v.matches[0].tally}
	if err := ur.Available(e); err != nil {
		return report, err
	}
	for i := range v.brains {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		if err := v.verifyBrain(e, i, &report); err != nil {
			return report, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	for _, m := range v.matches {
		if err := m.verify(ctx, e); err != nil {
			return report, fmt.Errorf("%s: %s: %w", e.Name(), m.name, err)
		}
		report.Games += m.tally.Games
	}
	for _, check := range []func(ur.Engine) error{v.limit.verify, v.verifyBatches, v.verifyMemory} {
		if err := check(e); err != nil {
			return report, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return report, nil
}

// verify compares the tally, and the first games' winners.
func (m *verifyMatch) verify(ctx context.Context, e ur.Engine) error {
	g, err := e.New(m.setup)
	if err != nil {
		return err
	}
	if got, err := gamesInParts(ctx, g, m.series); err != nil {
		return err
	} else if got != m.tally {
		return fmt.Errorf("tally %+v, oracle %+v", got, m.tally)
	}
	const untouched = 0x5e
	room := slices.Repeat([]board.Side{untouched}, len(m.winners)+2)
	got := room[1 : len(m.winners)+1]
	if _, err := g.Games(room[1:], m.series.Part(0, len(got))); err != nil {
		return err
	}
	for i, want := range m.winners {
		if got[i] != want {
			return fmt.Errorf("winner of game %[2]d is %[1]s, oracle %[3]s", got[i], m.series.Number(i), want)
		}
	}
	if room[0] != untouched || room[len(room)-1] != untouched {
		return errors.New("method Games writes beyond the winners of its series")
	}
	return nil
}

// verifyBrain compares values, futures and choices by one brain, with another as the
// opponent's, to detect engines that mix them up.
func (v *Verifier) verifyBrain(e ur.Engine, i int, report *VerifyReport) error {
	brains := [2]verifyBrain{v.brains[i], v.brains[(i+1)%len(v.brains)]}
	g, err := e.New(ur.Setup{Light: brains[board.Light].brain, Dark: brains[board.Dark].brain})
	if err != nil {
		return err
	}
	g.Load(v.positions)
	for side, b := range brains {
		got := make([]int32, len(v.positions))
		g.Values(got, board.Side(side))
		for k, want := range b.values {
			if got[k] != want {
				return fmt.Errorf("%s brain: value of %s is %d, oracle %d", b.name, board.Finkel().FormatPosition(v.positions[k]), got[k], want)
			}
		}
		report.Values += len(got)
	}
	for _, p := range v.positions {
		mover := brains[p.Turn()]
		for roll := range board.FinkelRoll + 1 {
			if err := verifyTurn(g, mover.brain, p, roll); err != nil {
				return fmt.Errorf("%s brain: %s, roll %d: %w", mover.name, board.Finkel().FormatPosition(p), roll, err)
			}
			report.Turns++
		}
	}
	return nil
}

// verifyTurn compares one position's futures for a roll, and the move chosen.
func verifyTurn(g ur.Game, mover *ur.Brain, p board.Position, roll int) error {
	var want []ur.Future
	for _, m := range board.Finkel().Moves(nil, p, roll) {
		q := board.Finkel().Apply(p, m)
		want = append(want, ur.Future{Position: q, Value: mover.Value(q), Move: m})
	}
	if len(want) == 0 {
		want = []ur.Future{{Position: p.Pass(), Value: mover.Value(p.Pass()), Pass: true}}
	}
	g.Set(p)
	before := ur.Future{Position: p, Value: -1}
	got := g.Futures([]ur.Future{before}, roll)
	if len(got) == 0 || got[0] != before {
		return errors.New("method Futures overwrites dst instead of appending to it")
	}
	if got = got[1:]; !slices.Equal(got, want) {
		return fmt.Errorf("futures %v, oracle %v", got, want)
	}
	move, moved := g.Play(roll)
	chosen := want[ur.Choose(want, p.Turn())]
	if moved == chosen.Pass || moved && move != chosen.Move {
		return fmt.Errorf("plays %v (%v), oracle %v", move, moved, chosen.Move)
	}
	// The next turn must start from the chosen position, or from a finished game.
	next := g.Futures(nil, 1)
	if _, over := chosen.Position.Winner(); over != (len(next) == 0) {
		return fmt.Errorf("after %v the game is over: %v, oracle %v", move, len(next) == 0, over)
	}
	isAt := func(f ur.Future, p board.Position) bool { return f.Position == p }
	if !slices.EqualFunc(next, board.Finkel().Futures(nil, chosen.Position, 1), isAt) {
		return fmt.Errorf("after %v the game is not at %s", move, board.Finkel().FormatPosition(chosen.Position))
	}
	return nil
}

// verifyLimit is a series with each game's length, to check turn limits.
type verifyLimit struct {
	verifyMatch
	turns []int // turns by game, from the oracle
}

// addLimit lets the oracle play the games one by one. They are more than any engine plays at once.
func (v *Verifier) addLimit() error {
	l := &v.limit
	l.setup = ur.Setup{Light: v.brain("classic"), Dark: v.brain("small random"), Pieces: 2}
	l.series = ur.Series{Seed: v.options.Seed, First: 5, Step: 7, N: verifyWinners}
	g, err := Oracle().New(l.setup)
	if err != nil {
		return err
	}
	for i := range l.series.N {
		t, err := g.Games(nil, l.series.Part(i, 1))
		if err != nil {
			return err
		}
		l.turns = append(l.turns, int(t.Turns))
		l.tally.Add(t)
	}
	return nil
}

// verify plays the series with a limit just long enough for its longest game, and with one turn
// less.
func (l *verifyLimit) verify(e ur.Engine) error {
	longest, setup := slices.Max(l.turns), l.setup
	setup.TurnLimit = longest
	g, err := e.New(setup)
	if err != nil {
		return err
	}
	if got, err := g.Games(nil, l.series); err != nil || got != l.tally {
		return fmt.Errorf("turn limit of %d, exceeded by no game: tally %+v (%v), oracle %+v", longest, got, err, l.tally)
	}
	setup.TurnLimit = longest - 1
	if g, err = e.New(setup); err != nil {
		return err
	}
	_, err = g.Games(nil, l.series)
	limit, ok := errors.AsType[*ur.TurnLimitError](err)
	if !ok {
		return fmt.Errorf("a game of %d turns under a limit of %d: error %v (want a TurnLimitError)", longest, longest-1, err)
	}
	for i, turns := range l.turns {
		if turns == longest && l.series.Number(i) == limit.Game && limit.Seed == l.series.Seed && limit.Limit == longest-1 {
			return nil
		}
	}
	return fmt.Errorf("the error names game %d of seed %d, which does not exceed the limit of %d turns: %w", limit.Game, limit.Seed, limit.Limit, err)
}

// verifyBatches asks for the values of fewer positions than are loaded, and of other numbers
// than kernels take at once: no more may be written than was asked for.
func (v *Verifier) verifyBatches(e ur.Engine) error {
	const untouched = -0x5eed5eed
	b := v.brains[0]
	g, err := e.New(ur.Setup{Light: b.brain, Dark: b.brain})
	if err != nil {
		return err
	}
	g.Load(v.positions)
	for n := range min(67, len(v.positions)) {
		room := slices.Repeat([]int32{untouched}, n+2)
		g.Values(room[1:n+1], board.Light)
		if room[0] != untouched || room[n+1] != untouched {
			return fmt.Errorf("method Values of %d positions writes beyond them", n)
		}
		for i, got := range room[1 : n+1] {
			if got != b.values[i] {
				return fmt.Errorf("value %d of the first %d positions is %d, oracle %d", i, n, got, b.values[i])
			}
		}
	}
	return nil
}

// verifyMemory checks the size that a game reports, and that repeating a call takes no more memory.
func (v *Verifier) verifyMemory(e ur.Engine) error {
	b := v.brains[0]
	g, err := e.New(ur.Setup{Light: b.brain, Dark: b.brain})
	if err != nil {
		return err
	}
	if bytes := g.Bytes(); bytes <= 0 {
		return fmt.Errorf("method Bytes returns %d (want the memory of the brains at least)", bytes)
	}
	g.Load(v.positions)
	values := make([]int32, len(v.positions))
	futures := make([]ur.Future, 0, board.FinkelMoves)
	series := ur.Series{Seed: 1, N: 3}
	winners := make([]board.Side, series.N)
	for _, call := range []struct {
		name string
		do   func()
	}{
		{"Values", func() { g.Values(values, board.Dark) }},
		{"Set", func() { g.Set(v.positions[0]) }},
		{"Futures", func() { futures = g.Futures(futures[:0], 2) }},
		{"Play", func() { g.Play(2) }},
		{"Games", func() { _, err = g.Games(nil, series) }},
		{"Games with winners", func() { _, err = g.Games(winners, series) }},
	} {
		call.do()
		if err != nil {
			return err
		}
		if allocates(call.do) {
			return fmt.Errorf("%s allocates when it is called again", call.name)
		}
	}
	return nil
}

// allocates reports whether a call allocates. Other goroutines may allocate meanwhile, so one
// call without allocation out of many is enough.
func allocates(call func()) bool {
	var before, after runtime.MemStats
	for range 20 {
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		if after.Mallocs == before.Mallocs {
			return false
		}
	}
	return true
}
