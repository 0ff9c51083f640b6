package record

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/golden"
	"github.com/seed-09dcdc84/ur/internal/profile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// exampleHotspots are of two engines, one of which was not sampled for long.
func exampleHotspots() *profile.Profile {
	return &profile.Profile{Schema: "ur.profile/1", Engines: []profile.Part{
		{Engine: bench.Baseline, Level: "game", Unit: "us/game", Samples: 100,
			Flat: []profile.Hotspot{{Function: "ur.dot<T>", Samples: 90, Share: 0.9}, {Function: "ur.move", Samples: 10, Share: 0.1}},
			Lines: []profile.Hotspot{
				{Function: "ur.dot<T>", File: "eval.go", Line: 12, Source: "sum += a * b", Samples: 60, Share: 0.6},
				{Function: "ur.dot<T>", File: "eval.go", Line: 13, Source: "i++", Samples: 30, Share: 0.3},
				{Function: "ur.move", File: "move.go", Line: 7, Samples: 6, Share: 0.06},
				{Function: "ur.move", File: "move.go", Line: 8, Samples: 4, Share: 0.04},
			}},
		{Engine: "lanes/avx2", Level: "game", Unit: "us/game"},
	}}
}

func TestHotspotsTable(t *testing.T) {
	var text bytes.Buffer
	hotspotsTable(exampleHotspots()).WriteText(&text)
	golden.Check(t, "hotspots.txt", text.Bytes())
	if rows := hotspotsTable(nil).Rows; rows != nil {
		t.Errorf("rows %v of no profile", rows)
	}
}

func TestPlotsOfARecord(t *testing.T) {
	record := exampleRecord(t)
	var names []string
	for _, p := range record.Plots() {
		names = append(names, p.Name)
		var svg, again bytes.Buffer
		if err := errors.Join(p.WriteSVG(&svg), p.WriteSVG(&again)); err != nil || !bytes.Equal(svg.Bytes(), again.Bytes()) {
			t.Errorf("%s: other bytes the second time (%v)", p.Name, err)
		}
		if want := "a/" + p.Name + ".svg"; p.File(record) != want {
			t.Errorf("file %s, want %s", p.File(record), want)
		}
		if p.Name != "scaling" && !strings.Contains(svg.String(), bench.Baseline) {
			t.Errorf("%s does not name its baseline", p.Name)
		}
		if !strings.Contains(svg.String(), "Example 9000") {
			t.Errorf("%s does not name the machine", p.Name)
		}
		golden.Check(t, "plot_"+p.Name+".svg", svg.Bytes())
	}
	if got, want := strings.Join(names, " "), strings.Join(plotNames(), " "); got != want {
		t.Errorf("plots %s, want %s", got, want)
	}
}

// Records from before something was measured, or with figures that no axis can show,
// have the other plots.
func TestPlotsOfAnOldRecord(t *testing.T) {
	record := exampleRecord(t)
	record.Rows, record.History = record.Suite(bench.EnginesSuite), nil
	if plots := record.Plots(); len(plots) != 1 || plots[0].Name != "ladder" {
		t.Errorf("plots %v, want the ladder alone", plots)
	}
	if plots := (Record{}).Plots(); plots != nil {
		t.Errorf("plots %v of nothing", plots)
	}
	record = exampleRecord(t)
	record.Rows[0].Lo, record.Rows[1].Median, record.Rows[2].Hi = -1, 0, 1e300
	for i := range record.Rows {
		if record.Rows[i].Suite != bench.EnginesSuite {
			record.Rows[i].Median = 0
		}
	}
	for _, p := range record.Plots() {
		var svg bytes.Buffer
		if err := p.WriteSVG(&svg); err != nil || strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") {
			t.Errorf("%s: %v\n%s", p.Name, err, svg.String())
		}
	}
}

// The work changed before the third measurement, so no line goes there.
func TestHistoryIsBrokenWhereTheWorkChanged(t *testing.T) {
	plots := exampleRecord(t).Plots()
	p := plots[len(plots)-1]
	if p.Name != "history" {
		t.Fatalf("the last plot is %s, want history", p.Name)
	}
	var svg bytes.Buffer
	if err := p.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(svg.String(), "<polyline"); lines != 2 { // over the first two, of the engines that both have
		t.Errorf("%d lines, want 2", lines)
	}
	for _, want := range []string{">aaaaaaa<", ">2026-11-11<", ">(other work)<", ">0123456+<"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the plot has no %s", want)
		}
	}
}

func TestPage(t *testing.T) {
	one, two := exampleRecord(t), exampleRecord(t)
	one.Profile = exampleHotspots()
	other := *two.Rows[0].Provenance
	other.CPU = "Other <script>alert(1)</script>"
	two.Slug, two.Rows, two.History = "b", two.Suite(bench.EnginesSuite), nil
	for i := range two.Rows {
		two.Rows[i].Provenance = &other
	}
	var html, again bytes.Buffer
	if err := errors.Join(WritePage(&html, []Record{one, two}), WritePage(&again, []Record{one, two})); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(html.Bytes(), again.Bytes()) {
		t.Error("other bytes the second time")
	}
	text := html.String()
	for _, want := range []string{
		`<section id="a">`, `<section id="b">`, `<a href="#b">`, "prefers-color-scheme: dark",
		"<td>array8/scalar</td>", "0123456789ab&#43;dirty", "aaaaaaaaaaaa", "Other &lt;script&gt;",
		"Where the time goes", "ur.dot&lt;T&gt;", "90.0 %", "sum &#43;= a * b",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, unwanted := range []string{"<script", "http://", "https://", "src=", "@import", "url(", "ZgotmplZ"} {
		if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), unwanted) {
			t.Errorf("the page has %s: it must need nothing else", unwanted)
		}
	}
	if svgs := strings.Count(text, "<svg "); svgs != 5 {
		t.Errorf("%d plots, want 4 and 1", svgs)
	}
	checkWellFormed(t, text)
}

// checkWellFormed reads the page as HTML that is closed like XML.
func checkWellFormed(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Files under results/ are JSON that anybody may have changed: whatever they hold,
// the plots are well-formed.
func FuzzPlots(f *testing.F) {
	example := exampleRecord(f)
	for _, rows := range [][]experiment.Row{example.Rows, example.History} {
		text, err := json.Marshal(rows)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`[{"suite":"scaling","name":"A/workers=-1","median":5e-324,"lo":5e-324,"hi":1,"provenance":{}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		record := Record{Slug: "a"}
		_ = json.Unmarshal(text, &record.Rows) // as far as it goes
		for i := range record.Rows {
			if record.Rows[i].Provenance == nil {
				record.Rows[i].Provenance = &experiment.Provenance{} // the reader refuses others
			}
		}
		record.History = record.Rows
		for _, p := range record.Plots() {
			var svg bytes.Buffer
			if err := p.WriteSVG(&svg); err != nil || bytes.Contains(svg.Bytes(), []byte("NaN")) || bytes.Contains(svg.Bytes(), []byte("Inf\"")) {
				t.Fatalf("%s: %v\n%s", p.Name, err, svg.String())
			}
			decoder := xml.NewDecoder(&svg)
			for {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
			}
		}
	})
}

// plotNames lists the kinds of plots in display order.
func plotNames() []string {
	return text.List(plotKinds(), func(k plotKind) string { return k.name })
}
