// Package friend holds the games of two people by a link, whose dice neither the server nor a
// player can choose. The rolls of a game follow from three numbers: a secret of the server and a
// nonce of each browser. They become known in an order that binds everyone before the last:
//
//  1. The first player begins the game with the SHA-256 hash of its nonce, and the server answers
//     with that of its secret.
//  2. The second player sees both hashes, and joins with its nonce.
//  3. The first player sees the nonce of the second, and reveals its own. The dice are thrown.
//
// After the game the server shows its secret, and each page checks all of it against what it saw
// first; see web/internal/page/src/fair.ts. A participant can refuse to go on, and no more.
//
// A client holds a seat by a token of its own choice and repeats a request whose answer was
// lost: a request that was carried out already is recognised and answered again. So a lost
// connection loses no move.
package friend

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// Limits of games.
const (
	maxGames      = 500
	maxPerAddress = 40 // games that one address created
	maxWatchers   = 32 // bound for one game
	maxTurns      = 6000

	waitingTime = 30 * time.Minute // until a game without a second player expires
	idleTime    = 12 * time.Hour   // until a game without a move expires
	endedTime   = time.Hour        // until a game that is over expires
)

// Errors of requests.
var (
	ErrFull    = fmt.Errorf("%d games are being played here, or %d of your address: try again later", maxGames, maxPerAddress)
	ErrUnknown = errors.New("no game has this link here: the server was restarted, or the game has expired")
	ErrSeats   = errors.New("both seats are taken: you can watch")
	ErrToken   = errors.New("this browser has no seat in the game")
	errNonce   = errors.New("nonce: does not have the hash that this browser began the game with")
)

// Request is a request about a game.
type Request struct {
	Token  string `json:"token"`  // secret of the client for its seat, 16 to 64 letters and digits
	Side   string `json:"side"`   // creator's side: light or dark
	Rules  string `json:"rules"`  // name of a rule set; "" means Finkel's
	Pieces int    `json:"pieces"` // 0 means those of the rule set
	Hash   string `json:"hash"`   // SHA-256 hash of the nonce of the client that begins the game, in hexadecimal digits
	Nonce  string `json:"nonce"`  // random number of the client for the dice, 32 hexadecimal digits
	Turn   int    `json:"turn"`   // number of the move, from 0: turns before it
	From   int    `json:"from"`   // square of the piece to move
}

// State is the state of a game.
type State struct {
	Schema   string     `json:"schema"`           // ur.web-friend/2
	ID       string     `json:"id"`               // ID in the link
	Version  int        `json:"version"`          // number of changes; a client ignores older states
	View     *game.View `json:"view"`             // form of ur.web-game/1; the game's link holds the rolls, not their source
	Seats    [2]bool    `json:"seats"`            // whether Light's and Dark's are taken
	First    string     `json:"first"`            // side that began the game, and reveals its nonce last
	Commit   string     `json:"commit"`           // SHA-256 hash of the secret, in hexadecimal digits
	Hash     string     `json:"hash"`             // hash that the first player committed its nonce to
	Nonces   [2]string  `json:"nonces"`           // Light's and Dark's, "" before they are given
	Secret   string     `json:"secret,omitempty"` // server's secret, 64 hexadecimal digits, after the game
	Watching int        `json:"watching"`         // number of connections
	Again    string     `json:"again,omitempty"`  // ID of the rematch
	Side     string     `json:"side,omitempty"`   // client's side: light or dark
}

// Games holds the games. It is safe for concurrent use.
type Games struct {
	mutex  sync.Mutex
	games  map[string]*shared
	closed chan struct{}
	now    func() time.Time
}

// NewGames returns no games.
func NewGames() *Games {
	return &Games{games: map[string]*shared{}, closed: make(chan struct{}), now: time.Now}
}

// shared is a game. The mutex of [Games] guards it.
type shared struct {
	id       string
	from     string // address of its creator
	secret   [sha256.Size]byte
	first    board.Side
	hash     string           // hash that the first player committed its nonce to
	nonces   [2]string        // "" before they are given
	tokens   [2]string        // "" for a free seat
	again    string           // id of the rematch; "" for none
	session  *session.Session // between two people
	touched  time.Time
	watching int
	version  int           // number of changes
	changed  chan struct{} // closed by the next change
}

// Close ends the waiting of all watchers.
func (l *Games) Close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
}

// Closed is closed when the games are.
func (l *Games) Closed() <-chan struct{} { return l.closed }

// Create creates a game in which the client has a seat, from an address. The same request
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
	g.id, g.touched, g.changed = newID(), l.now(), make(chan struct{})
	rand.Read(g.secret[:]) //nolint:errcheck // it never fails
	l.games[g.id] = g
	return nil
}

