package ur

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Feature is a CPU feature that an engine may need, by its usual name.
type Feature string

// Features that engines of this module use. An engine names all that its
// instructions and register widths ask for: AVX-512 on YMM registers is AVX512VL.
const (
	AVX2       Feature = "AVX2"
	AVX512F    Feature = "AVX512F"
	AVX512BW   Feature = "AVX512BW"
	AVX512DQ   Feature = "AVX512DQ"
	AVX512VL   Feature = "AVX512VL"
	AVX512VNNI Feature = "AVX512VNNI"
	AVX512VBMI Feature = "AVX512VBMI"
	POPCNT     Feature = "POPCNT"
	BMI1       Feature = "BMI1"
	BMI2       Feature = "BMI2"
)

// cpuidOf maps features to what the cpuid library detects, the operating system's
// support for the registers included.
var cpuidOf = map[Feature]cpuid.FeatureID{
	AVX2:       cpuid.AVX2,
	AVX512F:    cpuid.AVX512F,
	AVX512BW:   cpuid.AVX512BW,
	AVX512DQ:   cpuid.AVX512DQ,
	AVX512VL:   cpuid.AVX512VL,
	AVX512VNNI: cpuid.AVX512VNNI,
	AVX512VBMI: cpuid.AVX512VBMI,
	POPCNT:     cpuid.POPCNT,
	BMI1:       cpuid.BMI1,
	BMI2:       cpuid.BMI2,
}

// Tiers of features, from the ground up. UR_DISABLE and UR_REQUIRE name them;
// masking a tier masks those above it, since no CPU has these alone.
const (
	tierBase = iota
	tierAVX2
	tierAVX512
)

var tierNames = map[string]int{"avx2": tierAVX2, "avx512": tierAVX512}

// tier returns the tier that a feature belongs to.
func (f Feature) tier() int {
	if strings.HasPrefix(string(f), "AVX512") {
		return tierAVX512
	}
	return tierAVX2
}

// DetectedFeatures lists the features of this CPU that any engine could use,
// whether masked or not, sorted by name.
func DetectedFeatures() []Feature {
	var found []Feature
	for f, id := range cpuidOf {
		if cpuid.CPU.Supports(id) {
			found = append(found, f)
		}
	}
	slices.Sort(found)
	return found
}

// CPUName returns the processor's own name, or "unknown".
func CPUName() string {
	if name := strings.TrimSpace(cpuid.CPU.BrandName); name != "" {
		return name
	}
	return "unknown"
}

// Available returns nil when this CPU has every feature that e needs and none of
// them is masked by UR_DISABLE; otherwise an error that names what is missing. The
// environment is read at every call, so that a test can mask a tier.
func Available(e Engine) error {
	masked, err := tiersFromEnv("UR_DISABLE")
	if err != nil {
		return err
	}
	for _, f := range e.Needs() {
		id, known := cpuidOf[f]
		switch {
		case !known:
			return fmt.Errorf("%s needs %s, which this module cannot detect", e.Name(), f)
		case !cpuid.CPU.Supports(id):
			return fmt.Errorf("%s needs %s, which this CPU does not have", e.Name(), f)
		case slices.ContainsFunc(masked, func(tier int) bool { return f.tier() >= tier }):
			return fmt.Errorf("%s needs %s, which UR_DISABLE masks", e.Name(), f)
		}
	}
	return nil
}

// CheckRequired returns an error when UR_REQUIRE names a tier and no engine of
// that tier, or not every one, can run here. Test suites call it so that a missing
// tier fails where it would be skipped.
func CheckRequired() error {
	required, err := tiersFromEnv("UR_REQUIRE")
	if err != nil {
		return err
	}
	for _, tier := range required {
		found := false
		for _, e := range Engines() {
			if engineTier(e) != tier {
				continue
			}
			found = true
			if err := Available(e); err != nil {
				return fmt.Errorf("UR_REQUIRE: %w", err)
			}
		}
		if !found {
			return fmt.Errorf("UR_REQUIRE=%s: this build has no engine of a required tier", os.Getenv("UR_REQUIRE"))
		}
	}
	return nil
}

// engineTier returns the highest tier that e needs.
func engineTier(e Engine) int {
	tier := tierBase
	for _, f := range e.Needs() {
		tier = max(tier, f.tier())
	}
	return tier
}

// tiersFromEnv reads a comma-separated list of tiers from the environment.
func tiersFromEnv(variable string) ([]int, error) {
	var tiers []int
	for name := range strings.SplitSeq(os.Getenv(variable), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		tier, ok := tierNames[name]
		if !ok {
			return nil, fmt.Errorf("%s: unknown tier %q, want avx2 or avx512", variable, name)
		}
		tiers = append(tiers, tier)
	}
	return tiers, nil
}
