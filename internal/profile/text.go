package profile

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// WriteText writes the lists for a terminal.
func (p *Profile) WriteText(to io.Writer) error {
	w := &text.Writer{To: to}
	fmt.Fprintf(w, "%s, %s/%s, %s%s\n", p.CPU, p.OS, p.Arch, p.Go, experiment.CommitText(p.Commit))
	fmt.Fprintf(w, "%s samples a second, seed %d", text.Figure(p.Hertz), p.Seed)
	if p.Signature != "" {
		fmt.Fprintf(w, "; corpus %s, signature %s", p.Corpus, p.Signature)
	}
	fmt.Fprintln(w)
	for _, part := range p.Engines {
		part.writeText(w)
	}
	if p.Interrupted {
		fmt.Fprintln(w, "\nThe profile was interrupted; this is of the time until then.")
	}
	return w.Err
}

// writeText writes the lists of one engine at one level.
func (p Part) writeText(w io.Writer) {
	fmt.Fprintf(w, "\n%s, level %s: %s %s, %d samples in %s s\n",
		p.Engine, p.Level, text.Figure(p.Time), p.Unit, p.Samples, text.Figure(p.Seconds))
	if p.Samples == 0 {
		fmt.Fprintln(w, "  no samples: profile it for longer")
		return
	}
	p.writeList(w, "spent in functions", p.Flat)
	p.writeList(w, "spent in functions and what they call", p.Cumulative)
	if len(p.Blocks) > 0 {
		p.writeList(w, "spent in blocks of assembly", p.Blocks)
	}
	p.writeList(w, "spent on lines", p.Lines)
}

// writeList writes one list: how much of the time, and where.
func (p Part) writeList(w io.Writer, title string, hot []Hotspot) {
	fmt.Fprintf(w, "\n  %6s  %8s  %s\n", "share", p.Unit, title)
	for _, h := range hot {
		fmt.Fprintf(w, "  %5.1f%%  %8s  %s\n", 100*h.Share, text.Figure(h.Time), Place(h.Function, h.File, h.Line, h.Source))
	}
}

// Place names a function, or a line with its text: "ur.values  eval_amd64.s:12
// VPMADDWD Y0, Y1, Y2".
func Place(function, file string, line int64, source string) string {
	module := experiment.ModulePath()
	function = strings.TrimPrefix(strings.TrimPrefix(function, module+"/"), path.Dir(module)+"/")
	function = shortGenerics(function)
	if line == 0 {
		return function
	}
	where := fmt.Sprintf("%s  %s:%d", function, file, line)
	if source != "" {
		where += "  " + source
	}
	return where
}

// shortGenerics leaves out the compiler's names of type arguments: "f[go.shape.int]" becomes
// "f[...]".
func shortGenerics(function string) string {
	open, end := strings.IndexByte(function, '['), strings.LastIndexByte(function, ']')
	if open < 0 || end < open {
		return function
	}
	return function[:open] + "[...]" + function[end+1:]
}
