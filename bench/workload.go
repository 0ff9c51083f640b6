package bench

import (
	_ "embed" // embeds the corpus
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Scope is one among the things measured, from the inside out.
type Scope string

// The scopes: those in the interface [github.com/seed-09dcdc84/ur.Game], and the generation of moves of
// an engine that can be measured without values.
const (
	Value Scope = "value" // getValue of positions held by the engine
	Turn  Scope = "turn"  // a whole turn: futures, values, choice, move
	Moves Scope = "moves" // the futures of a turn alone
	Game  Scope = "game"  // a whole game on the shared dice, one brain on both sides
)

// works makes each scope's work. To add a scope, add it to the lists here and its work.
var works = map[Scope]func(*Workload) (work, error){
	Value: newValueWork, Turn: newTurnWork, Moves: newMovesWork, Game: func(w *Workload) (work, error) { return w.games() },
}

// Unit is the time unit at the scope: "ns/eval", "ns/turn" or "us/game".
func (s Scope) Unit() string {
	return map[Scope]string{Value: "ns/eval", Turn: "ns/turn", Moves: "ns/turn", Game: "us/game"}[s]
}

// Scopes returns all scopes, in report order.
func Scopes() []Scope { return []Scope{Value, Turn, Moves, Game} }

// ParseScope returns the scope with a name, or an error that lists the names.
func ParseScope(name string) (Scope, error) {
	if slices.Contains(Scopes(), Scope(name)) {
		return Scope(name), nil
	}
	return "", fmt.Errorf("unknown level %q (want one of %s)", name, text.Join(Scopes(), ", "))
}

// sign hashes answers into one number, 16 hexadecimal digits, so a reader sees at a glance
// whether two records are on the same work.
func sign(answers []any) (string, error) {
	h := fnv.New64a()
	for _, answer := range answers {
		if err := binary.Write(h, binary.LittleEndian, answer); err != nil {
			return "", fmt.Errorf("signature: %w", err)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// Size is how much work a [Workload] has at each scope. One pass over it is the shortest
// timed interval.
type Size struct {
	// Positions evaluated at the scope value, spread evenly over the corpus's candidates.
	// They must be too many for a branch predictor to learn by heart: with 1024 positions,
	// evaluators that branch ran up to a third faster here than in play. And they must be few
	// enough to stay in the second-level cache.
	Positions int

	// TurnGames are played turn by turn at the scope turn.
	TurnGames int

	// Games are played in one call by an engine that plays several side by side, also at the
	// scope turn. There must be enough of them to make lanes that run empty at the end negligible.
	Games int

	// FirstGames of the Games are played in one call by every other engine: a slow engine could
	// not play them all within a sample. Games differ in length, so the reported time
	// is that for a game with the mean length over all Games.
	FirstGames int
}

// DefaultSize returns the size for everything published: 4096 positions take 264 KiB as
// 16-bit numbers, 100 games are about 18,000 turns, 10,000 games leave each of 64
// lanes 156 to play, and 250 take the oracle less than a tenth of a second.
func DefaultSize() Size {
	return Size{Positions: 4096, TurnGames: 100, Games: 10_000, FirstGames: 250}
}

// check returns an error for an invalid size.
func (s Size) check() error {
	switch {
	case s.Positions < 1 || s.TurnGames < 1 || s.Games < 1 || s.FirstGames < 1:
		return errors.New("workload: invalid size (want 1 or more)")
	case s.FirstGames > s.Games:
		return fmt.Errorf("workload: %[2]d games to play, more than all %[1]d", s.Games, s.FirstGames)
	}
	return nil
}

// workloadSeed is the seed for all games.
const workloadSeed = 1

// corpusText is a sample of turns in real games, a line each: a position and a roll with a tab between
// them. A test keeps it equal to the games, and -update makes it. Figures from different versions must
// not be compared.
//
//go:embed corpus.txt
var corpusText string

// workloadSetup has the brain in all measurements on both sides: the one set by hand, so figures stay
// comparable when a better built-in brain plays longer or shorter games.
func workloadSetup() ur.Setup {
	brain := ur.ClassicBrain()
	return ur.Setup{Light: brain, Dark: brain}
}

// Workload is fixed work with the right answers: every engine plays the same games
// with the same brains and must come to the same end. It is not changed after it
// was made, and may be shared.
type Workload struct {
	Size Size

	works      map[Scope]work
	signatures map[Scope]string
	played     *gamesWork // the games, when they were played
}

// NewWorkload does the work in the given scopes once, or in all scopes when none is given:
// with the oracle, except for the games after the first ones (see games). The games'
// seed is 1.
func NewWorkload(size Size, only ...Scope) (*Workload, error) {
	if err := size.check(); err != nil {
		return nil, err
	}
	w := &Workload{Size: size, works: make(map[Scope]work), signatures: make(map[Scope]string)}
	if len(only) == 0 {
		only = Scopes()
	}
	for _, scope := range only {
		if _, err := ParseScope(string(scope)); err != nil {
			return nil, err
		}
		made, err := works[scope](w)
		if err != nil {
			return nil, err
		}
		w.works[scope] = made
		if w.signatures[scope], err = sign(made.answers()); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// games plays the games, once.
func (w *Workload) games() (g *gamesWork, err error) {
	if w.played == nil {
		w.played, err = newGames(w.Size)
	}
	return w.played, err
}

// Signature is one number, 16 hexadecimal digits, for all answers at a scope. It changes with
// the rules, the brain or the work in that scope only.
func (w *Workload) Signature(scope Scope) string { return w.signatures[scope] }

// work is one scope's work, with the oracle's answers. It is not changed after it was made.
type work interface {
	// bind prepares an engine for the work: a benchmark's check, pass and figures.
	bind(ur.Engine) (sample.Benchmark, error)

	// answers are the answers covered by the scope's signature, for [binary.Write].
	answers() []any
}

// annotate returns the Annotate function for an engine's benchmark with its game.
func annotate(e ur.Engine, game ur.Game) func(*record.Row) {
	return func(row *record.Row) {
		row.NsPerCandidate = row.Metrics[unitCandidate]
		row.SetMetric("bytes", float64(game.Bytes()))
		if n := lanes(e); n > 0 {
			row.SetMetric("lanes", float64(n))
		}
	}
}

// lanes is how many games an engine plays side by side, 0 if it is not a [ur.Batch].
func lanes(e ur.Engine) int {
	if batch, ok := e.(ur.Batch); ok {
		return batch.Lanes()
	}
	return 0
}

// Units for figures beside the time.
const (
	unitCandidate = "ns/candidate"
	unitGames     = "games/s"
	unitValues    = "values/turn"
)

// perCandidate divides a turn's time by its legal moves.
func perCandidate(candidates float64) func(float64) []report.Metric {
	return func(perTurn float64) []report.Metric {
		return []report.Metric{{Value: perTurn / candidates, Unit: unitCandidate}}
	}
}

// gamesMetrics are the games in a second.
func gamesMetrics(perGame float64) []report.Metric {
	return []report.Metric{{Value: GamesPerSecond(perGame), Unit: unitGames}}
}

// GamesPerSecond is the inverse to a time in us/game.
func GamesPerSecond(perGame float64) float64 { return 1e6 / perGame }
