package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Diff is where the time of two engines differs at one level.
type Diff struct {
	A          string      `json:"a"`
	B          string      `json:"b"`
	Level      string      `json:"level"`
	Unit       string      `json:"unit"`
	TimeA      float64     `json:"time_a"` // of a unit of work
	TimeB      float64     `json:"time_b"`
	Difference float64     `json:"difference"` // b - a
	Functions  []Different `json:"functions"`  // by flat time, the largest difference first
	Lines      []Different `json:"lines"`
}

// Different is a function or a line with its time in two engines.
type Different struct {
	Function string  `json:"function"`
	File     string  `json:"file,omitempty"`
	Line     int64   `json:"line,omitempty"`
	Source   string  `json:"source,omitempty"`
	A        float64 `json:"a"` // time in a unit of work of A
	B        float64 `json:"b"`

	// Difference is b - a, and Error half of its 95 % interval: so much may come from
	// where the samples happened to fall.
	Difference float64 `json:"difference"`
	Error      float64 `json:"error"`
}

// Shown reports whether the samples show a difference.
func (d Different) Shown() bool { return math.Abs(d.Difference) > d.Error }

// Compare compares two engines at a level, both of which must have been profiled. The
// lists have up to top entries each, all for 0.
func (c *Collected) Compare(a, b, level string, top int) (*Diff, error) {
	var parts [2]Part
	for i, engine := range []string{a, b} {
		at := slices.IndexFunc(c.Work, func(w Worked) bool { return w.Engine == engine && w.Level == level })
		if at < 0 {
			return nil, fmt.Errorf("%s was not profiled at the level %s", engine, level)
		}
		parts[i] = c.part(c.Work[at])
	}
	return diffParts(parts[0], parts[1], top), nil
}

// diffParts compares two parts of a profile, whose lists must be whole.
func diffParts(a, b Part, top int) *Diff {
	return &Diff{
		A: a.Engine, B: b.Engine, Level: a.Level, Unit: a.Unit,
		TimeA: a.Time, TimeB: b.Time, Difference: stat.Significant(b.Time - a.Time),
		Functions: head(diffSpots(a, b, a.Flat, b.Flat), top),
		Lines:     head(diffSpots(a, b, a.Lines, b.Lines), top),
	}
}

// diffSpots compares the places of two parts.
func diffSpots(a, b Part, ofA, ofB []Hotspot) []Different {
	type key struct {
		function, file string
		line           int64
	}
	all := make(map[key]*Different)
	variances := make(map[key]float64)
	collect := func(part Part, hot []Hotspot, set func(*Different, float64)) {
		for _, h := range hot {
			k := key{h.Function, h.File, h.Line}
			if all[k] == nil {
				all[k] = &Different{Function: h.Function, File: h.File, Line: h.Line, Source: h.Source}
			}
			set(all[k], h.Time)
			variances[k] += part.variance(h)
		}
	}
	collect(a, ofA, func(d *Different, time float64) { d.A = time })
	collect(b, ofB, func(d *Different, time float64) { d.B = time })
	list := make([]Different, 0, len(all))
	for k, d := range all {
		d.Difference = stat.Significant(d.B - d.A)
		d.Error = stat.Significant(1.96 * math.Sqrt(variances[k]))
		list = append(list, *d)
	}
	slices.SortFunc(list, func(x, y Different) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)),
			cmp.Compare(x.Function, y.Function), cmp.Compare(x.Line, y.Line))
	})
	return list
}

// variance is that of the time of a place: samples fall on it or not, so their number
// is binomial. Half a sample is added to either side, so that a place which all
// samples hit is not taken for certain (Agresti and Coull, "Approximate is better
// than 'exact'", 1998, in its smaller form).
func (p Part) variance(h Hotspot) float64 {
	n := float64(p.Samples) + 1
	share := (float64(h.Samples) + 0.5) / n
	return p.Time * p.Time * share * (1 - share) / n
}
