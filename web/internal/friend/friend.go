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
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
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
	ErrFull = fmt.Errorf("%d games are being played here, or %d of your address: try again later",
		maxGames, maxPerAddress)
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

func parseSide(name string) (board.Side, error) {
	if i := slices.Index([]string{board.Light.String(), board.Dark.String()}, name); i >= 0 {
		return board.Side(i), nil
	}
	return 0, fmt.Errorf("side: %.20q (want light or dark)", name)
}

// tokenForm matches a token.
var tokenForm = text.Regexp(`^[0-9A-Za-z]{16,64}$`)

// checkToken rejects a token too short to be a secret, or not a plain word.
func checkToken(token string) error {
	if !tokenForm().MatchString(token) {
		return fmt.Errorf("token: %d bytes (want 16 to 64 letters and digits)", len(token))
	}
	return nil
}

const nonceDigits = 32 // nonce's length: 128 bits

// checkHex rejects a text other than a number of lower-case hexadecimal digits.
func checkHex(name, text string, digits int) error {
	if len(text) != digits || strings.Trim(text, "0123456789abcdef") != "" {
		return fmt.Errorf("%s: %.70q (want %d hexadecimal digits)", name, text, digits)
	}
	return nil
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

const noSide = board.Side(2) // side of a client without a seat

func (g *shared) sideOf(token string) board.Side {
	if side := slices.Index(g.tokens[:], token); side >= 0 {
		return board.Side(side)
	}
	return noSide
}

// seatFree reports whether a seat other than a side's is free.
func (g *shared) seatFree(but board.Side) bool {
	return g.tokens[board.Light] == "" && but != board.Light || g.tokens[board.Dark] == "" && but != board.Dark
}

// checkUnfinished rejects a finished game: it never changes.
func (g *shared) checkUnfinished() error {
	if g.session.Result() != record.Unfinished {
		return fmt.Errorf("the game is over (%s)", g.session.Result())
	}
	return nil
}

// joinClient gives a client the free seat, or its own, and takes its nonce for the dice.
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

func (g *shared) wakeWatchers() {
	g.version++
	close(g.changed)
	g.changed = make(chan struct{})
}

func (g *shared) clientState(side board.Side) *State {
	roll := -1
	if g.diceThrown() {
		roll = g.session.Turn().Roll
	}
	commit := sha256.Sum256(g.secret[:])
	s := &State{
		Schema: "ur.web-friend/2", ID: g.id, Version: g.version, View: game.ViewOf(g.session, roll),
		Seats: [2]bool{g.tokens[0] != "", g.tokens[1] != ""}, First: g.first.String(),
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
