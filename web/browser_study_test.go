package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/web"
)

// The names of the squares stand at the edge of the board, numbers of the path only on request,
// and pointing at a named move lights its squares.
func TestBrowserCoordinates(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "g/"+middle(t), ready+` && document.querySelector(".move")`)
	testkit.Equal(t, strings.Join(p.texts(".coordinates text"), ""), "ABC12345678", "coordinates")
	testkit.ErrorIf(t, eval[bool](p, `!!document.querySelector(".numbers, .path")`),
		"paths or their numbers are shown before the user asked")
	p.panel("Settings", `document.querySelectorAll(".switch input").length > 1`)
	eval[bool](p, `document.querySelectorAll(".switch input")[1].click(), true`)
	p.wait(`document.querySelectorAll(".numbers text").length === 28`)
	p.panel("Moves", `document.querySelector(".move")`)
	stops := eval[int](p, `document.querySelectorAll(".moves .move[tabindex='0']").length`)
	testkit.Equal(t, stops, 1, "tab stops of the list of moves")
	const lit = `!!document.querySelector(".walk") && !document.activeElement.classList.contains("choice")`
	testkit.ErrorIf(t, eval[bool](p, lit), "squares are lit before the user points at a move")
	eval[bool](p, `[...document.querySelectorAll(".move")].find((m) => m.textContent.includes("-")).focus(), true`)
	p.wait(`document.querySelectorAll(".walk rect").length === 2`)
	p.panel("Analysis", `document.querySelector(".analysis") && !document.querySelector(".walk")`)
}

// Without a table, perfect players are disabled with the reason in words, and games of fewer
// pieces offer them.
func TestBrowserWithoutTable(t *testing.T) {
	t.Parallel()
	p, s := newTab(t), newServer(t, web.Config{})
	p.prepare(`
	const ask = fetch
	fetch = async (path, ...rest) => {
		const answer = await ask(path, ...rest)
		if (path !== "api/about") return answer
		const about = await answer.json()
		const finkel = about.rules.find((r) => r.name === "finkel")
		for (const p of finkel.players) if (p.name === "perfect" || p.name === "level:10") {
			p.most = 5
			p.why = "It needs the table of the complete solution."
		}
		return new Response(JSON.stringify(about))
	}`)
	p.goTo(s.url("g/"+middle(t)), ready)
	p.press("New game")
	const disabled = `[...document.querySelectorAll(".side option:disabled")].map((o) => o.value).join()`
	p.wait(disabled + ` === "level:10,perfect"`)
	testkit.WantText(t, p.text(".side form"), "It needs the table of the complete solution.")
	p.choose(".side label:nth-of-type(4) select", "5")
	p.wait(disabled + ` === ""`)
	twice := eval[int](p, `(() => { const all = [...document.querySelectorAll(".side form label:nth-of-type(3) option")].map((o) => o.textContent)
		return all.length - new Set(all).size })()`)
	testkit.ErrorIf(t, twice > 0, "%d players are offered twice", twice)
}

// The analysis steps through the turns by keys, shows the played and the best move, keeps the
// board in view, and opens variations to which the user can return.
func TestBrowserAnalysis(t *testing.T) {
	t.Parallel()
	game := middle(t)
	p, _ := openPage(t, 1280, 800, "g/"+game, begun)
	before := eval[int](p, turns)
	p.panel("Analysis")
	p.wait(
		`document.querySelector(".analysis .marked .mistake, .analysis .marked .blunder") && document.querySelector(".lines li") && document.querySelector(".eval")`)
	judge := p.text(".judge")
	testkit.ErrorIf(t, !strings.HasPrefix(judge, "Exact") && !strings.HasPrefix(judge, "Estimated"),
		"the judge is %q", judge)
	eval[bool](p, `document.querySelector(".marked .mistake, .marked .blunder").closest("button").click(), true`)
	p.wait(
		`document.querySelector(".arrow.played") && document.querySelector(".arrow.best") && document.querySelector(".lines .played")`)
	eval[bool](p, `document.querySelector(".lines .why summary").click(), true`)
	p.wait(`document.querySelector(".lines .why[open] li .figure")`)
	eval[bool](p, `document.querySelector(".brain summary").click(), true`)
	p.wait(`document.querySelector(".brain img").naturalWidth > 0`)
	status := p.text(".status")
	p.keys("\u0302") // chromedp's left arrow
	p.wait(fmt.Sprintf(`document.querySelector(".status").textContent !== %q`, status))
	p.keys("\u0303", fmt.Sprintf(`document.querySelector(".status").textContent === %q`, status))
	eval[bool](p, `scrollTo(0, 1e6), true`)
	testkit.ErrorIf(t, !eval[bool](p, inView), "the board is out of view at the end of the analysis")
	p.press("Play on from here")
	p.wait(fmt.Sprintf(`%s && %s < %d && document.querySelector(".choice")`, ready, turns, before))
	branched := eval[int](p, turns)
	// Another move than the one of the first line.
	eval[bool](p, `(async () => {
		const choices = document.querySelectorAll(".choice")
		choices[choices.length - 1].click()
	})(), true`)
	p.wait(fmt.Sprintf(`%s && %s > %d`, ready, turns, branched))
	p.panel("Moves")
	if strings.HasPrefix(eval[string](p, "location.hash"), "#/g/"+game[:len(game)-before+branched+1]) {
		p.keys("u") // it was the same move
		p.wait(fmt.Sprintf(`%s && %s === %d`, ready, turns, branched))
		p.click(".choice", fmt.Sprintf(`%s && %s > %d`, ready, turns, branched))
	}
	// News of the game are not shown beside the board of an earlier turn.
	p.wait(`document.querySelector(".said").textContent !== ""`)
	p.click(".move")
	p.wait(
		`document.querySelector(".status").textContent.startsWith("Turn 1 ") && document.querySelector(".said").textContent === ""`)
	p.wait(`document.querySelector(".variation")`)
	p.click(".variation", fmt.Sprintf(`%s && %s === %d`, ready, turns, before))
}

