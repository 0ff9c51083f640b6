package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/rating"
)

// tournamentUnits are how many pairs of games are played and logged at a time: of two
// brains, which an engine plays by the million a second, and of any other players. An
// interruption costs no more than the units that were under way.
const (
	brainUnit = 2048
	otherUnit = 64
)

// unit is a part of a pairing: what is played by one goroutine and logged in one line.
type unit struct {
	pairing int
	Span
}

// tournament is a tournament in progress. Its units are numbered through all pairings, and
// exist as numbers alone: there may be any number of them.
type tournament struct {
	config   TournamentConfig
	pairings []Pairing // their scores are set at the end
	begins   []int     // unit with which a pairing begins; one more for the end
	workers  int

	mutex   sync.Mutex
	scores  []Score // by pairing
	next    int     // unit that nobody has looked at
	logged  map[int]bool
	damaged int
	games   int64 // found in the log and played
	played  int64
	err     error
}

func newTournament(c TournamentConfig) *tournament {
	t := &tournament{config: c, pairings: c.pairings(), begins: []int{0}, logged: map[int]bool{}}
	for i, p := range t.pairings {
		most := c.unitPairs(p)
		t.begins = append(t.begins, t.begins[i]+(c.Games/2-1)/most+1)
	}
	t.scores = make([]Score, len(t.pairings))
	return t
}

// unitPairs returns how many pairs of games a unit of a pairing has at most. It must not
// depend on anything but the settings that the log knows, since numbers of units stand
// there.
func (c TournamentConfig) unitPairs(p Pairing) int {
	pairs := otherUnit
	if c.match(p).betweenBrains() {
		pairs = brainUnit
	}
	if c.Venue != nil && c.Log == nil {
		return max(pairs, venueSpan(c.match(p), c.Games/2))
	}
	return pairs
}

// units returns how many units there are.
func (t *tournament) units() int { return t.begins[len(t.pairings)] }

// unit returns the unit of a number.
func (t *tournament) unit(number int) unit {
	pairing, found := slices.BinarySearch(t.begins, number)
	if !found {
		pairing--
	}
	most := t.config.unitPairs(t.pairings[pairing])
	first := (number - t.begins[pairing]) * most
	return unit{pairing, Span{First: uint64(first), Pairs: min(most, t.config.Games/2-first)}}
}

// resume enters what the log has.
func (t *tournament) resume(ctx context.Context) error {
	if t.config.Log == nil {
		return nil
	}
	header, err := t.config.header(ctx)
	if err != nil {
		return err
	}
	content, err := t.config.Log.begin(header)
	if err != nil {
		return err
	}
	t.damaged = content.damaged
	var foreign *LogError
	if err := t.enterAll(content.records); errors.As(err, &foreign) {
		foreign.File = t.config.Log.name
		return foreign
	}
	if t.config.Progress != nil && t.games > 0 {
		t.config.Progress(int(t.games))
	}
	return nil
}

// enterAll enters the parts that a log has.
func (t *tournament) enterAll(records []logRecord) error {
	for _, r := range records {
		if r.Unit < 0 || r.Unit >= t.units() || r.Score.Tally.Games != int64(t.unit(r.Unit).Games()) {
			return &LogError{Msg: fmt.Sprintf("has part %d of %d games, which is none of the %d parts of the tournament",
				r.Unit, r.Score.Tally.Games, t.units())}
		}
		if !t.logged[r.Unit] { // two processes may have played the same
			t.logged[r.Unit] = true
			t.enter(r.Unit, r.Score)
		}
	}
	return nil
}

// enter adds the score of a unit to the result.
func (t *tournament) enter(number int, s Score) {
	t.scores[t.unit(number).pairing].Add(s)
	t.games += s.Tally.Games
}

// run plays all units that are not done.
func (t *tournament) run(ctx context.Context) error {
	t.workers = t.threads()
	var workers sync.WaitGroup
	for range t.workers {
		workers.Go(func() { t.work(ctx) })
	}
	workers.Wait()
	if t.config.Log != nil && t.err == nil {
		t.err = t.config.Log.sync()
	}
	return t.err
}

