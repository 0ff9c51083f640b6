package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// reload loads the page again.
var reload = chromedp.Reload()

// What waits for what.
const (
	ready = `document.querySelector(".said")?.dataset.busy === "false" && !document.querySelector(".lost")` // nothing goes on
	over  = `document.querySelector(".status.over")`
	begun = ready + ` && document.querySelector(".choice")` // a person may move
	turns = `Number(document.querySelector(".play")?.dataset.turns)`
)

// playOut plays a game to its end by the first move of each turn.
func (p tab) playOut() {
	p.Helper()
	for {
		p.wait(ready + ` && (document.querySelector(".choice") || ` + over + `)`)
		if eval[bool](p, "!!"+over) {
			return
		}
		p.click(".choice")
	}
}

// clickSquare clicks on a square of the editor.
func (p tab) clickSquare(name string) {
	p.Helper()
	const click = `[...document.querySelectorAll(".square")].find((b) => b.textContent.startsWith(%q)).click(), true`
	eval[bool](p, fmt.Sprintf(click, name+":"))
}

// A person plays a whole game by mouse, comes back to it after a reload, and goes on when
// the server was away.
func TestBrowserPlaysWholeGame(t *testing.T) {
	t.Parallel()
	p, s := openPage(t, 1280, 900, "g/1/11.0/human/greedy")
	for choice := 1; ; choice++ {
		p.wait(ready + ` && (document.querySelector(".choice") || ` + over + `)`)
		if eval[bool](p, "!!"+over) {
			testkit.FatalIf(t, choice <= 5, "the game is over before choice %d", choice)
			break
		}
		switch choice {
		case 3:
			game := eval[string](p, "location.hash")
			run(p, reload)
			p.wait(begun)
			testkit.MustEqual(t, eval[string](p, "location.hash"), game, "the game after a reload")
			testkit.FatalIf(t, !strings.HasPrefix(game, "#/g/1/11.0/human/greedy/"), "the game is %s", game)
		case 5:
			s.stop()
			p.click(".choice", `document.querySelector(".lost")`)
			s.start(web.Config{})
			p.wait(ready)
			continue
		}
		p.click(".choice")
	}
	p.wait(`document.querySelector(".analysis .graph polyline")`)
	testkit.WantText(t, eval[string](p, over+".textContent"), "won")
	// The game in the address is over for everybody who opens it.
	q := newTab(t)
	q.goTo(eval[string](p, "location.href"), over)
}

// A person plays by the keyboard alone, with UR_LONG a whole game, takes moves back, asks for hints, and
// begins another game.
func TestBrowserKeyboard(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 900, "g/1/3.0/human/level:1")
	p.wait(ready + ` && document.activeElement.classList.contains("choice")`)
	p.keys("h", `document.querySelector(".hints li") && document.querySelector(".choice .odds")`)
	p.keys("h")
	p.keys("\r") // the focus is on a piece
	p.wait(ready + " && (" + over + ` || document.activeElement.classList.contains("choice")) && ` + turns + " > 0")
	p.keys("u", ready+" && "+turns+" === 0")
	p.keys("r", ready+" && "+turns+" > 0")
	for turn := 0; turn < testkit.Trials(3, 1000) && !eval[bool](p, "!!"+over); turn++ {
		p.keys("1", ready+` && (document.querySelector(".choice") || `+over+`)`)
	}
	const form = `document.activeElement.matches(".side form select")`
	p.keys("n", form)
	eval[bool](p, `document.activeElement.blur(), true`)
	p.keys("n") // the form is open
	p.wait(form)
	p.keys("\t\t\t\t\r") // rules, side, player, pieces, the button
	p.wait(ready +
		` && document.activeElement.classList.contains("choice") && location.hash.includes("/human/level:4")`)
}

// A person plays with a finger on a small telephone, with UR_LONG a whole game, and takes the first move
// back; nothing is wider than the window.
func TestBrowserTouch(t *testing.T) {
	t.Parallel()
	p, s := newTab(t), newServer(t, web.Config{})
	p.goTo(s.url("g/1/3.0/human/level:1"))
	p.touchScreen(320, 640)
	const played = ready + " && (" + over + ` || document.querySelector(".choice"))`
	p.wait(played)
	p.tap(".choice")
	p.wait(played + " && " + turns + " > 0")
	p.tap(".actions button:not(:disabled)") // undo is the first
	p.wait(played + " && " + turns + " === 0")
	taps := 2
	for taps < testkit.Trials(5, 1000) && !eval[bool](p, "!!"+over) {
		before := eval[int](p, turns)
		p.tap(".choice")
		taps++
		p.wait(fmt.Sprintf("%s && (%s || %s > %d)", played, over, turns, before))
	}
	testkit.Equal(t, eval[int](p, "window.touched"), taps, "touches by taps")
	wide := eval[int](p, "document.documentElement.scrollWidth")
	testkit.ErrorIf(t, wide > 320, "the page is %d pixels wide in a window of 320", wide)
}

