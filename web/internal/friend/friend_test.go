package friend

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// Each roll has its share of the 16 values of four bits; with four dice it is their number of ones.
func TestRollsOfRuleSets(t *testing.T) {
	secret := []byte("secret")
	masters := testkit.Must(board.Lookup("masters"))(t)
	counts := map[int][5]int{} // by roll of Finkel's dice, those of Masters
	for turn := range 2000 {
		hash := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("secret"), uint64(turn)))
		four := Roll(board.Finkel(), secret, turn)
		testkit.MustEqual(t, four, bits.OnesCount8(hash[0]>>4), "turn %d: roll", turn)
		row := counts[four]
		row[Roll(masters, secret, turn)]++
		counts[four] = row
	}
	testkit.ErrorIf(t, counts[0][1] == 0 || counts[4][4] == 0 ||
		counts[0][2]+counts[0][3]+counts[0][4]+counts[4][1]+counts[4][2]+counts[4][3] > 0,
		"rolls of Masters by those of Finkel: %v", counts)
}

var (
	tokens = [2]string{strings.Repeat("a", 16), strings.Repeat("b", 32)}
	nonces = [2]string{strings.Repeat("12", 16), strings.Repeat("34", 16)}
)

// hashOf returns the SHA-256 hash of hexadecimal digits, in such digits.
func hashOf(digits string) string {
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(bytes)
	return hex.EncodeToString(hash[:])
}

// begun returns the games, with one of two players under a rule set.
func begun(t *testing.T, set string, pieces int) (*Games, *State) {
	t.Helper()
	l := NewGames()
	q := &Request{Token: tokens[0], Side: "light", Rules: set, Pieces: pieces, Hash: hashOf(nonces[0])}
	s := testkit.Must(l.Create("", q))(t)
	s = testkit.Must(l.Do(s.ID, "join", &Request{Token: tokens[1], Nonce: nonces[1]}))(t)
	testkit.ErrorIf(t, s.View.Roll != nil || len(s.View.Moves) > 0,
		"the dice are thrown before both nonces are known: %+v", s.View)
	return l, testkit.Must(l.Do(s.ID, "reveal", &Request{Token: tokens[0], Nonce: nonces[0]}))(t)
}

// turnOf returns the token of the side to move.
func turnOf(s *State) string {
	if s.View.Side == "light" {
		return tokens[0]
	}
	return tokens[1]
}

// A whole game: every request may be repeated, the secret is shown at the end only, and all
// rolls come from it.
func TestWholeGame(t *testing.T) {
	for _, set := range board.List() {
		t.Run(set.Name(), func(t *testing.T) { playWhole(t, set) })
	}
}

func playWhole(t *testing.T, set *board.Rules) {
	l, s := begun(t, set.Name(), 7) // of so many turns that each frequent roll comes
	random := rand.New(rand.NewPCG(1, 2))
	commit := s.Commit
	for s.View.Result == "unfinished" {
		testkit.MustEqual(t, s.Secret, "", "the secret during the game")
		turn := len(s.View.Turns)
		from := s.View.Moves[random.IntN(len(s.View.Moves))].From
		q := &Request{Token: turnOf(s), Turn: turn, From: from}
		s = testkit.Must(l.Do(s.ID, "move", q))(t)
		again := testkit.Must(l.Do(s.ID, "move", q))(t)
		testkit.MustEqual(t, len(again.View.Turns), len(s.View.Turns), "turns when a move is repeated")
	}
	secret, err := hex.DecodeString(s.Secret)
	hash := sha256.Sum256(secret)
	testkit.ErrorIf(t, err != nil || hex.EncodeToString(hash[:]) != commit || s.Commit != commit,
		"secret %q does not have the hash %s", s.Secret, commit)
	source := testkit.Must(hex.DecodeString(s.Secret + nonces[0] + nonces[1]))(t)
	counts := [5]int{}
	for i, turn := range s.View.Turns {
		counts[turn.Roll]++
		testkit.Equal(t, turn.Roll, Roll(set, source, i), "roll %d", i)
	}
	fourDice := set.Weight(0) > 0
	testkit.ErrorIf(t, fourDice && (counts[1] == 0 || counts[2] == 0 || counts[3] == 0), "the rolls are %v", counts)
	// The link of the game can be opened by a page.
	service := &game.Service{}
	answer, err := service.Answer(t.Context(), "show", []byte(`{"game":"`+s.View.Game+`"}`))
	testkit.ErrorIf(t, err != nil || answer.(*game.View).Result != s.View.Result, "%s: %v", s.View.Game, err)
}

