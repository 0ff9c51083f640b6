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
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
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
