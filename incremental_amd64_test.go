//go:build !purego

package ur

import (
	"testing"
	"unsafe"
)

// The generator of the kernel knows these offsets.
func TestIncrementalLayoutIsTheGenerators(t *testing.T) {
	var game wideGame
	var row wideRow
	tests := []struct {
		name      string
		got, want uintptr
	}{
		{"position of a game", unsafe.Offsetof(game.position), 0},
		{"counts of a game", unsafe.Offsetof(game.counts), 8},
		{"fields of a game", unsafe.Offsetof(game.fields), 16},
		{"a game", unsafe.Sizeof(game), 272},
		{"fields of a row", unsafe.Offsetof(row.fields), 0},
		{"position of a row", unsafe.Offsetof(row.position), 256},
		{"counts of a row", unsafe.Offsetof(row.counts), 264},
		{"a row", unsafe.Sizeof(row), 272},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %d bytes, the kernel takes %d", test.name, test.got, test.want)
		}
	}
}
