// Package match plays matches and tournaments between two or more players, in pairs
// of games with equal luck, and logs them. It knows no game: a game supplies a [Score]
// and a [SpanRunner] for pairs; [Run] decides the pairs to play and to count, the number of
// goroutines, and when to stop.
//
// A [Plan] describes a match, or a tournament with several matches ([Schedule]). With a [Log] it
// continues after an interruption. A [Sheet] rates the players.
package match

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/match/rating"
)

// Span is a range of game pairs. Both games in a pair have the same luck: game k of the
// seed in a game with dice, opening k in a game without.
type Span struct {
	First uint64 `json:"first"`         // pair
	Pairs int    `json:"pairs"`         // number of pairs, 1 or more
	Odd   bool   `json:"odd,omitempty"` // the second game of the last pair is not played
}

// Games returns the span's number of games.
func (s Span) Games() int {
	if s.Odd {
		return 2*s.Pairs - 1
	}
	return 2 * s.Pairs
}

// All returns the games of the span in order, by their pair: 0 for its first game and 1 for its second, in which
// the players have exchanged their sides.
func (s Span) All() iter.Seq2[uint64, int] {
	return func(yield func(pair uint64, game int) bool) {
		for n := range s.Games() {
			if !yield(s.First+uint64(n/2), n%2) {
				return
			}
		}
	}
}

// Score counts how a match's games ended. It is kept in logs as JSON.
type Score[S any] interface {
	Plus(S) S                  // the games of both
	FinishedGames() int64      // number of games counted
	PairResults() rating.Pairs // results for the first player
}

// ForfeitError reports that a player lost a game by failing to move.
type ForfeitError struct {
	Player string // its spec or name
	Err    error
}

func (e *ForfeitError) Error() string { return fmt.Sprintf("player %q: %v", e.Player, e.Err) }
func (e *ForfeitError) Unwrap() error { return e.Err }

// SpanRunner plays spans in one pairing for one goroutine. A span's score depends on the
// match settings and on the span alone.
type SpanRunner[S any] interface {
	// Play plays a span. With an error, the score counts the games that were finished.
	Play(ctx context.Context, s Span) (S, error)
}

// Backend plays matches of a game, described by M, elsewhere than in this process, as on many
// machines. The scores equal those computed in this process.
type Backend[M, S any] interface {
	// Runner returns a runner of a match. It is called once for each goroutine of the plan. The
	// goroutines only wait for games played elsewhere, so there should be many.
	Runner(ctx context.Context, m M) (SpanRunner[S], error)
}

// Plan describes a match, or a tournament.
type Plan[S Score[S]] struct {
	Pairings int // matches; 0 means 1
	Games    int // games in each pairing, 1 or more; a last odd game has no pair

	// Unit returns the number of pairs in a span: one goroutine plays and logs a span at a
	// time. With a log it must depend on the header alone. Nil lets spans grow: each is a sixteenth of the
	// pairs before it, so a test takes little longer than one that looks at every pair. It is for players
	// that finish thousands of games a second, and for a single match.
	Unit func(pairing int) int

	// SPRT, when not nil, ends the single match as soon as the test is decided. It checks the
	// score after every span, or after every few of them, so it stops at the same pair on any
	// number of goroutines. The spans must not depend on that number.
	SPRT  *rating.SPRT
	Every int // spans between two checks; 0 means 1

	Parallel int // goroutines, at least 1; the result is the same for any number

	// Runner returns a pairing's runner for one goroutine. The first pairing's runners are made
	// before the match time begins.
	Runner func(ctx context.Context, pairing int) (SpanRunner[S], error)

	// Log, when not nil, keeps finished spans, earlier runs' too. The header describes
	// everything that the scores depend on.
	Log    *Log
	Header Header

	// Enter, if not nil, is called for every counted span that was not in the log. Calls come
	// in match order, one at a time. Its error ends the match.
	Enter func(pairing int, s Span, score S) error

	// Progress, when not nil, is called with the number of games finished, or found in the
	// log, since its last call. Several goroutines may call it at a time.
	Progress func(games int)
}

