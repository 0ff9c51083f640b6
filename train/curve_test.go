package train

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// someCurve has two rivals, the name of one of which must be escaped.
func someCurve() Curve {
	return Curve{
		{Games: 0, Seconds: 0.25, Scores: []Score{{Rival: "random", Games: 100, Wins: 20},
			{Rival: "brain:<a>&b", Games: 100}}},
		{Games: 2500, Seconds: 1.5, Scores: []Score{{Rival: "random", Games: 100, Wins: 90},
			{Rival: "brain:<a>&b", Games: 100, Wins: 50}}},
	}
}

func TestCurveCSV(t *testing.T) {
	const want = `games,seconds,rival,match_games,rate,low,high
0,0.250,random,100,0.20000,0.13337,0.28883
0,0.250,brain:<a>&b,100,0.00000,0.00000,0.03699
2500,1.500,random,100,0.90000,0.82563,0.94477
2500,1.500,brain:<a>&b,100,0.50000,0.40383,0.59617
`
	var got bytes.Buffer
	if err := someCurve().WriteCSV(&got); err != nil || got.String() != want {
		t.Errorf("error %v and\n%s, want\n%s", err, got.String(), want)
	}
}

// TestCurveSVG wants a line and dots for each rival.
func TestCurveSVG(t *testing.T) {
	for name, curve := range map[string]Curve{"none": nil, "one point": someCurve()[:1], "two": someCurve()} {
		var svg bytes.Buffer
		testkit.NoError(t, curve.WriteSVG(&svg, "a <title> & more"))
		text := svg.String()
		rivals := curve.countRivals()
		if strings.Count(text, "<polyline") != rivals || strings.Count(text, "<circle") != rivals*len(curve) {
			t.Errorf("%s: not a line and dots for each of %d rivals:\n%s", name, rivals, text)
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: a number is none:\n%s", name, text)
		}
	}
	var svg bytes.Buffer
	someCurve().WriteSVG(&svg, "")
	for _, want := range []string{">90.0 % random<", ">50.0 % brain:&lt;a&gt;&amp;b<",
		"<title>90.0 % random: 90.0 % (82.6 to 94.5) against random</title>"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %s in\n%s", want, svg.String())
		}
	}
}

func TestStatus(t *testing.T) {
	status := Status{Unit: "games", Games: 2500, Elapsed: 1500 * time.Millisecond, Curve: someCurve()[:2]}
	status.Curve[1].Scores[0].Beaten = true
	const want = "1.5s  2500 games  1,666 games/s  90.0 % (82.6 to 94.5) against random, beaten" +
		"  50.0 % (40.4 to 59.6) against brain:<a>&b"
	if got := status.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestProvenance wants a brain behind its provenance to be read, whatever a player is
// called.
func TestProvenance(t *testing.T) {
	p := Provenance{Command: "ur train evolve --start brain:a\n1 2 3", Seed: 7, Games: 2500, Commit: "abc",
		Scores: someCurve()[1].Scores}
	const want = `// Learned by: ur train evolve --start brain:a 1 2 3
// Games: 2500 of seed 7
// Commit: abc
// Score: 90.0 % (82.6 to 94.5) against random, 95 % interval, 100 games
// Score: 50.0 % (40.4 to 59.6) against brain:<a>&b, 95 % interval, 100 games
`
	if got := p.comments(); got != want {
		t.Errorf("wrote\n%s, want\n%s", got, want)
	}
	text, _ := ur.ClassicBrain().MarshalText()
	if b, _, err := ur.ReadBrain(strings.NewReader(want + string(text))); err != nil || *b != *ur.ClassicBrain() {
		t.Errorf("reading the brain again: %v", err)
	}
}
