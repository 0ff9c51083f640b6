package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
)

// Two people play a whole game by a link in two browsers, of which one loses its connection in
// the middle of a move; a third watches. At the end the page verifies the dice.
func TestBrowserFriends(t *testing.T) {
	t.Parallel()
	s := newServer(t, web.Config{})
	light, dark, watcher := newTab(t), newTab(t), newTab(t)
	for _, p := range []tab{light, dark, watcher} {
		p.look(1280, 800, "light")
	}
	light.goTo(s.url("friend/new/light/1"))
	light.wait(`document.querySelector(".friend .status")?.textContent.includes("Waiting")`)
	link := eval[string](light, "location.href")
	testkit.WantText(t, light.text(".reach"), "Only this computer", "--addr 0.0.0.0:") // of the loopback address
	dark.goTo(link)
	dark.press("Take the free seat", `document.querySelector(".side")?.textContent.includes("You play Dark")`)
	watcher.goTo(link, `document.querySelector(".side")?.textContent.includes("You watch")`)
	light.wait(
		`document.querySelector(".friend .status") && !document.querySelector(".status").textContent.includes("Waiting")`)
	const friendOver = `document.querySelector(".status.over")`
	for moves := 0; ; moves++ {
		mover := light
		light.wait(turns + ` >= 0 && (` + friendOver +
			` || document.querySelector(".friend .status").textContent.includes(" rolled "))`)
		if eval[bool](light, "!!"+friendOver) {
			break
		}
		before := eval[int](light, turns)
		if !eval[bool](light, `document.querySelector(".friend .status").textContent.startsWith("You rolled")`) {
			mover = dark
			dark.wait(fmt.Sprintf(`%s === %d && document.querySelector(".choice")`, turns, before))
		}
		var mend func()
		if moves == 1 {
			mend = s.cut()
			mover.wait(`document.querySelector(".lost")`)
		}
		mover.keys("1")
		if mend != nil {
			time.Sleep(100 * time.Millisecond) // the request fails meanwhile
			mend()
		}
		light.wait(fmt.Sprintf(`%s || %s > %d`, friendOver, turns, before))
	}
	for _, p := range []tab{light, dark, watcher} {
		p.wait(`document.querySelector(".verified.good") && ` + friendOver)
	}
	a, b := eval[string](light, friendOver+".textContent"), eval[string](dark, friendOver+".textContent")
	testkit.ErrorIf(t, (a == "You won.") == (b == "You won."), "the results are %q and %q", a, b)
	light.accessible("a game by a link")
	// The same table as of all games: the analysis steps through the turns.
	light.panel("Analysis", `document.querySelector(".analysis table") && document.querySelector(".eval")`)
	light.keys("\u0302") // chromedp's left arrow
	light.wait(`document.querySelector(".status").textContent.startsWith("Turn ")`)
	light.panel("Link")

	// The rematch is one game for both, with the sides changed.
	light.press("Rematch", `document.querySelector(".side")?.textContent.includes("You play Dark")`)
	dark.wait(`document.querySelector(".side")?.textContent.includes("Your opponent offers a rematch")`)
	dark.press("Accept the rematch", `document.querySelector(".side")?.textContent.includes("You play Light")`)
	a, b = eval[string](light, "location.href"), eval[string](dark, "location.href")
	testkit.ErrorIf(t, a != b || a == link, "the players go to %s and %s from %s", a, b, link)
}

