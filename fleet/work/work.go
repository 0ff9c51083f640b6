// Package work divides the work of this module into a fleet's tasks: the data sent, the
// computation of a worker, and the checks of its answers.
//
// [Kinds] are the computations of workers. A client has a backend for each request: [Matches] for
// matches and tournaments, and [Duels] for generations of an evolution. All give the result of a
// single machine.
package work

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
)

// Kinds are the kinds of tasks computed by workers, on an engine. A new one is a file, and a
// line here.
func Kinds(e ur.Engine) []fleet.Kind {
	return []fleet.Kind{
		matchKind{e},
		reversiKind{},
		duelKind{e},
	}
}

// CodeVersion names this program's code, so only equal code works together: the commit of
// a clean build, otherwise the SHA-256 of the program file.
var CodeVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		setting := map[string]string{}
		for _, s := range info.Settings {
			setting[s.Key] = s.Value
		}
		if revision := setting["vcs.revision"]; revision != "" && setting["vcs.modified"] == "false" {
			return "commit-" + revision
		}
	}
	name, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("program-%x", sha256.Sum256(program))[:48]
})

// check returns an error if no span of the match can have a score.
func (m matchSpec) check(span match.Span, s play.Score) error {
	if games := int64(span.Games()); s.Tally.Games != games {
		return fmt.Errorf("result of %d games (want %d)", s.Tally.Games, games)
	}
	return m.checkScore(s, int64(span.Pairs), span.Odd)
}

// checkScore returns an error if a number of pairs of games, the last of them perhaps half a
// one, cannot have a score.
func (m matchSpec) checkScore(s play.Score, pairs int64, odd bool) error {
	t := s.Tally
	if odd {
		pairs--
	}
	switch {
	case s.Wins[0] < 0 || s.Wins[1] < 0 || s.Wins[0]+s.Wins[1] != t.Games:
		return errors.New("wins of the players differ from those of the games")
	case s.Pairs.N() != pairs || s.LightPairs.N() != pairs:
		return fmt.Errorf("result of %d pairs (want %d)", s.Pairs.N(), pairs)
	case !fitsWins(s.Pairs, s.Wins[0], odd) || !fitsWins(s.LightPairs, t.Wins[board.Light], odd):
		return errors.New("wins of the pairs differ from those of the games")
	case m.Luck == "" && s.Luck != (play.Luck{}) || m.Luck != "" && s.Luck.Pairs != pairs:
		return errors.New("luck has another number of pairs")
	}
	return m.checkTally(t)
}

// fitsWins reports whether pairs of games without draws have a number of wins, to which half a pair
// may add one.
func fitsWins(p rating.Pairs, wins int64, odd bool) bool {
	for i, n := range p {
		if n < 0 || n > 0 && i%2 == 1 {
			return false
		}
	}
	rest := wins - p.Wins()
	return rest == 0 || odd && rest == 1
}

// leastMoves returns the minimum of moves of a piece to its home, and of moves voided by a
// capture: the piece had to reach a shared square.
func leastMoves(r *board.Rules) (home, capture int64) {
	shared := 1
	for shared < r.Finish() && !r.IsShared(shared) {
		shared++
	}
	moves := func(squares int) int64 { return int64((squares + r.MaxRoll() - 1) / r.MaxRoll()) }
	return moves(r.Finish()), moves(shared)
}

// checkPartial returns an error if the games before one that exceeds a turn limit cannot have a score.
func (m matchSpec) checkPartial(s play.Score, limit int) error {
	if limit != m.TurnLimit {
		return fmt.Errorf("a turn limit of %d (want %d)", limit, m.TurnLimit)
	}
	return m.checkTally(s.Tally)
}

// checkTally returns an error if finished games of the match cannot have a tally.
func (m matchSpec) checkTally(t ur.Tally) error {
	home, capture := leastMoves(m.ruleSet())
	for _, n := range []int64{t.Games, t.Wins[0], t.Wins[1], t.Turns, t.Moves, t.Captures, t.Rosettes, t.Passes} {
		if n < 0 {
			return errors.New("a negative count")
		}
	}
	switch least := home * int64(m.Pieces); {
	case t.Wins[0]+t.Wins[1] != t.Games:
		return fmt.Errorf("%d games have %d winners", t.Games, t.Wins[0]+t.Wins[1])
	case t.Moves+t.Passes != t.Turns:
		return errors.New("turns are not the sum of moves and passes")
	case t.Turns/int64(m.TurnLimit) > t.Games:
		return fmt.Errorf("%d turns in %d games of at most %d", t.Turns, t.Games, m.TurnLimit)
	case t.Moves/least < t.Games:
		return fmt.Errorf("%d moves in %d games of at least %d", t.Moves, t.Games, least)
	case t.Captures > (t.Moves-least*t.Games)/capture:
		return fmt.Errorf("%d captures in %d moves of %d games", t.Captures, t.Moves, t.Games)
	case t.Rosettes > t.Moves:
		return fmt.Errorf("%d rosettes in %d moves", t.Rosettes, t.Moves)
	}
	return nil
}
