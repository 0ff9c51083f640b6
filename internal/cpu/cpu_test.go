package cpu

import (
	"slices"
	"strings"
	"testing"
)

type kernel struct{ needs []Feature }

func (kernel) Name() string       { return "k" }
func (k kernel) Needs() []Feature { return k.needs }

func TestMaskedTiersAreMissing(t *testing.T) {
	t.Setenv("UR_DISABLE", "avx2")
	for _, f := range []Feature{AVX2, AVX512F} {
		if err := Available("k", []Feature{f}); err == nil {
			t.Errorf("%s is available though its tier is masked", f)
		}
	}
	if err := Available("k", nil); err != nil {
		t.Errorf("what needs nothing is missing: %v", err)
	}
	for tier, masked := range map[Tier]string{TierAVX2: "avx2 avx512", TierAVX512: "avx512", TierNEON: "neon"} {
		for name, other := range tierNames {
			feature := map[Tier]Feature{TierAVX2: AVX2, TierAVX512: AVX512F, TierNEON: NEON}[other]
			if got, want := tier.masks(feature), slices.Contains(strings.Fields(masked), name); got != want {
				t.Errorf("tier %d masks %s: %v, want %v", tier, feature, got, want)
			}
		}
	}
	t.Setenv("UR_DISABLE", "sse9")
	if err := Available("k", nil); err == nil || !strings.Contains(err.Error(), "sse9") {
		t.Errorf("an unknown tier is accepted: %v", err)
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
	if err := Available("k", []Feature{"MMX9"}); err == nil {
		t.Error("an unknown feature is available")
	}
}