// A key that is pressed in the moment in which the page has drawn something means what is to
// be seen, not what was there before.
func TestBrowserKeysMeanWhatIsDrawn(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 900, "g/2/3.0/human/level:1", begun)
	p.whenDrawn(fmt.Sprintf(`
		step === 0 ? press("1") :
		step === 1 && %[2]s && %[1]s > 0 ? press("u") :
		step === 2 && %[2]s && %[1]s === 0 ? press("r") :
		step === 3 && %[2]s && %[1]s > 0`, turns, ready))
	n := eval[int](p, turns)
	testkit.ErrorIf(t, n == 0, "a move that was made, taken back and made again is not on the list")
}

// What somebody asks for in the moment in which a game ends is what is shown.
func TestBrowserKeysAtTheEnd(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 900, "g/1/3.0/human/level:1", begun)
	p.whenDrawn(fmt.Sprintf(`%s ? !press("n") : %s && document.querySelector(".choice") && press("1")`, over, ready))
	const asked = `new Promise((done) => setTimeout(() => done(!!document.querySelector(".side form")), 500))`
	testkit.ErrorIf(t, !eval[bool](p, asked), "a new game was asked for, and something else is shown")
}

// violation is what axe-core finds.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// axeCore is the accessibility checker that npm ci installs.
const axeCore = "internal/page/node_modules/axe-core/axe.min.js"

// accessible checks that the page is no wider than the window and, where axe-core is
// installed, that it finds no violation.
func (p tab) accessible(view string) {
	p.Helper()
	over := eval[int](p, "document.documentElement.scrollWidth - innerWidth")
	testkit.ErrorIf(p, over > 0, "%s: the page is %d pixels wider than the window", view, over)
	script, err := os.ReadFile(axeCore)
	if errors.Is(err, fs.ErrNotExist) {
		p.Logf("%s: not checked: axe-core is not installed: run npm ci in web/internal/page", view)
		return
	}
	testkit.NoError(p, err)
	run(p, chromedp.Evaluate[chromedp.Void](string(script)))
	found := eval[string](p, `axe.run({resultTypes: ["violations"]}).then((r) => JSON.stringify(r.violations))`)
	var violations []violation
	testkit.NoError(p, json.Unmarshal([]byte(found), &violations))
	for _, v := range violations {
		for _, n := range v.Nodes {
			p.Errorf("%s: %s: %s\n%s\n%s", view, v.ID, v.Help, n.HTML, n.Summary)
		}
	}
}

// middle returns a game between two people that has gone on for a while.
func middle(t *testing.T) string {
	service := game.Service{}
	verb, q := "new", game.Question{Light: "greedy", Dark: "level:3", Seed: 5}
	for {
		text := testkit.Must(json.Marshal(q))(t)
		answer := testkit.Must(service.Answer(t.Context(), verb, text))(t)
		v := answer.(*game.View)
		if v.Game = strings.Replace(v.Game, "greedy/level:3", "human/human", 1); len(v.Turns) > 20 {
			return v.Game
		}
		verb, q = "go", game.Question{Game: strings.Replace(v.Game, "human/human", "greedy/level:3", 1)}
	}
}

// Everybody can use the page: on the narrowest of telephones in the dark, with UR_LONG in light and dark at every size.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	testkit.SkipIf(t, testkit.ErrorOf(os.Stat(axeCore)) != nil,
		"axe-core is not installed: run npm ci in web/internal/page")
	p, s := newTab(t), newServer(t, web.Config{})
	type look struct {
		width, height int64
		colours       string
	}
	looks := []look{{320, 640, "dark"}}
	if testkit.Long() {
		looks = append(looks, look{1280, 900, "light"}, look{390, 844, "light"}, look{320, 640, "light"},
			look{390, 844, "dark"}, look{1280, 900, "dark"})
	}
	for _, look := range looks {
		p.look(look.width, look.height, look.colours)
		check := func(room, until string) {
			p.wait(until)
			p.accessible(fmt.Sprintf("%s, %d pixels wide, %s", room, look.width, look.colours))
		}
		p.goTo(s.url("g/"+middle(t)), begun)
		p.keys("h")
		check("a game with hints", `document.querySelector(".hints li")`)
		p.keys("h")
		p.panel("Analysis")
		check("analysis", `document.querySelector(".analysis table")`)
		p.keys("n")
		check("a new game", `document.querySelector(".side form")`)
		p.panel("Settings")
		check("settings", `document.querySelector(".side .tutor")`)
		p.goTo(s.url("friend/new/light/7"), `document.querySelector(".friend .choice, .friend .status")`)
		p.panel("Link")
		check("a game by a link", `document.querySelector(".friend .verified")`)
		p.goTo(s.url("puzzles"), `document.querySelector(".quiz .choice")`)
		p.press("Show the solution")
		check("puzzles", `document.querySelector(".quiz .lines li")`)
		if !testkit.Long() {
			continue
		}
		p.goTo(s.url("editor"))
		check("editor", `document.querySelector(".editor .square")`)
		eval[bool](p, storeGames+", true")
		p.goTo(s.url("games"))
		check("games", `document.querySelector(".games .chart")`)
		p.goTo(s.url("rules"))
		check("rules", `document.querySelector(".rules .keys")`)
		p.press("Show the introduction")
		check("introduction", `document.querySelector(".intro .choice")`)
		p.goTo(s.url("g/"+middle(t)), begun)
		p.panel("Share")
		check("sharing", `document.querySelector(".side input[readonly]")`)
		p.press("Resign")
		check("a question", `document.querySelector(".ask")`)
	}
}

