package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// addNotes adds the warnings a reader of the figures needs.
func (c *Comparison) addNotes() {
	for side, s := range c.Sides {
		if missing := c.missing(side); len(missing) > 0 {
			c.note("%s lacks %d of the benchmarks: %s", s.Label, len(missing), text.Some(missing, 3))
		}
	}
	for _, s := range c.inputs {
		if s.passedOver > 0 {
			c.note("%s passed over in %s that begin like benchmarks and are none, the first at %s", areLines(s.passedOver), s.Label, s.firstPassedOver)
		}
		if len(s.Failed) > 0 {
			c.note("%s reports failures: %s", s.Label, text.Some(s.Failed, 3))
		}
	}
	c.noteSamples()
	c.notePairs()
}

// areLines counts lines, with the verb.
func areLines(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return fmt.Sprintf("%d lines are", n)
}

func (c *Comparison) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// missing lists the benchmarks a side lacks.
func (c *Comparison) missing(side int) []string {
	var names []string
	has := make(map[string]bool)
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			if len(row.Cells[side].Samples) > 0 {
				has[row.Name] = true
			}
		}
	}
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			if !has[row.Name] && !slices.Contains(names, row.Name) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// noteSamples counts the benchmarks with too few samples.
func (c *Comparison) noteSamples() {
	few := 0
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			if !t.Exact && slices.ContainsFunc(row.Cells, func(cell Cell) bool {
				return cell.Change != nil && min(cell.Change.N1, cell.Change.N2) < stat.MinCount
			}) {
				few++
			}
		}
	}
	if few > 0 {
		c.note("%s of fewer than %d samples on a side: no difference can be told from noise; take %d",
			areRows(few), stat.MinCount, experiment.DefaultCount)
	}
}

// notePairs counts the benchmarks that should be pairs but are not.
func (c *Comparison) notePairs() {
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			for side, cell := range row.Cells {
				if change := cell.Change; t.Paired && change != nil && change.N1 != change.N2 {
					c.note("%s: %d samples of %s and %d of %s cannot be paired, so they were compared unpaired",
						row.Name, change.N1, c.Sides[0].Label, change.N2, c.Sides[side].Label)
				}
			}
		}
	}
}

// checkCommon returns an error when no benchmark can be compared. The error lists the
// differences between the sides.
func (c *Comparison) checkCommon() error {
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			for _, cell := range row.Cells {
				if cell.Change != nil {
					return nil
				}
			}
		}
	}
	msg := fmt.Sprintf("%s and %s have no benchmark in common", c.Sides[0].Label, c.Sides[1].Label)
	if keys := c.differing(); len(keys) > 0 {
		msg = fmt.Sprintf("%s and %s cannot be compared: they differ in %s\nFigures of other work or another machine show no change. To compare anyway, ignore these keys.",
			c.Sides[0].Label, c.Sides[1].Label, strings.Join(keys, ", "))
	}
	return &InputError{Msg: msg}
}

// differing lists the configuration keys that differ between sides for benchmarks of the same
// name and unit, each with two of its values.
func (c *Comparison) differing() []string {
	var keys []string
	for i, a := range c.Tables {
		for _, b := range c.Tables[i+1:] {
			if a.Unit != b.Unit || !shareNames(a, b) {
				continue
			}
			for _, key := range unionKeys(a, b) {
				if x, y := a.configured(key), b.configured(key); x != y {
					text := fmt.Sprintf("%s (%q and %q)", key, x, y)
					if !slices.Contains(keys, text) {
						keys = append(keys, text)
					}
				}
			}
		}
	}
	return keys
}

func shareNames(a, b Table) bool {
	return slices.ContainsFunc(a.Rows, func(x Row) bool {
		return slices.ContainsFunc(b.Rows, func(y Row) bool { return x.Name == y.Name })
	})
}

// configured returns the value of a key, or "".
func (t Table) configured(key string) string {
	for _, c := range t.configuration {
		if c.Key == key {
			return c.Value
		}
	}
	return ""
}

func unionKeys(a, b Table) []string {
	var keys []string
	for _, c := range slices.Concat(a.configuration, b.configuration) {
		if !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}