// A rematch begins once, after the end, with the sides changed and new dice.
func TestRematch(t *testing.T) {
	l, s := begun(t, "", 3)
	ask := func(token string) *Request { return &Request{Token: token, Hash: hashOf(nonces[0])} }
	testkit.WantError(t, testkit.ErrorOf(l.Do(s.ID, "rematch", ask(tokens[0]))), "", "a rematch during the game")
	testkit.Must(l.Do(s.ID, "resign", &Request{Token: tokens[1]}))(t)
	testkit.WantErrorIs(t, testkit.ErrorOf(l.Do(s.ID, "rematch", ask(strings.Repeat("c", 16)))), ErrToken, "watcher")
	next, leave, err := l.Watch(s.ID)
	testkit.NoError(t, err)
	defer leave()
	testkit.Must(next(t.Context(), time.Minute))(t)
	first := testkit.Must(l.Do(s.ID, "rematch", ask(tokens[0])))(t)
	testkit.ErrorIf(t, first.Again == "", "the player is sent nowhere")
	testkit.Equal(t, testkit.Must(next(t.Context(), time.Minute))(t).Again, first.Again, "where watchers are sent")
	second := testkit.Must(l.Do(s.ID, "rematch", ask(tokens[1])))(t)
	testkit.Equal(t, second.Again, first.Again, "where the second player goes")
	for i, side := range []string{"dark", "light"} {
		again := testkit.Must(l.Do(first.Again, "join", &Request{Token: tokens[i], Nonce: nonces[1]}))(t)
		testkit.ErrorIf(t, again.Side != side || again.View.Pieces != 3 || again.View.Result != "unfinished" ||
			again.Commit == s.Commit || again.First != "dark", "player %d is %s in %+v", i, again.Side, again)
	}
}