// threads is how many goroutines have something to do.
func (t *tournament) threads() int {
	return min(t.config.Parallel, t.units()-len(t.logged))
}

// take returns the number of the next unit to play.
func (t *tournament) take() (number int, ok bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for t.err == nil && t.next < t.units() {
		number := t.next
		t.next++
		if !t.logged[number] {
			return number, true
		}
	}
	return 0, false
}

// work plays units until there are no more. Seats are kept as long as the pairing is
// the same.
func (t *tournament) work(ctx context.Context) {
	seated := -1
	var at Table
	for {
		number, ok := t.take()
		if !ok {
			return
		}
		u := t.unit(number)
		if u.pairing != seated {
			var err error
			if at, err = newTable(ctx, t.config.match(t.pairings[u.pairing])); err != nil {
				t.fail(u.pairing, err)
				return
			}
			seated = u.pairing
		}
		score, err := at.Play(ctx, u.Span)
		if err != nil {
			t.fail(u.pairing, err)
			return
		}
		t.finish(number, score)
	}
}

// finish logs a unit, and only then counts it.
func (t *tournament) finish(number int, s Score) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.config.Log != nil {
		if err := t.config.Log.append(logRecord{Unit: number, Score: s}); err != nil {
			t.err = cmp.Or(t.err, err)
			return
		}
	}
	t.enter(number, s)
	t.played += s.Tally.Games
	if t.config.Progress != nil {
		t.config.Progress(int(s.Tally.Games))
	}
}

// fail ends the tournament with an error of a pairing. The end of ctx is told as it is.
func (t *tournament) fail(pairing int, err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.err != nil {
		return
	}
	t.err = err
	if failedGame(err) != ^uint64(0) {
		p := t.config.match(t.pairings[pairing]).Players
		t.err = fmt.Errorf("%s against %s: %w", p[0].Name(), p[1].Name(), err)
	}
}

// result rates the players by what was finished.
func (t *tournament) result(elapsed time.Duration) (TournamentResult, error) {
	r := TournamentResult{
		Pairings: t.pairings,
		Complete: t.games == int64(t.config.TotalGames()),
		Damaged:  t.damaged,
		Games:    t.games,
		Played:   t.played,
		Threads:  t.workers,
		Elapsed:  elapsed,
	}
	encounters := make([]rating.Encounter, len(t.pairings))
	for i := range t.pairings {
		p := &t.pairings[i]
		p.Score = t.scores[i]
		encounters[i] = rating.Encounter{First: p.First, Second: p.Second, Pairs: p.Pairs}
	}
	rated, err := rating.Rate(len(t.config.Players), encounters, t.config.anchor())
	if err != nil {
		return r, err
	}
	r.Prior = rated.Prior
	for i, p := range t.config.Players {
		r.Players = append(r.Players, TournamentPlayer{Name: p.Name(), Rating: rated.Players[i]})
	}
	r.addScores()
	r.rank()
	return r, nil
}

// addScores adds up what each player scored.
func (r *TournamentResult) addScores() {
	wins := make([]int64, len(r.Players))
	for _, p := range r.Pairings {
		for side, player := range [2]int{p.First, p.Second} {
			r.Players[player].Games += p.Tally.Games
			wins[player] += p.Wins[side]
		}
	}
	for i := range r.Players {
		r.Players[i].Score = 0.5
		if n := r.Players[i].Games; n > 0 {
			r.Players[i].Score = float64(wins[i]) / float64(n)
		}
	}
}

// rank numbers the players by rating.
func (r *TournamentResult) rank() {
	for rank, player := range r.Ranking() {
		r.Players[player].Rank = rank + 1
	}
}

// Ranking returns the players from the best rating to the worst, and of equal ones in
// their order.
func (r *TournamentResult) Ranking() []int {
	order := make([]int, len(r.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Players[b].Elo, r.Players[a].Elo) })
	return order
}
