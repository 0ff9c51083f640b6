package bench

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ProgramRatio is what two commands say of the same thing: the time of one over that of
// the other in the same round, below 1 when it is faster, with its 95 % interval.
type ProgramRatio struct {
	Program string  `json:"program"`
	Against string  `json:"against"`
	Engine  string  `json:"engine,omitempty"` // of both; "" of commands that tell of one thing
	Level   Level   `json:"level"`
	Ratio   float64 `json:"ratio"`
	Lo      float64 `json:"ratio_lo"`
	Hi      float64 `json:"ratio_hi"`
}

// programRatios compares every command with the first, where both have samples.
func (r *Run) programRatios() []ProgramRatio {
	var ratios []ProgramRatio
	for i, c := range r.Options.Commands {
		if i == 0 {
			continue
		}
		first := r.Options.Commands[0].Name
		for _, s := range r.Series[len(r.cases):] {
			level, name, err := ParseName(s.Name)
			engine, ok := engineOf(c.Name, name)
			if err != nil || !ok {
				continue
			}
			base := r.find(programName(first, engine), level)
			if len(base) == 0 {
				continue
			}
			ratio := stat.RatioOfPairs(base, s.Times(), r.Options.Seed).Rounded()
			ratios = append(ratios, ProgramRatio{c.Name, first, engine, level, ratio.Median, ratio.Lo, ratio.Hi})
		}
	}
	return ratios
}

// writeProgramRatios writes a table of them, if there are any.
func (r Results) writeProgramRatios(w io.Writer) {
	if len(r.Programs) == 0 {
		return
	}
	t := text.Table{Header: []string{"program", "level", "ratio", "95 % interval"}}
	for _, p := range r.Programs {
		name := p.Program + " / " + p.Against
		if p.Engine != "" {
			name += " " + p.Engine
		}
		t.Add(name, string(p.Level), fmt.Sprintf("%.4g", p.Ratio), fmt.Sprintf("[%.4g, %.4g]", p.Lo, p.Hi))
	}
	fmt.Fprintln(w)
	_ = t.WriteText(w) // w remembers its error
	fmt.Fprintln(w, "\nTime of one program over that of the other in the same round: below 1 is faster.")
}