// Browsers that store nothing keep their seats over a reload, also one between the request of a
// rematch and its answer.
func TestBrowserFriendsReload(t *testing.T) {
	t.Parallel()
	for storage, script := range storagesOf() {
		t.Run(storage, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, web.Config{})
			light, dark := newTab(t), newTab(t)
			light.prepare(script)
			dark.prepare(script)
			const rolled = `document.querySelector(".friend .status")?.textContent.includes(" rolled ")`
			seat := func(p tab, side string) {
				t.Helper()
				p.wait(`document.querySelector(".side")?.textContent.includes("You play ` + side + `")`)
			}
			light.goTo(s.url("friend/new/light/1"))
			seat(light, "Light")
			run(light, reload)
			seat(light, "Light")
			dark.goTo(eval[string](light, "location.href"))
			dark.press("Take the free seat")
			for _, p := range []tab{light, dark} {
				p.wait(rolled)
				run(p, reload)
				p.wait(rolled)
			}
			dark.press("Resign")
			dark.click(".ask button")
			for _, p := range []tab{light, dark} {
				p.wait(`document.querySelector(".verified.good") && document.querySelector(".status.over")`)
			}
			eval[bool](light, `(() => {
				const ask = fetch
				fetch = (...question) => {
					ask(...question)
					return new Promise(() => {}) // the answer is lost
				}
			})(), true`)
			light.press("Rematch")
			dark.press("Accept the rematch")
			run(light, reload)
			light.press("Accept the rematch")
			seat(light, "Dark")
			seat(dark, "Light")
			light.wait(rolled)
			dark.wait(rolled)
		})
	}
}

// When the server was restarted, both players are told, and a new game is offered.
func TestBrowserFriendsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t, web.Config{})
	light, dark := newTab(t), newTab(t)
	light.goTo(s.url("friend/new/light/3/blitz"))
	light.wait(`document.querySelector(".friend .status")?.textContent.includes("Waiting")`)
	link := eval[string](light, "location.href")
	dark.goTo(link)
	dark.press("Take the free seat")
	dark.wait(`document.querySelector(".friend .status")?.textContent.includes(" rolled ")`)
	s.stop()
	light.wait(`document.querySelector(".lost")`)
	s.start(web.Config{})
	for _, p := range []tab{light, dark} {
		p.wait(
			`document.querySelector(".refused")?.textContent.includes("the server was restarted") && !document.querySelector(".lost")`)
	}
	light.click(".refused a")
	light.wait(
		`document.querySelector(".friend .status")?.textContent.includes("Waiting") && document.querySelector(".set").textContent.includes("Blitz")`)
	again := eval[string](light, "location.href")
	testkit.ErrorIf(t, again == link, "the new game has the link of the old one")
	// The old link says so to others, too.
	late := newTab(t)
	late.goTo(link, `document.querySelector(".refused a")`)
}

// Requests about games by a link that a stranger could send are answered without a failure of
// the server, and change no game.
func TestHostileFriends(t *testing.T) {
	s := newPage(t, web.Config{})
	game := friendGame(t, s)
	before := ask(s, "POST", game+"/show", "{}", nil).Body.String()
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	codes := map[int]int{}
	for range countRequests() {
		body := fmt.Sprintf(`{"token":%q,"side":%q,"pieces":%d,"turn":%s,"from":%s}`,
			pick("", "x", strings.Repeat("y", 40), strings.Repeat("z", 1000), "0123456789abcdeX"),
			pick("light", "dark", "", "both"), random.IntN(12)-2,
			pick("0", "-1", "99999999999", "1e9", "null"), pick("0", "14", "15", "-1", "99999999999", `"a"`))
		if random.IntN(3) == 0 {
			body = string(testkit.Damaged([]byte(body), random.Uint64()))
		}
		path := pick(game, game, "/api/friends/nothing", "/api/friends/%2e%2e",
			"/api/friends/"+strings.Repeat("a", 500)) + "/" +
			pick("show", "join", "reveal", "move", "resign", "nonsense")
		codes[ask(s, "POST", path, body, nil).Code]++
	}
	for code := range codes {
		testkit.ErrorIf(t, code >= 500, "%d requests were answered by %d", codes[code], code)
	}
	testkit.Equal(t, ask(s, "POST", game+"/show", "{}", nil).Body.String(), before, "the game")
	w := ask(s, "GET", "/api/friends/nothing/events", "", nil)
	testkit.Equal(t, w.Code, http.StatusNotFound, "code of the events of no game, with the answer %s", w.Body)
}
