package cpu

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

type kernel struct{ needs []Feature }

func (kernel) Name() string       { return "k" }
func (k kernel) Needs() []Feature { return k.needs }

func TestMaskedTiersAreMissing(t *testing.T) {
	for _, test := range []struct {
		disable string
		needs   []Feature
		fails   bool
		want    string
	}{{"avx2", []Feature{AVX2}, true, ""}, {"avx2", []Feature{AVX512F}, true, ""}, {"avx2", nil, false, ""},
		{"sse9", nil, true, "sse9"}, {"", []Feature{"MMX9"}, true, ""}} {
		t.Setenv("UR_DISABLE", test.disable)
		err := Available("k", test.needs)
		if (err != nil) != test.fails || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	for tier, masked := range map[Tier]string{TierAVX2: "avx2 avx512", TierAVX512: "avx512", TierNEON: "neon"} {
		for name, other := range tierNames {
			feature := map[Tier]Feature{TierAVX2: AVX2, TierAVX512: AVX512F, TierNEON: NEON}[other]
			if got, want := tier.masks(feature), slices.Contains(strings.Fields(masked), name); got != want {
				t.Errorf("tier %d masks %s: %v, want %v", tier, feature, got, want)
			}
		}
	}
}

func TestRequiredTiersMustBeThere(t *testing.T) {
	t.Setenv("UR_DISABLE", "")
	t.Setenv("UR_REQUIRE", "avx2")
	if err := CheckRequired([]kernel{{}}); err == nil {
		t.Error("no kernel of the required tier, and no error")
	}
	err := CheckRequired([]kernel{{}, {[]Feature{AVX2}}})
	if has := slices.Contains(Detected(), AVX2); has != (err == nil) {
		t.Errorf("AVX2 is there: %t, error: %v", has, err)
	}
	t.Setenv("UR_REQUIRE", "")
	if err := CheckRequired([]kernel{}); err != nil {
		t.Error(err)
	}
}

func TestEveryFeatureIsNamedAndDetectable(t *testing.T) {
	for f := range cpuidOf {
		if err := Available("k", []Feature{f}); err != nil && strings.Contains(err.Error(), "cannot detect") {
			t.Error(err)
		}
	}
}

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
