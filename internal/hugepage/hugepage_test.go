package hugepage

import "testing"

// Advice leaves a table as it is, of any size and alignment.
func TestAdvise(t *testing.T) {
	Advise([]uint64(nil))
	for _, n := range []int{0, 1, 100, size / 8, 3*size/8 + 1} {
		table := make([]uint64, n)
		for i := range table {
			table[i] = uint64(i)
		}
		Advise(table)
		Advise(table[min(1, n):])
		for i, v := range table {
			if v != uint64(i) {
				t.Fatalf("entry %d of %d is %d", i, n, v)
			}
		}
	}
}