// makeRoom reports whether there is room for a game from an address. If need be it drops the
// oldest game of the address, or of all, that has no connection and waits for a second player or
// is over. The caller holds the mutex.
func (l *Games) makeRoom(from string) bool {
	own := 0
	var oldest, oldestOwn *shared
	older := func(g, than *shared) *shared {
		if g.watching > 0 || g.session.Result() == record.Unfinished && !g.seatFree(noSide) || than != nil && !g.touched.Before(than.touched) {
			return than
		}
		return g
	}
	for _, g := range l.games {
		oldest = older(g, oldest)
		if g.from == from {
			own++
			oldestOwn = older(g, oldestOwn)
		}
	}
	if own < maxPerAddress && len(l.games) < maxGames {
		return true
	}
	if own >= maxPerAddress {
		oldest = oldestOwn
	}
	if oldest == nil {
		return false
	}
	l.dropGame(oldest)
	return true
}

// dropGame removes a game. The caller holds the mutex.
func (l *Games) dropGame(g *shared) {
	delete(l.games, g.id)
	g.wakeWatchers()
}

// beginRematch begins the game after one that is over, in which the players change sides. A repeated
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
			case <-l.closed:
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

// noSide is the side of a client without a seat.
const noSide = board.Side(2)

// sideOf returns the side of a token.
func (g *shared) sideOf(token string) board.Side {
	for side, t := range g.tokens {
		if t == token {
			return board.Side(side)
		}
	}
	return noSide
}

// seatFree reports whether another seat than that of a side is free.
func (g *shared) seatFree(but board.Side) bool {
	return g.tokens[board.Light] == "" && but != board.Light || g.tokens[board.Dark] == "" && but != board.Dark
}

// checkUnfinished rejects a game that is over, which never changes.
func (g *shared) checkUnfinished() error {
	if g.session.Result() != record.Unfinished {
		return fmt.Errorf("the game is over (%s)", g.session.Result())
	}
	return nil
}

// joinClient gives a client the free seat, or the one that it has, and takes its nonce for the dice.
func (g *shared) joinClient(side board.Side, q *Request) (board.Side, error) {
	if side == noSide && !g.seatFree(noSide) {
		return noSide, ErrSeats
	}
	if side == g.first {
		return side, nil // its nonce follows by reveal
	}
	if err := checkHex("nonce", q.Nonce, nonceDigits); err != nil {
		return noSide, err
	}
	if side != noSide && g.nonces[side] != "" {
		return side, nil
	}
	if err := g.checkUnfinished(); err != nil {
		return noSide, err
	}
	side = g.first.Other()
	g.tokens[side], g.nonces[side] = q.Token, q.Nonce
	g.wakeWatchers()
	return side, nil
}

// revealNonce takes the nonce of the first player, which must have the hash that it began with, and
// throws the dice.
func (g *shared) revealNonce(side board.Side, nonce string) error {
	switch {
	case side == noSide || side != g.first:
		return ErrToken
	case g.nonces[side.Other()] == "":
		return errors.New("the other player has not come yet")
	case g.nonces[side] != "":
		return nil
	}
	if err := checkHex("nonce", nonce, nonceDigits); err != nil {
		return err
	}
	bytes, err := hex.DecodeString(nonce)
	if hash := sha256.Sum256(bytes); err != nil || hex.EncodeToString(hash[:]) != g.hash {
		return errNonce
	}
	if err := g.checkUnfinished(); err != nil {
		return err
	}
	g.nonces[side] = nonce
	if err := g.beginSession(g.session.Rules(), 0); err != nil { // the rolls are known
		return err
	}
	g.passTurns()
	g.wakeWatchers()
	return nil
}

// makeMove makes a move, unless the same one was made already.
func (g *shared) makeMove(side board.Side, turn, from int) error {
	if side == noSide {
		return ErrToken
	}
	if !g.diceThrown() {
		return errors.New("the dice wait for the numbers of both players")
	}
	steps := g.session.Steps()
	if turn >= 0 && turn < len(steps) && steps[turn].Side() == side && int(steps[turn].Turn().From) == from {
		return nil
	}
	if err := g.checkUnfinished(); err != nil {
		return err
	}
	switch {
	case turn != len(steps):
		return fmt.Errorf("turn %d is not the next one (want %d)", turn, len(steps))
	case g.session.Position().Turn() != side:
		return fmt.Errorf("it is the turn of %s", side.Other())
	}
	choice := slices.IndexFunc(g.session.Turn().Moves, func(m board.Move) bool { return int(m.From) == from })
	if choice < 0 {
		return fmt.Errorf("no piece on square %d can move by %d", from, g.session.Turn().Roll)
	}
	if err := g.session.Move(choice); err != nil {
		return err
	}
	g.passTurns()
	g.wakeWatchers()
	return nil
}

