package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// RankingSchema is the JSON object's schema.
const RankingSchema = "ur.by/1"

// Ranking is the comparison of implementations of one commit: the JSON object in "benchab --by KEY --json".
type Ranking struct {
	Schema      string          `json:"schema"`
	Key         string          `json:"key"`               // "/eval", or "/2" for the second part of names
	Fastest     string          `json:"fastest,omitempty"` // implementation that no other one should beat by the limit
	Commit      string          `json:"commit"`            // "" is the work tree
	Subject     string          `json:"subject,omitempty"`
	WorkTree    bool            `json:"work_tree,omitempty"`
	Date        string          `json:"date"`
	Limit       float64         `json:"limit"` // 0.03: implementations within 3 % of the fastest one are equal
	Alpha       float64         `json:"alpha"` // largest rate of runs with a false claim or interval
	Seed        uint64          `json:"seed"`
	Go          string          `json:"go"`
	CPU         string          `json:"cpu"`
	GOMAXPROCS  int             `json:"gomaxprocs"`
	Flags       []string        `json:"flags"`
	Load        []float64       `json:"load,omitempty"`
	CPUClock    string          `json:"cpu_clock,omitempty"`
	BuiltWith   string          `json:"built_with"`
	Counter     string          `json:"counter"` // valgrind, perf or none
	Seeds       int             `json:"seeds"`
	Layouts     int             `json:"layouts"`
	Rounds      int             `json:"rounds"` // largest number of a group
	Seconds     float64         `json:"seconds"`
	Groups      []RankedGroup   `json:"groups"`
	Notes       []string        `json:"notes,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
	Verdict     verdict.Verdict `json:"verdict"` // pass, slower (than another one: Fastest), undecided or nothing
}

// RankedGroup is implementations of one thing: benchmarks whose names differ in the key only.
type RankedGroup struct {
	Package  string      `json:"package"`
	Name     string      `json:"name"`     // without the key
	Baseline string      `json:"baseline"` // implementation of ratio 1
	Rows     []RankedRow `json:"rows"`     // by implementation, the fastest first, and unit: the first unit decides

	Samples []SampleSet `json:"-"` // of each implementation, with the key in their names
}

// RankedRow is an implementation in one unit. Numbers that are not known, or not finite, are null in JSON.
type RankedRow struct {
	Value   string             `json:"value"`
	Unit    string             `json:"unit"`
	Clock   Clock              `json:"clock,omitempty"`
	Figure  verdict.Number     `json:"figure"` // median
	Ratio   verdict.Number     `json:"ratio"`  // to the baseline
	Lo      verdict.Number     `json:"lo"`     // ends of its interval: all those of times, memory and custom units hold together
	Hi      verdict.Number     `json:"hi"`     // with 95 %; of counts, it is the range between runs
	N       int                `json:"n"`      // rounds, or counts
	Verdict verdict.Verdict    `json:"verdict"`
	Judge   verdict.Instrument `json:"judge,omitempty"`
	Reason  string             `json:"reason,omitempty"`
}

// NewRankedRow returns a row without figures.
func NewRankedRow(value, unit, reason string) RankedRow {
	nothing := verdict.Number(math.NaN())
	return RankedRow{Value: value, Unit: unit, Figure: nothing, Ratio: nothing, Lo: nothing, Hi: nothing,
		Verdict: verdict.NotJudged, Reason: reason}
}

// Decide gives the verdict on all groups. What a group does not have, or skips, is not judged, and the others are.
func (r *Ranking) Decide() {
	judged, open, beaten := 0, r.Interrupted, false
	for _, g := range r.Groups {
		for _, row := range g.speaking() {
			switch {
			case row.Verdict == verdict.NotJudged:
				open = open || strings.HasPrefix(row.Reason, "fails")
				continue
			case row.Verdict == verdict.Undecided:
				open = open || r.Fastest == "" || row.Value == r.Fastest
				continue
			}
			judged++
			beaten = beaten || row.Value == r.Fastest && row.Verdict == verdict.Slower
		}
	}
	switch {
	case beaten:
		r.Verdict = verdict.Slower
	case judged == 0:
		r.Verdict = verdict.Nothing
	case open:
		r.Verdict = verdict.Undecided
	default:
		r.Verdict = verdict.Pass
	}
}

// speaking returns the rows of the unit that decides.
func (g *RankedGroup) speaking() []RankedRow {
	return filter(g.Rows, func(row RankedRow) bool { return row.Unit == g.Rows[0].Unit })
}

// units lists the units of a group in order.
func (g *RankedGroup) units() (units []string) {
	for _, row := range g.Rows {
		if !slices.Contains(units, row.Unit) {
			units = append(units, row.Unit)
		}
	}
	return units
}

// RankingFormats are those for [Ranking.Write].
func RankingFormats() []string { return []string{"text", "markdown", "json", "bench"} }

// Write writes the ranking in one of [RankingFormats]. "bench" is Go's benchmark format: each sample a line, with the key
// in its name, for benchstat -col KEY.
func (r *Ranking) Write(w io.Writer, format string) error {
	out := &text.Writer{To: w}
	switch format {
	case "text":
		r.writeText(out)
	case "markdown":
		r.writeMarkdown(out)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(r)
	case "bench":
		return r.writeSamples(w)
	default:
		return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(RankingFormats(), ", "))
	}
	return out.Err
}

// title names a group, with its package if there are several.
func (r *Ranking) title(g *RankedGroup) string {
	if slices.ContainsFunc(r.Groups, func(other RankedGroup) bool { return other.Package != g.Package }) {
		return g.Package + "." + g.Name
	}
	return g.Name
}

// table makes the table of a group: an implementation a line, the fastest first.
func (r *Ranking) table(g *RankedGroup) text.Table {
	units := g.units()
	t := text.Table{Header: []string{r.Key, "", "ratio", "interval"}}
	speaking := g.speaking()
	for i, unit := range units {
		t.Header[1] = cmp.Or(t.Header[1], (&Row{Unit: unit, Clock: speaking[0].Clock}).unitText())
		if i > 0 {
			t.Header = append(t.Header, unit)
		}
	}
	t.Header = append(t.Header, "verdict")
	for _, row := range speaking {
		if row.Verdict == verdict.NotJudged && math.IsNaN(float64(row.Figure)) {
			continue // a line below the table
		}
		cells := []string{row.Value, Figure(row.Figure, row.Unit), row.ratioText(), row.intervalText()}
		for _, unit := range units[1:] {
			cell := ""
			for _, other := range g.Rows {
				if other.Value == row.Value && other.Unit == unit {
					cell = Figure(other.Figure, unit)
				}
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, string(row.Verdict))...)
	}
	return t
}

// ratioText prints a ratio with three digits after the point below 10: "1.053".
func (r *RankedRow) ratioText() string {
	if math.IsNaN(float64(r.Ratio)) {
		return ""
	}
	return ratioFigure(float64(r.Ratio))
}

// intervalText prints the interval of a ratio: "[1.041, 1.066]".
func (r *RankedRow) intervalText() string {
	switch {
	case math.IsNaN(float64(r.Lo)), r.Ratio == 1 && r.Lo == 1 && r.Hi == 1:
		return ""
	}
	return "[" + ratioFigure(float64(r.Lo)) + ", " + ratioFigure(float64(r.Hi)) + "]"
}

// ratioFigure prints a ratio with at most four digits.
func ratioFigure(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case x < 9.9995:
		return fmt.Sprintf("%.3f", x)
	case x < 99.995:
		return fmt.Sprintf("%.2f", x)
	case x < 999.95:
		return fmt.Sprintf("%.1f", x)
	}
	return text.Count(math.Round(x))
}

// absentLines describe the implementations without figures of a group, by reason.
func absentLines(g *RankedGroup) []string {
	absent := filter(g.speaking(), func(row RankedRow) bool {
		return row.Verdict == verdict.NotJudged && math.IsNaN(float64(row.Figure))
	})
	return text.List(text.Groups(absent, func(row RankedRow) string { return row.Reason }), func(rows []RankedRow) string {
		return fmt.Sprintf("%s: %s", rows[0].Reason, text.Some(text.List(rows, func(row RankedRow) string { return row.Value }), 20))
	})
}

// Summary is the last line: the verdict, and what the run took.
func (r *Ranking) Summary() string {
	n, undecided := 0, []string{}
	for i := range r.Groups {
		g := &r.Groups[i]
		for _, row := range g.speaking() {
			if n++; row.Verdict == verdict.Undecided {
				undecided = append(undecided, r.title(g)+" "+row.Value)
			}
		}
	}
	var parts []string
	if r.Interrupted {
		parts = append(parts, "Interrupted.")
	}
	if r.Fastest != "" {
		parts = append(parts, r.describeDemand())
	}
	if len(undecided) > 0 {
		parts = append(parts, fmt.Sprintf("Undecided: %s.", someOf(undecided)))
	}
	parts = append(parts, fmt.Sprintf("%s in %s; equal: within %.3g %% of the fastest.",
		text.Plural(n, "implementation"), text.Plural(len(r.Groups), "group"), 100*r.Limit))
	if r.Rounds > 0 {
		parts = append(parts, fmt.Sprintf("The run took %s and %.0f s.", text.Plural(r.Rounds, "round"), r.Seconds))
	}
	return strings.Join(append(parts, fmt.Sprintf("All ratios lie in their intervals in %.3g %% of runs.", 100*(1-r.Alpha))), " ")
}

// describeDemand tells whether the demanded implementation is the fastest.
func (r *Ranking) describeDemand() string {
	var beaten []string
	for i := range r.Groups {
		for _, row := range r.Groups[i].speaking() {
			if row.Value == r.Fastest && row.Verdict == verdict.Slower {
				beaten = append(beaten, r.title(&r.Groups[i]))
			}
		}
	}
	switch {
	case len(beaten) > 0:
		return fmt.Sprintf("Slower: %s is not the fastest in %s.", r.Fastest, someOf(beaten))
	case r.Verdict == verdict.Pass:
		return fmt.Sprintf("Pass: nothing is faster than %s by more than the limit.", r.Fastest)
	}
	return fmt.Sprintf("Undecided: whether something is faster than %s.", r.Fastest)
}

// describe returns the title, and the machine with the settings.
func (r *Ranking) describe() (title, machine string) {
	where := shortCommit(r.Commit)
	if r.WorkTree || r.Commit == "" {
		where = "the work tree"
	}
	return fmt.Sprintf("Implementations by %s in %s", r.Key, where),
		describeMachine(&Report{CPU: r.CPU, Go: r.Go, GOMAXPROCS: r.GOMAXPROCS, Load: r.Load, CPUClock: r.CPUClock, Seeds: r.Seeds,
			Counter: r.Counter, Flags: r.Flags, Seed: r.Seed, BuiltWith: r.BuiltWith})
}

// writeText writes the ranking for a terminal.
func (r *Ranking) writeText(out *text.Writer) {
	write := func(line string) { fmt.Fprintln(out, text.Wrap(text.Plain(line), "", columns)) }
	title, machine := r.describe()
	write(title)
	write(machine)
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(out, "\n%s\n", text.Plain(r.title(g)))
		_ = r.table(g).WriteText(out) // out remembers its error
		for _, line := range absentLines(g) {
			write(line)
		}
	}
	fmt.Fprintln(out)
	for _, note := range r.Notes {
		write(note)
	}
	write(r.Summary())
}

// writeMarkdown writes the ranking for a comment.
func (r *Ranking) writeMarkdown(out *text.Writer) {
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(out, "\n%s\n\n", text.Markdown(text.Plain(r.title(g))))
		_ = r.table(g).WriteMarkdown(out) // out remembers its error
		for _, line := range absentLines(g) {
			fmt.Fprintf(out, "\n%s\n", text.Markdown(text.Plain(line)))
		}
	}
	title, machine := r.describe()
	fmt.Fprintln(out)
	for _, line := range append([]string{title, machine}, r.Notes...) {
		fmt.Fprintf(out, "- %s\n", text.Markdown(strings.ReplaceAll(text.Lines(line), "\n", " ")))
	}
}

// writeSamples writes all samples in Go's benchmark format, round by round.
func (r *Ranking) writeSamples(w io.Writer) error {
	out := NewWriter(w)
	title, _ := r.describe()
	fmt.Fprintf(out, "# benchab: %s, seed %d\n", title, r.Seed)
	for _, g := range r.Groups {
		for _, s := range g.Samples {
			out.Configure(Setting{"goos", runtime.GOOS}, Setting{"goarch", runtime.GOARCH}, Setting{"pkg", s.Package},
				Setting{"cpu", r.CPU}, Setting{"clock", string(s.Clock)})
			for _, result := range s.Results[0] {
				out.Result(result)
			}
		}
	}
	return out.Err
}

// rankings are the files by [Ranking.Save] and their formats.
var rankings = map[string]string{"report.txt": "text", "report.md": "markdown", "report.json": "json", "samples.txt": "bench"}

// SavedRankings returns the names of the files by [Ranking.Save], in order.
func SavedRankings() []string { return slices.Sorted(maps.Keys(rankings)) }

// Save writes the ranking in all formats to a folder, which it creates if necessary.
func (r *Ranking) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, format := range rankings {
		if err := safefile.Write(filepath.Join(dir, name), func(w io.Writer) error { return r.Write(w, format) }); err != nil {
			return err
		}
	}
	return nil
}