// inView reports whether the whole board is inside the window.
const inView = `(() => {
	const r = document.querySelector(".board").getBoundingClientRect()
	return r.top >= -1 && r.left >= -1 && r.bottom <= innerHeight + 1 && r.right <= innerWidth + 1
})()`

// A user replays the mistakes of a game as puzzles.
func TestBrowserLearnsFromMistakes(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "g/"+middle(t), ready)
	p.panel("Analysis")
	p.press("Learn from", `document.querySelector(".quiz .choice")`)
	testkit.WantText(t, p.text(".status"), "Find a better move")
	answer := ""
	for i := 0; !eval[bool](p, `!!document.querySelector(".quiz.done")`); i++ {
		p.keys(fmt.Sprint(i+1), fmt.Sprintf(`document.querySelector(".answer").textContent !== %q`, answer))
		answer = p.text(".answer")
	}
	p.wait(`document.querySelector(".answer").textContent.includes("right") && document.querySelector(".quiz .lines")`)
	p.press("Back to the game", ready)
}

// The tutor warns before a move that loses more than the chosen points, and resigning asks.
func TestBrowserAsksFirst(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "g/"+middle(t), ready+` && document.querySelectorAll(".choice").length > 1`)
	before := eval[int](p, turns)
	p.panel("Settings", `document.querySelector(".tutor")`)
	p.choose(".tutor", "1")
	p.keys("h", `document.querySelector(".choice .odds")`)
	worst := `[...document.querySelectorAll(".choice")].sort((a, b) => parseFloat(a.querySelector(".odds").textContent) - parseFloat(b.querySelector(".odds").textContent))[0]`
	eval[bool](p, worst+`.click(), true`)
	p.wait(`document.querySelector(".ask")?.textContent.includes("points")`)
	p.press("Choose another move", `!document.querySelector(".ask")`)
	testkit.Equal(t, eval[int](p, turns), before, "turns after a move that was not confirmed")
	p.press("Resign", `document.querySelector(".ask")`)
	p.press("Play on", `!document.querySelector(".ask")`)
	p.press("Resign", `document.querySelector(".ask")`)
	p.click(".ask button", over)
	text := eval[string](p, over+".textContent")
	testkit.ErrorIf(t, text != "Dark resigned. Light won." && text != "Light resigned. Dark won.",
		"the result is %q", text)
}

