package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/friend"
)

// shownState is the part of a state of a game by a link that the check of the dice reads.
type shownState struct {
	ID      string         `json:"id"`
	Version int            `json:"version"`
	First   string         `json:"first"`
	Commit  string         `json:"commit"`
	Hash    string         `json:"hash"`
	Nonces  [2]string      `json:"nonces"`
	Secret  string         `json:"secret,omitempty"`
	View    map[string]any `json:"view"`
}

// shownGame is a game as one browser sees it.
type shownGame struct {
	Cheat  string            `json:"cheat"`
	Place  map[string]string `json:"place"` // of the browser; null for one that watches
	States []shownState      `json:"states"`

	me, other     int // 0 for Light; of a watcher, those of its own choice
	first         int
	secret        string
	more          string    // digits behind the secret
	nonces, shown [2]string // of the players, and as the host shows them
	rolls         []int
}

// drawing returns some random hexadecimal digits.
type drawing func(n int) string

// cheats are what a host, or a host and the other player together, can try. Each changes a game
// that is honest otherwise: before its states are shown, or in them.
var cheats = map[string]struct{ before, after func(*shownGame, drawing) }{
	"another secret for better rolls": {after: func(g *shownGame, digits drawing) { g.last().Secret = digits(64) }},
	"another secret with its hash":    {after: anotherSecret},
	"no secret":                       {after: func(g *shownGame, _ drawing) { g.last().Secret = "" }},
	"rolls of the host's choice": {after: func(g *shownGame, _ drawing) {
		g.setRoll(len(g.rolls)/2, 1, len(g.States))
	}},
	"one roll that a player sees first": {after: func(g *shownGame, _ drawing) { g.setRoll(0, 2, 4) }},
	"the number of the browser replaced": {before: func(g *shownGame, digits drawing) {
		g.nonces[g.me] = digits(32)
		g.shown = g.nonces
	}},
	"the number of the browser not used": {before: func(g *shownGame, digits drawing) {
		g.nonces[g.me] = digits(32)
		g.roll()
	}},
	"the other's number chosen at the end": {before: func(g *shownGame, digits drawing) {
		g.nonces[g.other] = digits(32)
		g.roll()
	}},
	"the other's number exchanged": {after: exchangedNumber},
	"dice before both numbers":     {after: func(g *shownGame, _ drawing) { g.States[1].View["roll"] = g.rolls[0] }},
	"the order of the players exchanged": {after: func(g *shownGame, _ drawing) {
		for i := range g.States[2:] {
			g.States[2+i].First = sideNames[1-g.first]
		}
	}},
	"rolls skipped": {before: func(g *shownGame, _ drawing) { g.rolls = slices.Delete(g.rolls, 3, 4) }},
	"a digit more of the secret": {
		before: func(g *shownGame, digits drawing) {
			for honest := slices.Clone(g.rolls); slices.Equal(g.rolls, honest); {
				g.more = digits(1)
				g.roll()
			}
		},
		after: func(g *shownGame, _ drawing) { g.last().Secret += g.more },
	},
	"the weights of the dice exchanged": {after: func(g *shownGame, _ drawing) {
		g.last().View["rules"] = map[string]any{"dice": []int{1, 4, 6, 4, 1}}
	}},
	"versions that fall, with rolls of the host's choice": {after: func(g *shownGame, _ drawing) {
		g.setRoll(len(g.rolls)/2, 1, len(g.States))
		g.States[0].Version = 1000
	}},
	"turns after the end": {after: func(g *shownGame, _ drawing) { g.endEarly(len(g.States) - 2) }},
	"dice after the end":  {after: func(g *shownGame, _ drawing) { g.endEarly(1) }},
	"another end": {after: func(g *shownGame, _ drawing) {
		g.States = append(g.States, *g.last())
		g.last().Version++
		g.last().View = maps.Clone(g.last().View)
		g.last().View["result"] = "dark"
	}},
}

var sideNames = [2]string{"light", "dark"}

// last returns the last state.
func (g *shownGame) last() *shownState { return &g.States[len(g.States)-1] }

// anotherSecret shows a secret with another hash, from the middle of the game on.
func anotherSecret(g *shownGame, digits drawing) {
	g.last().Secret = digits(64)
	for i := len(g.States) / 2; i < len(g.States); i++ {
		g.States[i].Commit = hashOf(g.last().Secret)
	}
}

// exchangedNumber shows another number of the other player at the end, with its hash.
func exchangedNumber(g *shownGame, digits drawing) {
	g.last().Nonces[g.other] = digits(32)
	if g.first == g.other {
		g.last().Hash = hashOf(g.last().Nonces[g.other])
	}
}

// setRoll changes a roll by some in the states up to one.
func (g *shownGame) setRoll(number, by, end int) {
	change := func(roll int) int { return (roll + by) % 5 }
	for _, s := range g.States[:end] {
		turns := s.View["turns"].([]map[string]int)
		if number < len(turns) {
			turns[number] = map[string]int{"roll": change(turns[number]["roll"])}
		} else if roll, ok := s.View["roll"].(int); ok && number == len(turns) {
			s.View["roll"] = change(roll)
		}
	}
}

// endEarly ends the game in a state that others follow.
func (g *shownGame) endEarly(state int) {
	s := &g.States[state]
	s.Secret, s.View["result"], s.View["roll"] = g.secret, "dark resigned", nil
}

// overtake shows some states again, later, as another window or a slow connection does.
func (g *shownGame) overtake(random *rand.Rand) {
	for range 3 {
		from := random.IntN(len(g.States))
		g.States = slices.Insert(g.States, from+random.IntN(len(g.States)-from)+1, g.States[from])
	}
}