// The picture of README.md shows the game of the picture of the terminal, after the same turns. Another
// browser draws other pixels, so nothing is compared.
func TestBrowserPicture(t *testing.T) {
	testkit.SkipIf(t, !*testkit.Update, "takes a picture with -update")
	p, _ := openPage(t, 1040, 690, "g/7/11.0/human/net/0000202303440250106320-304200742310006")
	p.wait(`document.body.innerText.includes("You rolled")`)
	time.Sleep(time.Second) // for the pieces to arrive
	testkit.NoError(t, os.WriteFile("../docs/plots/page.png", run(p, chromedp.CaptureScreenshot()), 0o644))
}

// A user begins a game under a rule set, with UR_LONG under each, and plays it to its end on the board of the
// rules; its link names them.
func TestBrowserRuleSets(t *testing.T) {
	testkit.SetHome(t, t.TempDir()) // no tables
	p, s := newTab(t), newServer(t, web.Config{})
	p.look(1280, 900, "light")
	for _, set := range board.List()[1:testkit.Trials(2, len(board.List()))] {
		p.goTo(s.url("g/1/3.0/human/human"), begun)
		p.press("New game", `document.querySelectorAll(".rules-choice option").length > 1`)
		p.choose(".rules-choice", set.Name())
		p.wait(fmt.Sprintf(`document.querySelector(".form").textContent.includes(%q)`, set.Definition().About))
		selects := `[...document.querySelectorAll(".form select")]`
		noTable := eval[bool](p, selects+`[2].querySelector("option[value='level:10']").disabled`)
		// Smaller games are solved at once.
		testkit.ErrorIf(t, !noTable && set.Pieces() > 3, "%s offers perfect play without a table", set.Name())
		eval[bool](p,
			selects+`.forEach((e, i) => i < 2 || (e.value = ["greedy", "1"][i - 2], e.dispatchEvent(new Event("change", {bubbles: true})))), true`)
		p.press("Begin")
		p.wait(fmt.Sprintf(`%s && location.hash.endsWith("/%s") && document.querySelector(".choice, .status.over")`,
			ready, set.Name()))
		tiles := 0
		for column := range set.Columns() {
			for row := range set.Rows() {
				if set.Definition().Board[column][row] == '#' {
					tiles++
				}
			}
		}
		testkit.Equal(t, eval[int](p, `document.querySelectorAll(".tile").length`), tiles, "%s: tiles", set.Name())
		p.keys("p")
		p.wait(fmt.Sprintf(`document.querySelector(".path.dark")?.points.numberOfItems === %d`, set.Finish()+1))
		p.keys("p")
		p.press("Hints", `document.querySelector(".hints, .table .note")`)
		p.press("Hints")
		p.playOut()
		game := eval[string](p, "location.hash")
		testkit.ErrorIf(t, !regexp.MustCompile(`^#/g/1/.*/human/greedy/`).MatchString(game),
			"the game of %s is %s", set.Name(), game)
		p.wait(`document.querySelector(".analysis table, .side > .note")`)
	}
}

// The editor draws the board of other rules, and a position under them is played.
func TestBrowserEditorOfRuleSets(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "editor", `document.querySelectorAll(".rules-choice option").length > 1`)
	p.choose(".rules-choice", "blitz")
	p.wait(`document.querySelectorAll(".square").length === 20`)
	for range 2 { // A7 is Light's last square, and the twelfth of Dark
		p.clickSquare("A7")
	}
	p.wait(`document.querySelector(".editor input[readonly]").value === "5:................:0 4:...........D....:0 L"`)
	p.press("Play", ready+` && location.hash.endsWith("/5:................:0_4:...........D....:0_L/blitz")`)
}

// BenchmarkPage measures how long a browser takes to paint the page for the first time, from a
// server on the same machine and without a cache.
func BenchmarkPage(b *testing.B) {
	s := newServer(b, web.Config{})
	sum := 0.0
	for range b.N {
		p := newTab(b)
		p.look(1280, 800, "light")
		p.goTo(s.http.URL+"/", `performance.getEntriesByName("first-contentful-paint").length > 0`)
		sum += eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/first-paint")
	b.ReportMetric(0, "ns/op")
}