// The board fills a large window, names the rules, and leaves the words beside the piles readable.
func TestBrowserFillsWindow(t *testing.T) {
	t.Parallel()
	p, s := newTab(t), newServer(t, web.Config{})
	for _, size := range [][2]int64{{1280, 800}, {1920, 1080}}[:testkit.Trials(1, 2)] {
		p.look(size[0], size[1], "light")
		p.goTo(s.url(fmt.Sprintf("g/7/%d.0/human/human", size[0]))) // another game: not that of a first visit
		p.wait(begun)
		part := eval[float64](p, `document.querySelector(".table").getBoundingClientRect().bottom / innerHeight`)
		testkit.Near(t, part, 0.875, 0.125, "%dx%d: where the table ends, as a part of the window", size[0], size[1])
		testkit.Equal(t, p.text(".seat .set"), "Rules: Finkel", "the rules' name")
		hidden := eval[int](p, `(() => {
			const words = [...document.querySelectorAll(".gap text")].map((e) => e.getBoundingClientRect())
			const pieces = [...document.querySelectorAll(".piece .body")].map((e) => e.getBoundingClientRect())
			return words.filter((w) => pieces.some((p) => p.bottom > w.top + w.height / 3 && p.top < w.bottom && p.left < w.right && p.right > w.left)).length
		})()`)
		testkit.ErrorIf(t, hidden > 0, "%dx%d: %d words are hidden by pieces", size[0], size[1], hidden)
		p.keys("h", `document.querySelector(".side .hints li")`)
		testkit.ErrorIf(t, !eval[bool](p, strings.Replace(inView, ".board", ".actions", 1)),
			"%dx%d: hints push the actions out of the window", size[0], size[1])
		p.keys("h")
	}
}

// Of a game between programs, the page says the last turns only.
func TestBrowserRemarksAreShort(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "g/3/9.0/greedy/level:1", ready+" && "+over)
	said := eval[string](p, `document.querySelector(".said").textContent`)
	testkit.ErrorIf(t, strings.Count(said, " rolled ") > 3, "remarks: %q", said)
}

// On a phone the board and the actions fit the window without scrolling, and in the analysis
// the board stays in view.
func TestBrowserFitsPhone(t *testing.T) {
	t.Parallel()
	p, s := newTab(t), newServer(t, web.Config{})
	for _, size := range [][2]int64{{360, 640}, {390, 844}}[:testkit.Trials(1, 2)] {
		p.look(size[0], size[1], "light")
		p.goTo(s.url("g/"+middle(t)), ready+` && document.querySelector(".board.upright .choice")`)
		eval[bool](p, `scrollTo(0, 0), true`)
		for _, part := range []string{".board", ".dice", ".status", ".actions", ".seat.light", ".seat.dark"} {
			testkit.ErrorIf(t, !eval[bool](p, strings.Replace(inView, ".board", part, 1)),
				"%dx%d: %s is outside of the window", size[0], size[1], part)
		}
		const covered = `document.querySelector(".board").getBoundingClientRect().bottom >
			document.querySelector(".actions").getBoundingClientRect().top`
		testkit.ErrorIf(t, eval[bool](p, covered), "%dx%d: the actions cover the board", size[0], size[1])
		small := eval[float64](p,
			`Math.min(...[...document.querySelectorAll(".choice")].map((e) => e.getBoundingClientRect().width))`)
		testkit.ErrorIf(t, small < 40, "%dx%d: a piece is %.0f pixels wide, want 40", size[0], size[1], small)
		rows := eval[int](p, `new Set([...document.querySelectorAll(".die")].map((e) => e.getBoundingClientRect().top)).size`)
		last := eval[int](p, `(() => {
			const tops = [...document.querySelectorAll(".die")].map((e) => e.getBoundingClientRect().top)
			return tops.filter((y) => y === tops.at(-1)).length
		})()`)
		testkit.ErrorIf(t, rows*last != 4, "%dx%d: %d dice in the last of %d rows", size[0], size[1], last, rows)
		p.press("Hints", `document.querySelector(".hints li")`)
		testkit.ErrorIf(t, !eval[bool](p, strings.Replace(inView, ".board", ".hints", 1)),
			"%dx%d: the hints are outside of the window", size[0], size[1])
		p.press("Hints")
		p.panel("Analysis", `document.querySelector(".analysis table")`)
		eval[bool](p, `scrollTo(0, 1e6), true`)
		testkit.ErrorIf(t, !eval[bool](p, inView), "%dx%d: the board is out of view in the analysis", size[0], size[1])
	}
}