// Outcome is the result from a [Plan]. Its scores and decision do not depend on the number of
// goroutines, on the machine, or on interruptions.
type Outcome[S any] struct {
	Scores   []S                 // score by pairing
	Decision rating.TestDecision // test decision; Undecided without one
	Games    int64               // games in Scores
	Played   int64               // games played now, not found in the log
	Damaged  int                 // lines of the log, whose games were played again
	Threads  int                 // number of goroutines used
	Elapsed  time.Duration       // wall-clock time of the playing alone
	Failed   int                 // pairing of the error
}

// Run plays a plan. When ctx ends it returns the finished games' score with the error of
// ctx. Any other error from a runner or the log ends it in the same way; among several errors it
// returns the lowest span's.
func Run[S Score[S]](ctx context.Context, p Plan[S]) (Outcome[S], error) {
	r := newRun(p)
	if err := r.resumeLog(); err != nil {
		return r.out, err
	}
	return r.playUnits(ctx)
}

// maxSpan is the largest growing span, in pairs: small enough for the last spans to end
// together and to notice a context's end soon.
const maxSpan = 4096

// growingSpan returns a growing span's first pair and its size. A first pair beyond all matches stands for later ones.
func growingSpan(number int) (first, pairs uint64) {
	const least, farthest = 128, 1 << 50
	for ; number > 0 && first/16 < maxSpan; number-- {
		first += max(least, first/16)
	}
	return first + min(uint64(number), farthest)*maxSpan, max(least, min(maxSpan, first/16))
}

// Header is a log's first line: everything the scores depend on. Plans with equal headers
// play the same games.
type Header struct {
	Schema   string            `json:"schema"` // such as "ur.match-log/1"
	Players  []Entrant         `json:"players"`
	Games    int               `json:"games"` // games in each pairing
	Seed     uint64            `json:"seed"`
	Settings map[string]string `json:"settings,omitempty"` // game settings by name
}

// Entrant is a player in a log.
type Entrant struct {
	Name string `json:"name"`

	// Identity distinguishes players with one name, such as a file's hash; "" for a player
	// described completely by its name.
	Identity string `json:"identity,omitempty"`
}

// Header returns the header of a schedule's matches with a test, nil for none. It adds to the
// settings of the game. identity returns the [Entrant.Identity] of a player by its index.
func (s Schedule) Header(schema string, settings map[string]string, test *rating.SPRT,
	identity func(player int) (string, error)) (Header, error) {
	h := Header{Schema: schema, Games: s.Games, Seed: s.Seed, Settings: settings}
	h.Settings["gauntlet"] = fmt.Sprint(s.Gauntlet)
	if test != nil {
		h.Settings["sprt"] = test.String()
	}
	for i, name := range s.Players {
		identity, err := identity(i)
		if err != nil {
			return h, err
		}
		h.Players = append(h.Players, Entrant{Name: name, Identity: identity})
	}
	return h, nil
}

// planKind returns the logged kind of plan, for messages.
func (h Header) planKind() string {
	if len(h.Players) == 2 {
		return "match"
	}
	return "tournament"
}

// describeDifference describes how a log's settings differ from another plan's, or returns
// "".
func (h Header) describeDifference(other Header) string {
	if len(h.Players) != len(other.Players) {
		return fmt.Sprintf("it has %d players (want %d)", len(h.Players), len(other.Players))
	}
	for i, p := range h.Players {
		switch q := other.Players[i]; {
		case p.Name != q.Name:
			return fmt.Sprintf("player %d is %q (want %q)", i+1, p.Name, q.Name)
		case p.Identity != q.Identity:
			return fmt.Sprintf("player %q was made of %s, and is made of %s now", p.Name,
				cmp.Or(p.Identity, "nothing known"), cmp.Or(q.Identity, "nothing known"))
		}
	}
	switch {
	case h.Schema != other.Schema:
		return fmt.Sprintf("its schema is %s (want %s)", h.Schema, other.Schema)
	case h.Games != other.Games:
		return fmt.Sprintf("games is %d (want %d)", h.Games, other.Games)
	case h.Seed != other.Seed:
		return fmt.Sprintf("seed is %d (want %d)", h.Seed, other.Seed)
	}
	names := map[string]string{}
	maps.Copy(names, h.Settings)
	maps.Copy(names, other.Settings)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, b := h.Settings[name], other.Settings[name]; a != b {
			return fmt.Sprintf("%s is %s (want %s)", strings.ReplaceAll(name, "_", " "), cmp.Or(a, "unset"),
				cmp.Or(b, "unset"))
		}
	}
	return ""
}
