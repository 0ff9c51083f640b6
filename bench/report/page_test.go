package report

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/browser"
)

// hostile are names as a stranger may choose them.
var hostile = []string{`p.A<script>evil = 1</script>`, `p.B"><img src=x onerror="evil = 2">`, `p.C'--></svg></title><b>`,
	"p.D{{.Title}}\u202e\x1b[31m", `p.E/` + strings.Repeat("long", 60)}

// hostileReport has a row for each of these names, in each kind of place.
func hostileReport() *Report {
	r := &Report{Base: hostile[0], Head: hostile[1], Named: true, Notes: []string{hostile[2]}, Measurement: Measurement{CPU: hostile[3]}, Limit: 0.03}
	for i, name := range hostile {
		v := []verdict.Verdict{verdict.NotSlower, verdict.Slower, verdict.Faster, verdict.Undecided, verdict.NotSlower}[i]
		delta := verdict.Number([]float64{0.004, 0.31, -0.12, 0.02, 12}[i])
		r.Rows = append(r.Rows, Row{Name: name, Unit: TimeUnit, Verdict: v, Primary: true, Rounds: 10 + i, Limit: 0.03,
			Old: 1e-6, New: 1e-6 * (1 + delta), Delta: delta, Lo: delta - 0.01, Hi: delta + 0.01, Reason: name,
			Detectable: verdict.Number(0.05 * float64(1+9*(i%2)))})
	}
	r.Rows = append(r.Rows, NewRow("p.F", 0.03, verdict.NotJudged, "it fails"),
		Row{Name: "p.G", Unit: AllocsUnit, Verdict: verdict.Slower, Rounds: 3, New: 1, Delta: verdict.Number(math.Inf(1)),
			Lo: verdict.Number(math.Inf(1)), Hi: verdict.Number(math.Inf(1))})
	r.Decide(false, false)
	return r
}

// A page has one script, loads nothing, and shows all names as text.
func TestPageEscapes(t *testing.T) {
	page := write(t, hostileReport(), "html")
	testkit.Equal(t, strings.Count(page, "<script"), 1, "scripts")
	for _, tag := range regexp.MustCompile(`<(img|b|link|iframe|a)\b|https?:|\b(src|href|onerror)=["']|url\(`).FindAllString(page, -1) {
		t.Errorf("the page has %s", tag)
	}
	for _, want := range []string{"p.A&lt;script&gt;", "p.B&#34;&gt;&lt;img src=x", `p.D{{.Title}}\u202e\x1b[31m`} {
		testkit.WantText(t, page, want)
	}
	testkit.Equal(t, strings.Count(page, `<svg role="img"`), len(hostile), "drawn intervals")
}

// The forest plot shows small changes where one is large, and each limit.
func TestForestPlot(t *testing.T) {
	rows := make([]PageRow, 20)
	for i := range rows {
		rows[i] = PageRow{Delta: 0.01, Lo: -0.01, Hi: 0.03, Limit: 0.03}
	}
	rows[7] = PageRow{Delta: 30, Lo: 20, Hi: 40}
	reach := plotReach(rows)
	testkit.Equal(t, reach, 0.05, "reach")
	testkit.Equal(t, newMark(rows[7], reach), mark{Drawn: true, Text: "+3000% [+2000%, +4000%]", Sort: "30", At: 100, Lo: 100,
		Hi: 100}, "the large one")
	m := newMark(rows[0], reach)
	testkit.ErrorIf(t, !(m.Lo < 50 && 50 < m.At && m.At < m.Hi && m.Hi == m.Limit && m.Limit < 100), "%+v", m)
	testkit.Equal(t, newMark(PageRow{Delta: math.NaN()}, reach).Drawn, false, "a row without an interval is drawn")
}

// A reader with a browser can sort the table; nothing is wider than a phone; the colours follow the reader's.
func TestPageInBrowser(t *testing.T) {
	ctx, cancel := chromedp.NewContext(browser.Context(t), chromedp.WithNewBrowserContext())
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, browser.Patience)
	defer cancel()
	file := filepath.Join(t.TempDir(), "report.html")
	testkit.WriteText(t, file, write(t, hostileReport(), "html"))
	look := func(width int64, colours string) {
		testkit.Must(chromedp.Run(ctx, chromedp.EmulateViewport(width, 800)))(t)
		testkit.Must(chromedp.Run(ctx, func(ctx context.Context, target *chromedp.Target) (cdp.Empty, error) {
			return cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}})
		}))(t)
	}
	value := func(expression string) string {
		t.Helper()
		return testkit.Must(chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")")))(t)
	}
	look(390, "light")
	testkit.Must(chromedp.Run(ctx, chromedp.Navigate("file://"+file)))(t)
	for _, width := range []int64{390, 1280} {
		look(width, "light")
		testkit.Equal(t, value("document.documentElement.scrollWidth"), fmt.Sprint(width), "width of the page")
	}
	testkit.Equal(t, value("typeof evil"), "undefined", "a name that is a script")
	const paper = "getComputedStyle(document.body).backgroundColor"
	testkit.Equal(t, value(paper), "rgb(255, 255, 255)", "paper")
	look(1280, "dark")
	testkit.Equal(t, value(paper), "rgb(13, 17, 23)", "paper in the dark")

	const names = `[...document.querySelectorAll("tbody td:first-child")].map((e) => e.textContent.slice(2, 3)).join("")`
	testkit.Equal(t, value(names), "BGDFCAE", "losses first")
	sort := func(column int) string {
		value(fmt.Sprintf(`document.querySelectorAll("th button")[%d].click()`, column))
		return value(names)
	}
	testkit.Equal(t, sort(0), "ABCDEFG", "by name")
	testkit.Equal(t, sort(0), "GFEDCBA", "by name, down")
	testkit.Equal(t, sort(1)[:5], "CADBE", "by interval")
	testkit.Equal(t, sort(2), "CADBEGF", "by change, without one last")
	testkit.Equal(t, value(`document.querySelector("th[aria-sort]").textContent`), "change", "the sorted column")
}
