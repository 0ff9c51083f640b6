package match

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// toyScore counts the games of a game in which the first player wins pair k to a share that
// depends on k, and loses the rest.
type toyScore struct {
	Games int64        `json:"games"`
	Pairs rating.Pairs `json:"pairs"`
}

func (s toyScore) Plus(t toyScore) toyScore {
	s.Games += t.Games
	s.Pairs.Add(t.Pairs)
	return s
}
func (s toyScore) FinishedGames() int64      { return s.Games }
func (s toyScore) PairResults() rating.Pairs { return s.Pairs }

// toyRunner plays it, and fails where fail says.
type toyRunner struct {
	edge uint64 // of 8 pairs, so many are won
	fail func(s Span) error
}

func (r toyRunner) Play(ctx context.Context, s Span) (score toyScore, err error) {
	if err := ctx.Err(); err != nil {
		return score, err
	}
	if r.fail != nil {
		if err := r.fail(s); err != nil {
			return score, err
		}
	}
	score.Games = int64(s.Games())
	for k := s.First; k < s.First+uint64(s.Games()/2); k++ {
		score.Pairs[4*min(1, (k*5%8+8-r.edge)/8^1)]++
	}
	return score, nil
}

// toyPlan is a match of the toy game.
func toyPlan(games, unit, parallel int, edge uint64) Plan[toyScore] {
	return Plan[toyScore]{
		Games: games, Unit: func(int) int { return unit }, Parallel: parallel,
		Runner: func(context.Context, int) (SpanRunner[toyScore], error) { return toyRunner{edge: edge}, nil },
	}
}

var test5 = &rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}

// The spans of a run are its games, each once and in order, whatever their number.
func TestSpans(t *testing.T) {
	for games := 1; games < 1<<22; games = games*3 + 1 {
		for _, test := range []*rating.SPRT{nil, test5} {
			for _, unit := range []int{1, 3, 4096} {
				p := toyPlan(games, unit, 1, 4)
				if p.SPRT = test; test != nil {
					p.Unit = nil
				}
				r := newRun(p)
				spans, next, played := 0, uint64(0), 0
				for {
					u, ok := r.takeUnit()
					if !ok {
						break
					}
					testkit.FatalIf(t, u.number != spans || u.First != next || u.Pairs < 1 || u.Pairs > maxSpan,
						"%d games: span %d is %+v, want the one of pair %d", games, spans, u, next)
					spans++
					next += uint64(u.Pairs)
					played += u.Games()
					if spans > 5000 {
						break
					}
				}
				testkit.FatalIf(t, played != games && spans <= 5000,
					"%d games in units of %d: %d spans of %d games", games, unit, spans, played)
				_, ok := r.unitAt(spans + 1)
				testkit.FatalIf(t, ok && spans <= 5000, "%d games in units of %d: a span behind the last of %d", games, unit, spans)
			}
		}
	}
	r := newRun(toyPlan(math.MaxInt, 1, 1, 4))
	u, ok := r.unitAt(math.MaxInt / 2)
	testkit.Equal(t, []any{u.Pairs, u.Odd, ok}, []any{1, true, true}, "the last pair of the longest match")
	_, ok = r.unitAt(-1)
	testkit.Equal(t, ok, false, "there is a span -1")
}

// Whichever goroutine fails first, a run returns the error of the lowest span, and the end of a
// context after all others.
func TestErrorsInAnyOrder(t *testing.T) {
	low, high := errors.New("low"), errors.New("high")
	errs := map[int]error{0: low, 1: high, 2: context.Canceled}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		for _, ordered := range []bool{true, false} {
			p := toyPlan(10, 1, 1, 4)
			if ordered {
				p.Enter = func(int, Span, toyScore) error { return nil }
			}
			r := newRun(p)
			for _, number := range order {
				u, _ := r.unitAt(number)
				r.finishUnit(finished[toyScore]{unit: u, err: errs[number]})
			}
			r.closeLog()
			testkit.Equal(t, r.err, low, "of spans in the order %v the run returns", order)
		}
	}
}

// A span that fails before the decision of a test ends the match, one after it does not,
// whichever is finished first.
func TestErrorAndDecision(t *testing.T) {
	failed := errors.New("failed")
	won := toyScore{Games: 2000, Pairs: rating.Pairs{4: 1000}}
	for _, test := range []struct {
		spans map[int]finished[toyScore]
		order []int
		want  error
	}{
		{map[int]finished[toyScore]{0: {score: won}, 1: {err: failed}}, []int{1, 0}, nil},
		{map[int]finished[toyScore]{0: {score: won}, 1: {err: failed}}, []int{0, 1}, nil},
		{map[int]finished[toyScore]{0: {err: failed}, 1: {score: won}}, []int{1, 0}, failed},
		{map[int]finished[toyScore]{0: {err: failed}, 1: {score: won}}, []int{0, 1}, failed},
	} {
		p := toyPlan(1<<30, 1, 2, 4)
		p.SPRT, p.Unit = test5, nil
		r := newRun(p)
		for _, number := range test.order {
			f := test.spans[number]
			f.unit, _ = r.unitAt(number)
			r.finishUnit(f)
		}
		r.closeLog()
		testkit.ErrorIf(t, r.err != test.want || (r.out.Decision == rating.AcceptedH1) != (test.want == nil),
			"order %v: %v, %s; want %v", test.order, r.err, r.out.Decision, test.want)
	}
}

