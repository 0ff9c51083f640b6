package cpu

import (
	"testing"
	"unsafe"
)

// Advice leaves a table as it is, of any hugePage and alignment.
func TestAdvise(t *testing.T) {
	AdviseHuge([]uint64(nil))
	for _, n := range []int{0, 1, 100, hugePage / 8, 3*hugePage/8 + 1} {
		table := make([]uint64, n)
		for i := range table {
			table[i] = uint64(i)
		}
		AdviseHuge(table)
		AdviseHuge(table[min(1, n):])
		for i, v := range table {
			if v != uint64(i) {
				t.Fatalf("entry %d of %d is %d", i, n, v)
			}
		}
	}
}

// A table made is empty, of its length, and begins with a huge page if it is large.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 100, hugePage/16 - 1, hugePage / 16, 5 * hugePage / 16} {
		table := MakeHuge[[2]uint64](n)
		if len(table) != n || cap(table) != n {
			t.Fatalf("%d entries of %d, want %d", len(table), cap(table), n)
		}
		for i, v := range table {
			if v != [2]uint64{} {
				t.Fatalf("entry %d of %d is %v", i, n, v)
			}
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(table))); n*16 >= hugePage && at%hugePage != 0 {
			t.Errorf("%d entries begin at %#x", n, at)
		}
	}
}