// hashOf returns the SHA-256 hash of hexadecimal digits, in such digits.
func hashOf(digits string) string {
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(bytes)
	return hex.EncodeToString(hash[:])
}

// roll throws all dice of the game.
func (g *shownGame) roll() {
	source, err := hex.DecodeString((g.secret + g.more + g.nonces[0] + g.nonces[1])[:128])
	if err != nil {
		panic(err)
	}
	for i := range g.rolls {
		g.rolls[i] = friend.Roll(board.Finkel(), source, i)
	}
}

// newShownGame returns a game by a cheat, "" for none, as its states come to a browser.
func newShownGame(random *rand.Rand, number int, cheat string) *shownGame {
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0123456789abcdef"[random.IntN(16)])
		}
		return b.String()
	}
	g := &shownGame{Cheat: cheat, me: random.IntN(2), first: random.IntN(2), secret: digits(64),
		nonces: [2]string{digits(32), digits(32)}}
	g.other = 1 - g.me
	watches := number%5 == 4 && !strings.Contains(cheat, "of the browser")
	if !watches {
		g.Place = map[string]string{"side": sideNames[g.me], "nonce": g.nonces[g.me], "token": "t"}
	}
	g.rolls = make([]int, 10+random.IntN(150))
	g.roll()
	hash := hashOf(g.nonces[g.first])
	g.shown = g.nonces
	if change := cheats[cheat].before; change != nil {
		if strings.Contains(cheat, "chosen at the end") {
			g.first = g.other // who has given the hash, and not the number
			hash = hashOf(g.nonces[g.first])
		}
		change(g, digits)
		if strings.Contains(cheat, "chosen at the end") {
			g.shown = g.nonces
		}
	}
	g.show(number, hash)
	if change := cheats[cheat].after; change != nil {
		change(g, digits)
	}
	return g
}

// show makes the states: of the beginning, the two numbers, some turns, and the end.
func (g *shownGame) show(number int, hash string) {
	add := func(nonces [2]string, turns int, result string) {
		s := shownState{
			ID: fmt.Sprint("game", number), Version: len(g.States), First: sideNames[g.first],
			Commit: hashOf(g.secret), Hash: hash, Nonces: nonces,
		}
		list := []map[string]int{}
		for _, roll := range g.rolls[:max(turns, 0)] {
			list = append(list, map[string]int{"roll": roll})
		}
		s.View = map[string]any{"turns": list, "roll": nil, "result": result}
		if turns >= 0 && result == "unfinished" {
			s.View["roll"] = g.rolls[turns]
		}
		g.States = append(g.States, s)
	}
	second := [2]string{}
	second[1-g.first] = g.shown[1-g.first]
	add([2]string{}, -1, "unfinished")
	add(second, -1, "unfinished")
	for _, part := range []int{0, 1, 4, 5, 9} {
		add(g.shown, part*(len(g.rolls)-1)/9, "unfinished")
	}
	add(g.shown, len(g.rolls), "light")
	g.last().Secret = g.secret
}

// storages prepare a page for browsers that keep everything, nothing, or what was there before.
var storages = map[string]string{
	"kept":   ``,
	"denied": `Object.defineProperty(window, "localStorage", {get() { throw new DOMException("denied", "SecurityError") }})`,
	"full":   `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`,
}

// storagesOf returns the storage that denies everything, or with UR_LONG all.
func storagesOf() map[string]string {
	if testkit.Long() {
		return storages
	}
	return map[string]string{"denied": storages["denied"]}
}

// The check of the dice finds every host and every player that cheats in 42 games, with UR_LONG in 300,
// and accuses nobody in a third as many honest ones: with each kind of storage, with and without a reload of the page.
func TestBrowserFindsUnfairDice(t *testing.T) {
	t.Parallel()
	s := newServer(t, web.Config{})
	names := slices.Sorted(maps.Keys(cheats))
	games := testkit.Trials(56, 400)
	honest, batch := games/4, games/8
	for storage, script := range storagesOf() {
		t.Run(storage, func(t *testing.T) {
			t.Parallel()
			p := newTab(t)
			p.prepare(script)
			p.goTo(s.url("rules"), `document.querySelector(".rules")`)
			random := rand.New(rand.NewPCG(5, 22))
			missed, accused := map[string]int{}, 0
			for begin := 0; begin < games; begin += batch {
				var list []*shownGame
				for i := range batch {
					cheat := ""
					if begin >= honest {
						cheat = names[(begin+i)%len(names)]
					}
					g := newShownGame(random, begin+i, cheat)
					if i%2 == 0 && !strings.Contains(cheat, "end") {
						g.overtake(random)
					}
					list = append(list, g)
				}
				text := testkit.Must(json.Marshal(list))(t)
				verdicts := func(from, to string) []string {
					return eval[[]string](p, fmt.Sprintf(`import(location.origin + "/rest.js").then(({witness}) => %s.map((g) => {
						const half = g.states.length >> 1
						const verdict = g.states.slice(%s, %s).map((s) => witness(s, g.place)).pop()
						return verdict.fair + ": " + verdict.text
					}))`, text, from, to))
				}
				verdicts("0", "half")
				if begin/batch%2 == 0 {
					run(p, reload)
					p.wait(`document.querySelector(".rules")`)
				}
				for i, verdict := range verdicts("half", "undefined") {
					good := strings.HasPrefix(verdict, "good")
					switch {
					case list[i].Cheat == "" && !good:
						accused++
						t.Logf("an honest game is %s", verdict)
					case list[i].Cheat != "" && !strings.HasPrefix(verdict, "bad"):
						missed[list[i].Cheat]++
					}
				}
			}
			testkit.ErrorIf(t, accused > 0 || len(missed) > 0,
				"%d of %d honest games are found unfair, and these cheats are not: %v", accused, honest, missed)
		})
	}
}