// A user sets up a position and a roll by clicking, plays it, and opens pasted texts.
func TestBrowserEditor(t *testing.T) {
	t.Parallel()
	p, s := openPage(t, 1280, 800, "editor", `document.querySelectorAll(".square").length === 20`)
	p.clickSquare("A4") // a light piece
	p.clickSquare("C1") // a dark one
	p.clickSquare("B3") // light
	p.wait(`document.querySelector(".editor input[readonly]").value.startsWith("5:L")`)
	p.clickSquare("B3") // dark
	const want = "6:L.............:0 5:...D..D.......:0 L"
	p.wait(fmt.Sprintf(`document.querySelector(".editor input[readonly]").value === %q`, want))
	eval[bool](p,
		`document.querySelectorAll(".editor select")[2].value = "3", document.querySelectorAll(".editor select")[2].dispatchEvent(new Event("change", {bubbles: true})), true`)
	p.press("Play")
	p.wait(ready +
		` && document.querySelector(".choice") && location.hash.endsWith("6:L.............:0_5:...D..D.......:0_L")`)
	testkit.WantText(t, p.text(".status"), "rolled 3")
	// A record of the position can be copied, and opened again.
	p.click(".choice", ready+" && "+turns+" > 0")
	played := eval[int](p, turns)
	rgn := eval[string](p, `fetch("api/game/record", {method: "POST", headers: {"Content-Type": "application/json"},
		body: JSON.stringify({game: location.hash.slice(4), form: "rgn"})}).then((r) => r.json()).then((r) => r.text)`)
	p.goTo(s.url("editor"), `document.querySelector(".paste")`)
	p.choose(".paste", "nonsense")
	p.press("Open the text", `document.querySelector(".side").textContent.includes("want a link")`)
	p.choose(".paste", rgn)
	p.press("Open the text", fmt.Sprintf(`%s && %s === %d`, ready, turns, played))
	p.goTo(s.url("editor"), `document.querySelector(".paste")`)
	p.choose(".paste", want)
	p.press("Open the text", ready+` && location.hash.endsWith("_L")`)
}

// The puzzle of the day is solved, and the streak is kept.
func TestBrowserPuzzleOfTheDay(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "puzzles", `document.querySelector(".quiz .choice")`)
	best := eval[int](p, `fetch("api/game/puzzles", {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"}).then((r) => r.json())
		.then((r) => r.puzzles[Number(document.querySelector(".pick select").value)].moves.find((m) => m.regret === 0).from)`)
	p.digit(best)
	p.wait(`document.querySelector(".answer").textContent.includes("is right") && document.querySelector(".lines li")`)
	p.wait(`document.querySelector(".streak").textContent.includes("Streak: 1 day")`)
	run(p, reload)
	p.wait(`document.querySelector(".streak")?.textContent.includes("Streak: 1 day")`)
}

// storeGames puts three finished games into the store of the browser.
const storeGames = `localStorage.setItem("ur.games", JSON.stringify([1, 2, 3].map((n) => ({
	game: "7/" + n + ".0/human/level:4", date: "2026-01-0" + n + "T00:00:00Z", players: ["human", "level:4"], pieces: 7, turns: 100,
	side: "light", winner: n === 1 ? "light" : "dark", regret: 1.2 + n / 20, decisions: 60, by: "table" }))))`

// A game that was finished is kept with its regret, and can be deleted; several give a level.
func TestBrowserKeepsGames(t *testing.T) {
	t.Parallel()
	p, s := openPage(t, 1280, 800, "g/1/3.0/human/level:1")
	p.playOut()
	p.wait(`JSON.parse(localStorage.getItem("ur.games"))[0]?.by`)
	p.goTo(s.url("games"), `document.querySelectorAll(".games tbody a").length === 1`)
	p.click(".games td button", `document.querySelector("main").textContent.includes("There is none yet")`)
	eval[bool](p, storeGames+", true")
	p.goTo(s.url("games"), `document.querySelector(".score")?.textContent.match(/level [34]\./)`)
	rows := strings.Join(p.texts(".games table:not(.scroll table) td, .games th[scope=row]"), " ")
	testkit.ErrorIf(t, !strings.Contains(rows, "Level 4, casual"), "the opponents are %q", rows)
}

// A first visit gets three playable steps, which can be skipped.
func TestBrowserIntroduction(t *testing.T) {
	t.Parallel()
	p, s := newTab(t), newServer(t, web.Config{})
	p.look(320, 640, "light")
	p.goTo(s.http.URL+"/", `document.querySelector(".intro h2")`)
	cut := eval[bool](p, `document.querySelector("nav").scrollWidth > document.querySelector("nav").clientWidth`)
	testkit.ErrorIf(t, cut, "the navigation is cut")
	for step, from := range []int{3, 2, 5} {
		p.wait(fmt.Sprintf(`document.querySelector(".intro h2")?.textContent.startsWith("%d of 3") &&
			document.querySelector(".board.upright")`, step+1))
		p.digit(from)
		p.wait(`document.querySelector(".intro .primary")`)
		p.click(".intro .primary")
	}
	p.wait(begun)
	p.goTo(s.http.URL+"/", ready+` && document.querySelector(".choice") && !document.querySelector(".intro")`)
}