// Requests of clients without the seat, too early, too late, or against the rules change nothing.
func TestRejectedRequests(t *testing.T) {
	l := NewGames()
	create := func(q Request) (*State, error) { return l.Create("", &q) }
	begin := Request{Token: tokens[0], Side: "light", Hash: hashOf(nonces[0])}
	s := testkit.Must(create(begin))(t)
	testkit.Equal(t, testkit.Must(create(begin))(t).ID, s.ID, "the game of a repeated request")
	move := func(token string, turn, from int) error {
		_, err := l.Do(s.ID, "move", &Request{Token: token, Turn: turn, From: from})
		return err
	}
	testkit.WantError(t, move(turnOf(s), len(s.View.Turns), 0), "", "a move before the other player came")
	reveal := func(token, nonce string) error {
		_, err := l.Do(s.ID, "reveal", &Request{Token: token, Nonce: nonce})
		return err
	}
	testkit.WantError(t, reveal(tokens[0], nonces[0]), "", "a nonce before the other player came")
	for _, nonce := range []string{"", nonces[0][1:], strings.Repeat("G", 32), strings.Repeat("AB", 16)} {
		_, err := l.Do(s.ID, "join", &Request{Token: tokens[1], Nonce: nonce})
		testkit.WantError(t, err, "", "the nonce %q", nonce)
	}
	s = testkit.Must(l.Do(s.ID, "join", &Request{Token: tokens[1], Nonce: nonces[1]}))(t)
	again := testkit.Must(l.Do(s.ID, "join", &Request{Token: tokens[1], Nonce: nonces[0]}))(t)
	testkit.ErrorIf(t, again.Side != "dark" || s.Side != "dark" || again.Nonces[1] != nonces[1],
		"the second player became %+v, want dark with the first nonce", again)
	stranger := strings.Repeat("c", 20)
	_, err := l.Do(s.ID, "join", &Request{Token: stranger, Nonce: nonces[1]})
	testkit.WantErrorIs(t, err, ErrSeats, "a third player")
	testkit.WantErrorIs(t, reveal(tokens[0], nonces[1]), errNonce, "a nonce of another hash")
	testkit.WantErrorIs(t, reveal(tokens[1], nonces[0]), ErrToken, "a nonce of the second player")
	testkit.WantError(t, move(turnOf(s), len(s.View.Turns), 0), "", "a move before the dice were thrown")
	s = testkit.Must(l.Do(s.ID, "reveal", &Request{Token: tokens[0], Nonce: nonces[0]}))(t)
	again = testkit.Must(l.Do(s.ID, "reveal", &Request{Token: tokens[0], Nonce: nonces[0]}))(t)
	testkit.Equal(t, again.View.Game, s.View.Game, "the game after a repeated reveal")
	other := tokens[0]
	if turnOf(s) == other {
		other = tokens[1]
	}
	n := len(s.View.Turns)
	for name, err := range map[string]error{
		"a stranger":      move(stranger, n, 0),
		"the other side":  move(other, n, s.View.Moves[0].From),
		"a later turn":    move(turnOf(s), n+1, s.View.Moves[0].From),
		"a negative turn": move(turnOf(s), -1, s.View.Moves[0].From),
		"an empty square": move(turnOf(s), n, 7),
		"a huge square":   move(turnOf(s), n, 1<<30),
	} {
		testkit.WantError(t, err, "", "the move of %s", name)
	}
	now := testkit.Must(l.Do(s.ID, "show", &Request{}))(t)
	testkit.Equal(t, []string{now.View.Game, now.Side}, []string{s.View.Game, ""}, "the game, and the side of a watcher")
	testkit.WantErrorIs(t, testkit.ErrorOf(l.Do(s.ID, "resign", &Request{Token: stranger})), ErrToken, "a stranger")
	s = testkit.Must(l.Do(s.ID, "resign", &Request{Token: tokens[1]}))(t)
	testkit.ErrorIf(t, s.View.Result != "dark resigned" || s.Secret == "", "after resigning: %q", s.View.Result)
	hash := begin.Hash
	for _, q := range []Request{{Hash: hash}, {Token: "short", Side: "light", Hash: hash},
		{Token: stranger, Side: "green", Hash: hash},
		{Token: stranger, Side: "light", Pieces: 8, Hash: hash},
		{Token: strings.Repeat("x", 65), Side: "dark", Hash: hash},
		{Token: "sixteen letters!", Side: "dark", Hash: hash}, {Token: stranger, Side: "dark"}, {Token: stranger, Side: "dark", Hash: hash[1:]}} {
		testkit.WantError(t, testkit.ErrorOf(create(q)), "", "%+v", q)
	}
}

// A game that is over never changes, whatever players, strangers and repeated requests attempt.
func TestEndIsFinal(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 25))
	asked := append(tokens[:], strings.Repeat("c", 16))
	ends := map[string]int{}
	for range 500 {
		l := NewGames()
		side := []string{"light", "dark"}[random.IntN(2)]
		s := testkit.Must(l.Create("", &Request{Token: tokens[0], Side: side, Pieces: 1, Hash: hashOf(nonces[0])}))(t)
		for i := range l.games[s.ID].secret { // the same dice in each run
			l.games[s.ID].secret[i] = byte(random.Uint32())
		}
		var end string
		for range 20 + random.IntN(60) {
			verb := []string{"join", "reveal", "move", "move", "move", "move", "resign", "rematch"}[random.IntN(8)]
			if verb == "resign" && random.IntN(4) > 0 {
				verb = "show"
			}
			q := &Request{Token: asked[random.IntN(len(asked))], Nonce: nonces[random.IntN(2)],
				Hash: hashOf(nonces[0]), Turn: len(s.View.Turns)}
			if len(s.View.Moves) > 0 && random.IntN(8) > 0 {
				q.Token = tokens[0]
				if s.View.Side != s.First {
					q.Token = tokens[1]
				}
				q.From = s.View.Moves[random.IntN(len(s.View.Moves))].From
			}
			l.Do(s.ID, verb, q) //nolint:errcheck // most requests are rejected
			s = testkit.Must(l.Do(s.ID, "show", &Request{}))(t)
			now := *s
			now.Again, now.Version, now.Watching = "", 0, 0
			switch text, err := json.Marshal(now); {
			case err != nil:
				t.Fatal(err)
			case end != "" && string(text) != end:
				t.Fatalf("%s after the end changed the game from\n%s\nto\n%s", verb, end, text)
			case s.View.Result != "unfinished" && end == "":
				end = string(text)
				ends[fmt.Sprintf("%s after dice: %t", s.View.Result, len(s.View.Turns) > 0)]++
			}
		}
	}
	testkit.Equal(t, len(ends), 6, "ends of games, four results and two kinds of resigning, of %v", ends)
}

