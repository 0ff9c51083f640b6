package compare

import (
	"github.com/aclements/go-moremath/stats" // as benchstat computes its means
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// Comparison holds the benchmarks of two or more sides. The others are compared with the first
// side. [Compare] makes it.
type Comparison struct {
	Sides  []Side
	Tables []Table  // one for each configuration and unit, in the order read
	Notes  []string // notes for a reader of the figures
	Alpha  float64  // largest significant p

	// Tested is the number of changes that could be significant by chance: those with enough
	// varying samples, in a unit with noise. See [Comparison.expectedByChance].
	Tested int

	inputs []Side // the paths, where failures and lines passed over are
}

// expectedByChance is the expected number of significant changes for the worse when nothing has
// changed, and the same for the better: half of Alpha of the changes tested. The expectation
// does not require independence.
func (c *Comparison) expectedByChance() float64 { return c.Alpha * float64(c.Tested) / 2 }

// Side is a file, or the files of a folder.
type Side struct {
	Label   string   `json:"label"`            // as the user named it
	Files   []string `json:"files"`            // names of the files
	Results int      `json:"results"`          // lines of benchmarks
	Failed  []string `json:"failed,omitempty"` // tests and packages marked as failed in the files

	passedOver      int    // lines that begin like benchmarks but are not
	firstPassedOver string // where the first is, and why
}

// Table holds comparable benchmarks: those of one configuration in one unit.
type Table struct {
	configuration []experiment.Configuration
	Unit          string // in base units, as benchstat has it: "sec/op" where files say ns/op
	Better        int    // better direction: -1 lower, +1 higher, 0 unknown
	Exact         bool   // the unit has no noise: every difference is one
	Paired        bool   // sample k of all sides was taken side by side

	Rows []Row

	// Common is the number of rows present on every side with a positive center, and Geomeans
	// the geometric mean of their centers on each side: 0 without such rows. A side without
	// rows of the table does not count, and its mean is 0 too. Ratios are the means of the
	// ratios to the first side.
	Common   int
	Geomeans []float64
	Ratios   []float64
}

// Row is a benchmark, with a cell for each side.
type Row struct {
	Name  string
	Cells []Cell
}

// Cell is one side's figure of a benchmark.
type Cell struct {
	Samples []float64 // in the order taken; none where the side lacks the benchmark

	// Center is the median, or the value itself of an exact unit, and Lo to Hi its
	// 95 % interval: infinite of too few samples.
	Center, Lo, Hi float64

	// Against the first side, where both have samples; nil otherwise.
	Change *Change

	summary benchmath.Summary
}

// Change is how a side differs from the first.
type Change struct {
	// Delta is the relative difference of the centers, new over old, less 1, and Lo
	// to Hi its 95 % interval. Of pairs it is the median of their differences.
	Delta, Lo, Hi float64

	P           float64 // two-sided; 0 of an exact unit
	Significant bool    // P is at most alpha
	N1, N2      int     // samples of the first side and of this

	comparison benchmath.Comparison
	old, new   float64 // whose difference Delta is
}

// finish computes everything from the samples.
func (c *Comparison) finish(units benchfmt.UnitMetadataMap, o Options) {
	for i := range c.Tables {
		t := &c.Tables[i]
		assumption := units.GetAssumption(t.Unit)
		t.Exact = assumption == benchmath.AssumeExact
		t.Better = betterDirection(units, t.Unit)
		for _, row := range t.Rows {
			for side := range row.Cells {
				row.Cells[side].summarize(assumption)
			}
			for side := range row.Cells[1:] {
				if t.compare(row, side+1, assumption, o) {
					c.Tested++
				}
			}
		}
		t.geomeans()
	}
}

// summarize computes the center, as benchstat does.
func (c *Cell) summarize(assumption benchmath.Assumption) {
	if len(c.Samples) == 0 {
		return
	}
	c.summary = stat.Summary(assumption, c.Samples)
	c.Center, c.Lo, c.Hi = c.summary.Center, c.summary.Lo, c.summary.Hi
}

// compare computes the change of one side, and reports whether it could be significant by
// chance. Delta and P are benchstat's, except for pairs, which benchstat lacks.
func (t *Table) compare(row Row, side int, assumption benchmath.Assumption, o Options) (tested bool) {
	old, new := row.Cells[0], &row.Cells[side]
	if len(old.Samples) == 0 || len(new.Samples) == 0 {
		return false
	}
	pair := stat.Pair{Old: old.Samples, New: new.Samples, Paired: t.Paired, Better: t.Better, Exact: t.Exact}
	between := pair.RankChange()
	change := &Change{Lo: between.Lo, Hi: between.Hi, old: old.Center, new: new.Center}
	change.comparison = stat.CompareRanks(assumption, old.Samples, new.Samples)
	if pair.InPairs() && !t.Exact {
		change.old, change.new = 1, 1+between.Median
		_, change.comparison.P = pair.Change()
		change.comparison.Warnings = nil
	}
	if !t.Exact {
		change.comparison.Alpha = o.Alpha
	}
	change.Delta = stat.Quotient(change.new, change.old) - 1
	change.P, change.N1, change.N2 = change.comparison.P, change.comparison.N1, change.comparison.N2
	change.Significant = change.P <= change.comparison.Alpha
	new.Change = change
	return !pair.Exact && !pair.Steady() && pair.Samples() >= stat.MinCount
}

// geomeans computes the means over the common rows. In the mean of a ratio of two sides all
// rows weigh the same.
func (t *Table) geomeans() {
	sides := len(t.Rows[0].Cells)
	present := make([]bool, sides) // whether a side has any row of the table
	for _, row := range t.Rows {
		for side, cell := range row.Cells {
			present[side] = present[side] || len(cell.Samples) > 0
		}
	}
	centers, ratios := make([][]float64, sides), make([][]float64, sides)
	for _, row := range t.Rows {
		if !row.isCommon(present) {
			continue
		}
		t.Common++
		for side, cell := range row.Cells {
			centers[side] = append(centers[side], cell.Center)
			ratios[side] = append(ratios[side], cell.Center/row.Cells[0].Center)
		}
	}
	t.Geomeans, t.Ratios = make([]float64, sides), make([]float64, sides)
	for side := range sides {
		if !present[side] || t.Common == 0 {
			continue
		}
		t.Geomeans[side] = stats.GeoMean(centers[side])
		if present[0] {
			t.Ratios[side] = stats.GeoMean(ratios[side])
		}
	}
}

// isCommon reports whether every present side has the row, with a positive center.
func (r Row) isCommon(present []bool) bool {
	for side, cell := range r.Cells {
		if present[side] && (len(cell.Samples) == 0 || !(cell.Center > 0)) {
			return false
		}
	}
	return true
}

// hasChanged reports whether any side differs from the first.
func (r Row) hasChanged() bool {
	for _, cell := range r.Cells {
		if cell.Change != nil && cell.Change.Significant && cell.Change.Delta != 0 {
			return true
		}
	}
	return false
}

// pairs returns the benchmarks shared by the first two sides, for a gate.
func (t Table) pairs() (names []string, pairs []stat.Pair) {
	for _, row := range t.Rows {
		old, new := row.Cells[0].Samples, row.Cells[1].Samples
		if len(old) == 0 || len(new) == 0 {
			continue
		}
		names = append(names, row.Name)
		pairs = append(pairs, stat.Pair{Old: old, New: new, Paired: t.Paired, Better: t.Better, Exact: t.Exact})
	}
	return names, pairs
}

// Decides reports whether any benchmark has enough samples to distinguish a difference from
// noise: [stat.MinCount] on two sides, or an exact unit.
func (c *Comparison) Decides() bool {
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			for _, cell := range row.Cells {
				if change := cell.Change; change != nil && (t.Exact || min(change.N1, change.N2) >= stat.MinCount) {
					return true
				}
			}
		}
	}
	return false
}