// A match with a test and a tournament, both with a log, that are interrupted again and again end
// as those that are not: a log without the decision is not played beyond it.
func TestRunsGoOn(t *testing.T) {
	growing, fixed, tournament := toyPlan(1_000_000, 16, 3, 5), toyPlan(1_000_000, 16, 3, 3), toyPlan(1000, 16, 3, 4)
	growing.SPRT, growing.Unit, fixed.SPRT, tournament.Pairings = test5, nil, test5, 3
	seldom := fixed
	seldom.Every = 1000
	for name, plan := range map[string]Plan[toyScore]{"growing": growing, "fixed": fixed, "seldom": seldom, "tournament": tournament} {
		want := testkit.Must(Run(t.Context(), plan))(t)
		testkit.FatalIf(t, plan.Every > 0 && want.Scores[0].Pairs.N() != 16_000, "checked after %v", want.Scores)
		testkit.FatalIf(t, plan.SPRT != nil && want.Decision == rating.Undecided, "%s: undecided", name)
		file := filepath.Join(t.TempDir(), "log.jsonl")
		for interruptions := 0; ; interruptions++ {
			ctx, cancel := context.WithCancel(t.Context())
			log := testkit.Must(OpenLog(file))(t)
			var calls, told atomic.Int64
			plan.Log, plan.Parallel = log, 1+interruptions%3
			plan.Header = Header{Schema: "toy-log/1", Games: plan.Games}
			plan.Progress = func(games int) {
				told.Add(int64(games))
				if calls.Add(1) == 3 {
					cancel()
				}
			}
			got, err := Run(ctx, plan)
			cancel()
			log.Close()
			testkit.ErrorIf(t, plan.SPRT == nil && told.Load() != got.Games, "%s: %d games told, %d in the result",
				name, told.Load(), got.Games)
			if err == nil {
				testkit.ErrorIf(t, !slices.Equal(got.Scores, want.Scores) || got.Decision != want.Decision ||
					interruptions < 1, "%s: after %d interruptions %+v, want %+v", name, interruptions, got, want)
				break
			}
			testkit.FatalIf(t, !errors.Is(err, context.Canceled) || interruptions > 1000, "%s: %v", name, err)
		}
	}
}

// Every span that counts is entered once and in order, and an error of Enter ends the run.
func TestEnterInOrder(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		p := toyPlan(2001, 7, parallel, 4)
		next := uint64(0)
		p.Enter = func(_ int, s Span, _ toyScore) error {
			testkit.Equal(t, s.First, next, "pair")
			next += uint64(s.Pairs)
			return nil
		}
		o := testkit.Must(Run(t.Context(), p))(t)
		testkit.Equal(t, []int64{int64(next), o.Games, o.Scores[0].Pairs.N()}, []int64{1001, 2001, 1000},
			"pairs that are entered, games, pairs of the score")
		refused := errors.New("refused")
		p.Enter = func(_ int, s Span, _ toyScore) error { return refused }
		testkit.Equal(t, testkit.ErrorOf(Run(t.Context(), p)), refused, "the error of a run that Enter refuses")
	}
}

// A runner is made once for each goroutine, and again when the pairing changes.
func TestPairings(t *testing.T) {
	for _, parallel := range []int{1, 3} {
		p := toyPlan(100, 10, parallel, 0)
		p.Pairings = 3
		var runners atomic.Int64
		p.Runner = func(_ context.Context, pairing int) (SpanRunner[toyScore], error) {
			runners.Add(1)
			return toyRunner{edge: uint64(pairing) * 4}, nil
		}
		o := testkit.Must(Run(t.Context(), p))(t)
		testkit.MustEqual(t, []int64{o.Games, o.Played}, []int64{300, 300}, "games, and played ones")
		testkit.FatalIf(t, runners.Load() < 3, "only %d runners", runners.Load())
		var wins []int64
		for _, s := range o.Scores {
			wins = append(wins, s.Pairs[4])
		}
		testkit.Equal(t, wins, []int64{0, 25, 50}, "the first players win")
	}
	refused := errors.New("no runner")
	p := toyPlan(100, 10, 2, 0)
	p.Runner = func(context.Context, int) (SpanRunner[toyScore], error) { return nil, refused }
	testkit.Equal(t, testkit.ErrorOf(Run(t.Context(), p)), refused, "the error of a run without a runner")
}