// One address takes its own places only: its oldest game without a player and a connection makes
// room for another. When the server is full, the oldest of all does.
func TestGamesAreLimited(t *testing.T) {
	l := NewGames()
	now := time.Now()
	l.now = func() time.Time { return now }
	number := 0
	create := func(from string) (*State, error) {
		number++
		now = now.Add(time.Millisecond)
		return l.Create(from,
			&Request{Token: fmt.Sprintf("token%020d", number), Side: "light", Hash: hashOf(nonces[0])})
	}
	kept := testkit.Must(create("visitor"))(t)
	testkit.Must(l.Do(kept.ID, "join", &Request{Token: tokens[1], Nonce: nonces[1]}))(t)
	gone := testkit.Must(create("visitor"))(t)
	for range 3 * maxPerAddress {
		testkit.Must(create("visitor"))(t)
	}
	testkit.ErrorIf(t, len(l.games) != maxPerAddress || l.games[kept.ID] == nil || l.games[gone.ID] != nil,
		"%d games of one visitor, want %d with the one that has two players", len(l.games), maxPerAddress)
	var last *State
	for i := range 2 * maxGames {
		last = testkit.Must(create(fmt.Sprint("visitor ", i)))(t)
	}
	testkit.ErrorIf(t, len(l.games) != maxGames || l.games[kept.ID] == nil,
		"%d games, want %d with the one that has two players", len(l.games), maxGames)
	for id := range l.games {
		_, _, err := l.Watch(id)
		testkit.NoError(t, err)
	}
	testkit.WantErrorIs(t, testkit.ErrorOf(create("late")), ErrFull, "game %d, when all have connections", maxGames+1)
	for range maxWatchers - 1 {
		_, _, err := l.Watch(last.ID)
		testkit.NoError(t, err)
	}
	_, _, err := l.Watch(last.ID)
	testkit.WantError(t, err, "", "watcher %d of a game", maxWatchers+1)
	now = now.Add(idleTime + time.Second)
	testkit.WantErrorIs(t, testkit.ErrorOf(l.Do(last.ID, "show", &Request{})), ErrUnknown, "an expired game")
	testkit.Equal(t, len(l.games), 0, "games that are left")
}

// A watcher gets the state at once and after each change, and returns when the games are closed.
func TestWatch(t *testing.T) {
	l, s := begun(t, "", 7)
	next, leave, err := l.Watch(s.ID)
	testkit.NoError(t, err)
	first := testkit.Must(next(t.Context(), time.Hour))(t)
	testkit.FatalIf(t, first.Watching != 1 || first.Side != "", "the first state is %+v", first)
	testkit.Equal(t, testkit.Must(next(t.Context(), time.Millisecond))(t), nil, "the state without a change")
	go l.Do(s.ID, "move", &Request{Token: turnOf(s), Turn: len(s.View.Turns), From: s.View.Moves[0].From}) //nolint:errcheck // the next state shows it
	moved := testkit.Must(next(t.Context(), time.Hour))(t)
	testkit.ErrorIf(t, len(moved.View.Turns) <= len(s.View.Turns), "after a move: %+v", moved)
	leave()
	s = testkit.Must(l.Do(s.ID, "show", &Request{}))(t)
	testkit.Equal(t, s.Watching, 0, "watchers after the last has left")
	go l.Close()
	for err = nil; err == nil; {
		_, err = next(t.Context(), time.Hour)
	}
	l.Close()
}