// resignGame ends the game.
func (g *shared) resignGame(side board.Side) error {
	if side == noSide {
		return ErrToken
	}
	if g.session.Result() == record.Unfinished {
		if err := g.session.Resign(side); err != nil {
			return err
		}
		g.wakeWatchers()
	}
	return nil
}

// beginSession begins the session. Its rolls count once the dice are thrown.
func (g *shared) beginSession(set *board.Rules, pieces int) (err error) {
	g.session, err = session.New(context.Background(), session.Setup{
		Players: [2]string{session.Person, session.Person}, Rules: set, Pieces: pieces,
		Rolls: func(turn int) int { return Roll(set, g.rollSource(), turn) },
	})
	return err
}

// diceThrown reports whether the dice are thrown: both nonces are known.
func (g *shared) diceThrown() bool { return g.nonces[board.Light] != "" && g.nonces[board.Dark] != "" }

// passTurns passes until a side can move or the game is over. A game of too many turns is abandoned.
func (g *shared) passTurns() {
	for g.session.Phase() != session.Over {
		if len(g.session.Steps()) >= maxTurns {
			g.session.Abandon()
		}
		if g.session.Pass() != nil {
			return
		}
	}
}

// rollSource returns the source of the rolls: the secret and the nonces of Light and Dark.
func (g *shared) rollSource() []byte {
	nonces, _ := hex.DecodeString(g.nonces[board.Light] + g.nonces[board.Dark]) // they were checked
	return append(g.secret[:], nonces...)
}

// Roll returns roll number turn of a source, from the first four bits of the SHA-256 hash of the
// source followed by the number in eight bytes, the most significant first. With four two-sided
// dice it is the number of ones. In general the 16 values of four bits are sorted by their number
// of ones, then by value, and each roll has its share of them in ascending order. The dice of
// package board will not do here: their seed could be found from the first rolls.
func Roll(r *board.Rules, source []byte, turn int) int {
	hash := sha256.Sum256(binary.BigEndian.AppendUint64(slices.Clone(source), uint64(turn)))
	order := make([]uint8, 16)
	for i := range order {
		order[i] = uint8(i)
	}
	slices.SortStableFunc(order, func(a, b uint8) int { return cmp.Compare(bits.OnesCount8(a), bits.OnesCount8(b)) })
	place, roll := slices.Index(order, hash[0]>>4)*r.WeightSum()/len(order), 0
	for ; place >= r.Weight(roll); roll++ {
		place -= r.Weight(roll)
	}
	return roll
}

// wakeWatchers wakes the watchers.
func (g *shared) wakeWatchers() {
	g.version++
	close(g.changed)
	g.changed = make(chan struct{})
}

// clientState returns the state for a client.
func (g *shared) clientState(side board.Side) *State {
	roll := -1
	if g.diceThrown() {
		roll = g.session.Turn().Roll
	}
	commit := sha256.Sum256(g.secret[:])
	s := &State{
		Schema: "ur.web-friend/2", ID: g.id, Version: g.version, View: game.ViewOf(g.session, roll), Seats: [2]bool{g.tokens[0] != "", g.tokens[1] != ""}, First: g.first.String(),
		Commit: hex.EncodeToString(commit[:]), Hash: g.hash, Nonces: g.nonces, Watching: g.watching, Again: g.again,
	}
	if g.session.Result() != record.Unfinished {
		s.Secret = hex.EncodeToString(g.secret[:])
	}
	if side != noSide {
		s.Side = side.String()
	}
	return s
}

// parseSide returns the side of a name.
func parseSide(name string) (board.Side, error) {
	for _, side := range []board.Side{board.Light, board.Dark} {
		if side.String() == name {
			return side, nil
		}
	}
	return 0, fmt.Errorf("side: %.20q (want light or dark)", name)
}

// checkToken rejects a token that is too short to be a secret, or not a plain word.
func checkToken(token string) error {
	const least, most = 16, 64
	letter := func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' }
	if len(token) < least || len(token) > most || strings.ContainsFunc(token, func(r rune) bool { return !letter(r) }) {
		return fmt.Errorf("token: %d bytes (want %d to %d letters and digits)", len(token), least, most)
	}
	return nil
}

// nonceDigits is a nonce's length: 128 bits.
const nonceDigits = 32

// checkHex rejects a text other than a number of lower-case hexadecimal digits.
func checkHex(name, text string, digits int) error {
	if len(text) != digits || strings.Trim(text, "0123456789abcdef") != "" {
		return fmt.Errorf("%s: %.70q (want %d hexadecimal digits)", name, text, digits)
	}
	return nil
}

// newID returns the part of a link that names a game: 80 random bits, which cannot be guessed.
func newID() string {
	var random [10]byte
	rand.Read(random[:]) //nolint:errcheck // it never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(random[:]))
}
