package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/web"
)

// A user begins a game under each rule set and plays it to its end on the board of the rules; its
// link names them.
func TestBrowserRuleSets(t *testing.T) {
	sandbox.SetHome(t, t.TempDir()) // no tables
	p := newTab(t)
	s := newServer(t, web.Config{})
	p.look(1280, 900, "light")
	for _, set := range board.List()[1:] {
		p.goTo(s.url("g/1/3.0/human/human"))
		p.wait(ready + ` && document.querySelector(".choice")`)
		p.press("New game")
		p.wait(`document.querySelectorAll(".rules-choice option").length > 1`)
		p.choose(".rules-choice", set.Name())
		p.wait(fmt.Sprintf(`document.querySelector(".form").textContent.includes(%q)`, set.Definition().About))
		selects := `[...document.querySelectorAll(".form select")]`
		noTable := eval[bool](p, selects+`[2].querySelector("option[value='level:10']").disabled`)
		if !noTable && set.Pieces() > 3 { // smaller games are solved at once
			t.Errorf("%s offers perfect play without a table", set.Name())
		}
		eval[bool](p,
			selects+`.forEach((e, i) => i < 2 || (e.value = ["greedy", "1"][i - 2], e.dispatchEvent(new Event("change", {bubbles: true})))), true`)
		p.press("Begin")
		p.wait(
			fmt.Sprintf(`%s && location.hash.endsWith("/%s") && document.querySelector(".choice, .status.over")`,
				ready, set.Name()))
		tiles := 0
		for column := range set.Columns() {
			for row := range set.Rows() {
				if set.Definition().Board[column][row] == '#' {
					tiles++
				}
			}
		}
		if got := eval[int](p, `document.querySelectorAll(".tile").length`); got != tiles {
			t.Errorf("the board of %s has %d tiles, want %d", set.Name(), got, tiles)
		}
		p.keys("p")
		p.wait(fmt.Sprintf(`document.querySelector(".path.dark")?.points.numberOfItems === %d`, set.Finish()+1))
		p.keys("p")
		p.press("Hints")
		p.wait(`document.querySelector(".hints, .table .note")`)
		p.press("Hints")
		p.playOut()
		if game := eval[string](p, "location.hash"); !strings.HasPrefix(game, "#/g/1/") ||
			!strings.HasSuffix(game, "/human/greedy/"+game[strings.LastIndex(game, "greedy/")+len("greedy/"):]) {
			t.Errorf("the game of %s is %s", set.Name(), game)
		}
		p.wait(`document.querySelector(".analysis table, .side > .note")`)
	}
}

// The editor draws the board of other rules, and a position under them is played.
func TestBrowserEditorOfRuleSets(t *testing.T) {
	t.Parallel()
	p, _ := openPage(t, 1280, 800, "editor")
	p.wait(`document.querySelectorAll(".rules-choice option").length > 1`)
	p.choose(".rules-choice", "blitz")
	p.wait(`document.querySelectorAll(".square").length === 20`)
	for range 2 { // A7 is Light's last square, and the twelfth of Dark
		eval[bool](p,
			`[...document.querySelectorAll(".square")].find((b) => b.textContent.startsWith("A7:")).click(), true`)
	}
	p.wait(`document.querySelector(".editor input[readonly]").value === "5:................:0 4:...........D....:0 L"`)
	p.press("Play")
	p.wait(ready + ` && location.hash.endsWith("/5:................:0_4:...........D....:0_L/blitz")`)
}

// BenchmarkPage measures how long a browser takes to paint the page for the first time, from a
// server on the same machine and without a cache.
func BenchmarkPage(b *testing.B) {
	s := newServer(b, web.Config{})
	sum := 0.0
	for range b.N {
		p := newTab(b)
		p.look(1280, 800, "light")
		p.goTo(s.http.URL + "/")
		p.wait(`performance.getEntriesByName("first-contentful-paint").length > 0`)
		sum += eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	}
	b.ReportMetric(sum/float64(b.N), "ms/first-paint")
	b.ReportMetric(0, "ns/op")
}
