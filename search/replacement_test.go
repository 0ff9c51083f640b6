package search

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// storeAll stores positions of one bucket with depths, and returns which of them a table of four
// entries then knows.
func storeAll(t *testing.T, o TableOptions, depths ...int) (known []bool) {
	o.Bytes = 64
	table := testkit.Must(NewTableOf(o))(t)
	key := func(i int) Key { return Key{uint64(i), uint64(i+1) << metaBits} }
	for i, depth := range depths {
		if depth == 0 {
			table.startSearch()
			continue
		}
		table.store(key(i), found{Value(i), exact, depth, 0})
	}
	for i, depth := range depths {
		k := table.probe(key(i))
		testkit.ErrorIf(t, k.bound != unknown && (k.value != Value(i) || k.depth != depth), "entry %d is %+v", i, k)
		known = append(known, k.bound != unknown)
	}
	return known
}

func TestReplacement(t *testing.T) {
	for _, test := range []struct {
		rule   Replacement
		depths []int // 0 begins the next search
		want   []bool
	}{
		{ByAgeAndDepth, []int{5, 3, 4, 6, 1}, []bool{true, false, true, true, true}},
		{ByAgeAndDepth, []int{5, 3, 0, 4, 6, 1, 1}, []bool{false, false, false, true, true, true, true}},
		{Always, []int{5, 3, 4, 6, 1, 2}, []bool{false, false, true, true, true, true}},
		{ByDepth, []int{5, 3, 4, 6, 1, 4}, []bool{true, false, true, true, false, true}},
		{ByAge, []int{5, 3, 0, 9, 9, 1, 2}, []bool{false, false, false, true, true, true, true}},
		{ByAge, []int{5, 3, 4, 6, 1}, []bool{false, true, true, true, true}},
		{TwoLevels, []int{5, 3, 4, 4, 6}, []bool{true, false, true, true, true}},
		{TwoLevels, []int{5, 6, 4, 1, 2, 7}, []bool{true, true, true, false, false, true}},
	} {
		got := storeAll(t, TableOptions{Replacement: test.rule}, test.depths...)
		testkit.Equal(t, got, test.want, "%s of depths %v: known", test.rule, test.depths)
	}
}

func TestTableOptions(t *testing.T) {
	for want, o := range map[string]TableOptions{
		"at least 64 bytes": {Bytes: 63}, "at most": {Bytes: MaxTableBytes + 1},
		"want 1, 2 or 4": {Bytes: 64, Bucket: 3}, "want one of age-depth": {Bytes: 64, Replacement: "x"},
		"2 or 4 entries": {Bytes: 64, Bucket: 1, Replacement: TwoLevels},
		"want 8 to 52":   {Bytes: 64, KeyBits: 7}, "need the replacement": {Bytes: 64, KeyBits: 8, Replacement: Always},
	} {
		testkit.WantError(t, testkit.ErrorOf(NewTableOf(o)), want, "%+v", o)
	}
	narrow := testkit.Must(NewTableOf(TableOptions{Bytes: 64, KeyBits: 8}))(t)
	_, err := Options{Table: narrow, Threads: 2}.withDefaults(false)
	testkit.WantError(t, err, "serves one thread", "a table with KeyBits on two threads")
}

// A table of 8 bits takes one entry in 256 for another position's, and counts these. Whole keys
// are never mistaken.
func TestCollisions(t *testing.T) {
	for _, bits := range []int{8, 12, 0} {
		table := testkit.Must(NewTableOf(TableOptions{Bytes: 1 << 12, KeyBits: bits}))(t)
		const n = 1 << 20
		wrong := 0.0
		for i := range uint64(n) {
			k := KeyOf(i)
			if table.probe(k).bound != unknown {
				wrong++
			}
			table.store(k, found{0, exact, 1, 0})
		}
		expected := 0.0
		if bits > 0 {
			expected = n * 4 / float64(int(1)<<bits)
		}
		collisions := 0.0
		if bits > 0 {
			collisions = float64(table.varied.collisions)
		}
		testkit.Equal(t, collisions, wrong, "collisions of %d bits", bits)
		testkit.Near(t, wrong, expected, 0.1*expected, "entries of other positions by %d bits", bits)
	}
}
