package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchproc"
)

// projections place a sample in a table, row and side: benchstat's -table, -row and -col.
type projections struct {
	table, row, col *benchproc.Projection
	unit            *benchproc.Field      // of table
	residue         *benchproc.Projection // all keys left out by the others
}

// newProjections parses the projections of the options. A key named by one of them is no longer
// part of .config and .fullname in another.
func newProjections(o Options, filter *benchproc.Filter) (by projections, err error) {
	var parser benchproc.ProjectionParser
	wrong := func(option, keys string, err error) error {
		return &InputError{Msg: fmt.Sprintf("%s keys %q: %v", option, keys, err)}
	}
	table, row, col := cmp.Or(o.Table, ".config"), cmp.Or(o.Row, ".fullname"), cmp.Or(o.Col, ".file")
	if by.table, by.unit, err = parser.ParseWithUnit(table, filter); err != nil {
		return by, wrong("table", table, err)
	}
	if by.row, err = parser.Parse(row, filter); err != nil {
		return by, wrong("row", row, err)
	}
	if by.col, err = parser.Parse(col, filter); err != nil {
		return by, wrong("column", col, err)
	}
	if _, err = parser.Parse(o.Ignore, filter); err != nil {
		return by, &InputError{Msg: fmt.Sprintf("keys to ignore, %q: %v", o.Ignore, err)}
	}
	by.residue = parser.Residue()
	return by, nil
}

// columns are the sides found so far, in the order found.
type columns struct {
	keys  []benchproc.Key
	place map[benchproc.Key]int
	sides []Side
	from  []map[int]bool // paths with results of each
}

// of returns the number of a column.
func (c *columns) of(key benchproc.Key) int {
	if place, ok := c.place[key]; ok {
		return place
	}
	if c.place == nil {
		c.place = make(map[benchproc.Key]int)
	}
	c.place[key] = len(c.keys)
	c.keys = append(c.keys, key)
	label := key.StringValues()
	if strings.TrimSpace(label) == "" {
		label = "(none)" // as of BenchmarkParse in a column by /eval
	}
	c.sides = append(c.sides, Side{Label: text.Plain(label)})
	c.from = append(c.from, make(map[int]bool))
	return c.place[key]
}

// count counts a result of a column, found in a file of an input.
func (c *columns) count(column, input int, file string) {
	side := &c.sides[column]
	side.Results++
	if n := len(side.Files); n == 0 || side.Files[n-1] != file {
		side.Files = append(side.Files, file)
	}
	c.from[column][input] = true
}

// sorted returns the sides in the projection's order, with the column of each. A failure in a
// path counts for each side with results of that path.
func (c *columns) sorted(inputs []Side) (sides []Side, order []int) {
	keys := slices.Clone(c.keys)
	benchproc.SortKeys(keys)
	for _, key := range keys {
		column := c.place[key]
		side := c.sides[column]
		for i, input := range inputs {
			if c.from[column][i] {
				side.Failed = append(side.Failed, input.Failed...)
			}
		}
		sides, order = append(sides, side), append(order, column)
	}
	return sides, order
}

// readTable are the samples of a table by row and column.
type readTable struct {
	rows      map[benchproc.Key][]readCell
	occasions map[string]bool // values of [PairedKey]
}

// readCell are the samples of one figure.
type readCell struct {
	samples []float64
	residue []benchproc.Key // distinct: differences between results of one figure
}

func newReadTable() *readTable {
	return &readTable{rows: make(map[benchproc.Key][]readCell), occasions: make(map[string]bool)}
}

// inTurns reports whether all samples were marked as measured on one occasion.
func (t *readTable) inTurns() bool { return len(t.occasions) == 1 && !t.occasions[""] }

func (t *readTable) add(row benchproc.Key, column int, residue benchproc.Key, value float64) {
	for len(t.rows[row]) <= column {
		t.rows[row] = append(t.rows[row], readCell{})
	}
	cell := &t.rows[row][column]
	cell.samples = append(cell.samples, value)
	if !slices.Contains(cell.residue, residue) {
		cell.residue = append(cell.residue, residue)
	}
}

// noteMixed names the keys that differ between samples of one figure without being separated by
// table, row or column: their median mixes different things.
func (c *Comparison) noteMixed(tables map[benchproc.Key]*readTable) {
	var keys []string
	for _, key := range sortedKeys(tables) {
		for _, row := range sortedKeys(tables[key].rows) {
			for _, cell := range tables[key].rows[row] {
				for _, field := range benchproc.NonSingularFields(cell.residue) {
					if !slices.Contains(keys, field.Name) {
						keys = append(keys, field.Name)
					}
				}
			}
		}
	}
	if len(keys) > 0 {
		c.note("samples of one figure differ in %s: name it in the keys of tables, rows or columns, or filter by it", strings.Join(keys, ", "))
	}
}
