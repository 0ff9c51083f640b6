package friend

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// Games holds the games. It is safe for concurrent use.
type Games struct {
	mutex sync.Mutex
	games map[string]*shared
	now   func() time.Time

	Close  func()          // ends the waiting of all watchers
	Closed <-chan struct{} // closed when the games are
}

// NewGames returns no games.
func NewGames() *Games {
	closed, end := context.WithCancel(context.Background())
	return &Games{games: map[string]*shared{}, now: time.Now, Close: end, Closed: closed.Done()}
}

// Create creates a game with a seat for the client, from an address. The same request
// creates one game only.
func (l *Games) Create(from string, q *Request) (*State, error) {
	side, err := parseSide(q.Side)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(checkToken(q.Token), checkHex("hash", q.Hash, 2*sha256.Size)); err != nil {
		return nil, err
	}
	set, err := game.RuleSet(q.Rules)
	if err != nil {
		return nil, err
	}
	g := &shared{from: from, first: side, hash: q.Hash}
	g.tokens[side] = q.Token
	if err := g.beginSession(set, q.Pieces); err != nil {
		return nil, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.removeExpired()
	for _, other := range l.games {
		if other.tokens[side] == q.Token {
			return other.clientState(side), nil
		}
	}
	if err := l.addGame(g); err != nil {
		return nil, err
	}
	return g.clientState(side), nil
}

// addGame adds a new game with a new secret. The caller holds the mutex.
func (l *Games) addGame(g *shared) error {
	if !l.makeRoom(g.from) {
		return ErrFull
	}
	g.id = strings.ToLower(rand.Text()[:16]) // 80 random bits, too many to guess
	g.touched, g.changed = l.now(), make(chan struct{})
	rand.Read(g.secret[:]) //nolint:errcheck // it never fails
	l.games[g.id] = g
	return nil
}

// makeRoom reports whether there is room for a game from an address. If need be it drops the
// oldest game of the address, or of all, that has no connection and waits for a second player or
// is over. The caller holds the mutex.
func (l *Games) makeRoom(from string) bool {
	list := slices.Collect(maps.Values(l.games))
	own := slices.DeleteFunc(slices.Clone(list), func(g *shared) bool { return g.from != from })
	switch {
	case len(own) >= maxPerAddress:
		list = own
	case len(list) < maxGames:
		return true
	}
	list = slices.DeleteFunc(list, func(g *shared) bool {
		return g.watching > 0 || g.session.Result() == record.Unfinished && !g.seatFree(noSide)
	})
	if len(list) == 0 {
		return false
	}
	l.dropGame(slices.MinFunc(list, func(a, b *shared) int { return a.touched.Compare(b.touched) }))
	return true
}

// dropGame removes a game. The caller holds the mutex.
func (l *Games) dropGame(g *shared) {
	delete(l.games, g.id)
	g.wakeWatchers()
}

// beginRematch begins the game after one that is over, with the sides of the players changed. A repeated
// request, or one of the other player, finds the same game.
func (l *Games) beginRematch(g *shared, side board.Side, hash string) error {
	switch {
	case side == noSide:
		return ErrToken
	case g.session.Result() == record.Unfinished:
		return errors.New("the game is not over: a rematch follows its end")
	case g.seatFree(side):
		return errors.New("the other player has not come: there is nobody for a rematch")
	case g.again != "" && l.games[g.again] != nil:
		return nil
	}
	if err := checkHex("hash", hash, 2*sha256.Size); err != nil {
		return err
	}
	next := &shared{
		from: g.from, first: side.Other(), hash: hash, tokens: [2]string{g.tokens[1], g.tokens[0]},
	}
	if err := next.beginSession(g.session.Rules(), 0); err != nil {
		return err
	}
	if err := l.addGame(next); err != nil {
		return err
	}
	g.again = next.id
	g.wakeWatchers()
	return nil
}

// Do answers a request about a game: "show", "join", "reveal", "move", "resign" or "rematch".
func (l *Games) Do(id, verb string, q *Request) (*State, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.removeExpired()
	g := l.games[id]
	if g == nil {
		return nil, ErrUnknown
	}
	if verb == "show" {
		return g.clientState(noSide), nil
	}
	if err := checkToken(q.Token); err != nil {
		return nil, err
	}
	side := g.sideOf(q.Token)
	var err error
	switch verb {
	case "join":
		side, err = g.joinClient(side, q)
	case "reveal":
		err = g.revealNonce(side, q.Nonce)
	case "move":
		err = g.makeMove(side, q.Turn, q.From)
	case "resign":
		err = g.resignGame(side)
	case "rematch":
		err = l.beginRematch(g, side, q.Hash)
	default:
		err = errors.New("unknown request (want show, join, reveal, move, resign or rematch)")
	}
	if err != nil {
		return nil, err
	}
	g.touched = l.now()
	return g.clientState(side), nil
}

// Watch adds a watcher to a game. next waits until the state differs from the last one that it
// returned, at first not at all; it returns nil after a time without a change. leave removes
// the watcher.
func (l *Games) Watch(id string) (next func(ctx context.Context, patience time.Duration) (*State, error), leave func(), err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	g := l.games[id]
	switch {
	case g == nil:
		return nil, nil, ErrUnknown
	case g.watching >= maxWatchers:
		return nil, nil, fmt.Errorf("%d browsers watch this game: no more can", maxWatchers)
	}
	count := func(by int) {
		g.watching += by
		g.wakeWatchers()
	}
	count(1)
	var seen chan struct{}
	next = func(ctx context.Context, patience time.Duration) (*State, error) {
		if seen != nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			select {
			case <-seen:
			case <-timer.C:
				return nil, nil
			case <-ctx.Done():
				return nil, ErrUnknown
			case <-l.Closed:
				return nil, ErrUnknown
			}
		}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if l.games[id] != g {
			return nil, ErrUnknown
		}
		seen = g.changed
		return g.clientState(noSide), nil
	}
	leave = func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		count(-1)
	}
	return next, leave, nil
}

// removeExpired removes games whose time is over. The caller holds the mutex.
func (l *Games) removeExpired() {
	now := l.now()
	for _, g := range l.games {
		most := idleTime
		switch {
		case g.session.Result() != record.Unfinished:
			most = endedTime
		case g.seatFree(noSide):
			most = waitingTime
		}
		if now.Sub(g.touched) > most {
			l.dropGame(g)
		}
	}
}
