package train

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
)

// Progress shows the progress of a run: on a terminal one updated line, elsewhere a line from
// time to time.
type Progress struct {
	W        io.Writer
	Terminal bool
	Columns  int // of the terminal; 0 means no limit

	Now func() time.Time // nil means time.Now

	shown time.Time
	width int
}

// How often a line is written.
const (
	terminalInterval = 200 * time.Millisecond
	logInterval      = 5 * time.Second
)

// Report shows a status, if it is time to.
func (p *Progress) Report(s Status) {
	now, interval := time.Now, logInterval
	if p.Now != nil {
		now = p.Now
	}
	if p.Terminal {
		interval = terminalInterval
	}
	if now().Sub(p.shown) < interval {
		return
	}
	p.shown = now()
	line := s.String()
	if !p.Terminal {
		fmt.Fprintln(p.W, line)
		return
	}
	if p.Columns > 0 {
		line = line[:min(len(line), p.Columns-1)] // a wrapped line cannot be erased
	}
	fmt.Fprintf(p.W, "\r%-*s", p.width, line)
	p.width = len(line)
}

// Clear removes the line from a terminal.
func (p *Progress) Clear() {
	if p.Terminal && p.width > 0 {
		fmt.Fprintf(p.W, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// String returns the status in one line.
func (s Status) String() string {
	var line strings.Builder
	unit := cmp.Or(s.Unit, "games")
	fmt.Fprintf(&line, "%s  %d %s", round(s.Elapsed), s.Games, unit)
	if s.Games > 0 {
		fmt.Fprintf(&line, "  %s %s/s", thousands(s.Rate), unit)
	}
	if s.Last.Regret != nil {
		fmt.Fprintf(&line, "  regret %.4f", *s.Last.Regret)
	}
	for _, score := range s.Last.Scores {
		fmt.Fprintf(&line, "  %s", score)
		if score.Beaten {
			line.WriteString(", beaten")
		}
	}
	if s.Left >= 0 {
		fmt.Fprintf(&line, "  %s left", round(s.Left))
	}
	return line.String()
}

// round shortens a time for readers.
func round(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// thousands writes a positive number with a comma between thousands.
func thousands(x float64) string {
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
