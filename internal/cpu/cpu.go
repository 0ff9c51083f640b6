// Package cpu lists the CPU features for kernels: all of the CPU, without those
// masked by the environment.
package cpu

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// Feature is a CPU feature needed by kernels, by its usual name.
type Feature string

// Features used by this module's kernels. A kernel names all features of its instructions
// and register widths: AVX-512 on YMM registers is AVX512VL.
const (
	AVX2       Feature = "AVX2"
	FMA        Feature = "FMA"
	AVX512F    Feature = "AVX512F"
	AVX512BW   Feature = "AVX512BW"
	AVX512CD   Feature = "AVX512CD"
	AVX512DQ   Feature = "AVX512DQ"
	AVX512VL   Feature = "AVX512VL"
	AVX512VNNI Feature = "AVX512VNNI"
	POPCNT     Feature = "POPCNT"
	BMI1       Feature = "BMI1"
	BMI2       Feature = "BMI2"
	NEON       Feature = "NEON"
)

// cpuidOf maps features to those detected by the cpuid library, which include the operating
// system's support for the registers.
var cpuidOf = map[Feature]cpuid.FeatureID{
	AVX2:       cpuid.AVX2,
	FMA:        cpuid.FMA3,
	AVX512F:    cpuid.AVX512F,
	AVX512BW:   cpuid.AVX512BW,
	AVX512CD:   cpuid.AVX512CD,
	AVX512DQ:   cpuid.AVX512DQ,
	AVX512VL:   cpuid.AVX512VL,
	AVX512VNNI: cpuid.AVX512VNNI,
	POPCNT:     cpuid.POPCNT,
	BMI1:       cpuid.BMI1,
	BMI2:       cpuid.BMI2,
	NEON:       cpuid.ASIMD,
}

// Has reports whether this CPU has a feature, masked or not. Every arm64 CPU supported by Go
// has NEON.
func Has(f Feature) bool {
	id, known := cpuidOf[f]
	if f == NEON {
		return runtime.GOARCH == "arm64"
	}
	return known && cpuid.CPU.Supports(id)
}

// A Tier is a step of features, from the ground up. UR_DISABLE and UR_REQUIRE name tiers.
type Tier int

// The tiers. Base needs nothing; NEON is the one of arm64.
const (
	Base Tier = iota
	TierAVX2
	TierAVX512
	TierNEON
)

var tierNames = map[string]Tier{"avx2": TierAVX2, "avx512": TierAVX512, "neon": TierNEON}

// masks reports whether masking a tier masks a feature: masking AVX2 masks AVX-512 too, since
// no CPU has it alone.
func (t Tier) masks(f Feature) bool {
	return f.Tier() == t || t == TierAVX2 && f.Tier() == TierAVX512
}

// Tier returns a feature's tier.
func (f Feature) Tier() Tier {
	switch {
	case strings.HasPrefix(string(f), "AVX512"):
		return TierAVX512
	case f == NEON:
		return TierNEON
	}
	return TierAVX2
}

// TierOf returns the highest tier among the features.
func TierOf(needs []Feature) Tier {
	tier := Base
	for _, f := range needs {
		tier = max(tier, f.Tier())
	}
	return tier
}

// Detected lists the features of this CPU known to this package, whether masked or not, sorted
// by name.
func Detected() []Feature {
	var found []Feature
	for f := range cpuidOf {
		if Has(f) {
			found = append(found, f)
		}
	}
	slices.Sort(found)
	return found
}

// Available returns nil if this CPU has all needs of a kernel and UR_DISABLE masks none of
// them; otherwise an error with the missing feature. It reads the environment at every
// call, so a test can mask a tier.
func Available(name string, needs []Feature) error {
	masked, err := tiersFromEnv("UR_DISABLE")
	if err != nil {
		return err
	}
	for _, f := range needs {
		_, known := cpuidOf[f]
		switch {
		case !known:
			return fmt.Errorf("%s needs %s, which this module cannot detect", name, f)
		case !Has(f):
			return fmt.Errorf("%s needs %s, which is not on this CPU", name, f)
		case slices.ContainsFunc(masked, func(tier Tier) bool { return tier.masks(f) }):
			return fmt.Errorf("%s needs %s, which UR_DISABLE masks", name, f)
		}
	}
	return nil
}

// A Kernel is an implementation with CPU needs: an engine, a move generator.
type Kernel interface {
	Name() string
	Needs() []Feature
}

// Best returns the last kernel of a list, in ascending order of speed, that this CPU can run. The
// first needs nothing.
func Best[K Kernel](kernels []K) K {
	best := kernels[0]
	for _, k := range kernels[1:] {
		if Available(k.Name(), k.Needs()) == nil {
			best = k
		}
	}
	return best
}

// CheckRequired returns an error if UR_REQUIRE names a tier and a kernel of that tier is
// missing or cannot run here. Test suites call it so a missing tier fails instead of being
// skipped.
func CheckRequired[K Kernel](kernels []K) error {
	required, err := tiersFromEnv("UR_REQUIRE")
	if err != nil {
		return err
	}
	for _, tier := range required {
		found := false
		for _, k := range kernels {
			if TierOf(k.Needs()) != tier {
				continue
			}
			found = true
			if err := Available(k.Name(), k.Needs()); err != nil {
				return fmt.Errorf("UR_REQUIRE: %w", err)
			}
		}
		if !found {
			return fmt.Errorf("UR_REQUIRE=%s: this build has nothing of a required tier", os.Getenv("UR_REQUIRE"))
		}
	}
	return nil
}

// UnknownTierError reports an unknown tier in a variable of the environment.
type UnknownTierError struct{ Variable, Tier string }

func (e *UnknownTierError) Error() string {
	return fmt.Sprintf("%s: unknown tier %q (want avx2, avx512 or neon)", e.Variable, e.Tier)
}

// tiersFromEnv reads a comma-separated list of tiers from the environment.
func tiersFromEnv(variable string) ([]Tier, error) {
	var tiers []Tier
	for name := range strings.SplitSeq(os.Getenv(variable), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		tier, ok := tierNames[name]
		if !ok {
			return nil, &UnknownTierError{variable, name}
		}
		tiers = append(tiers, tier)
	}
	return tiers, nil
}

// hugePage is the size of a huge page on most processors. A lookup in a random place of a large
// table misses the TLB as well as the cache when pages are small. Smaller tables do not fill one.
const hugePage = 2 << 20

// MakeHuge returns a table of n zero entries at the beginning of a huge page. Without the alignment both
// ends of a table are in small pages: up to 2 MB, another part in every run of a program.
func MakeHuge[T any](n int) []T {
	each := int(unsafe.Sizeof(*new(T)))
	if each == 0 || n*each < hugePage {
		return make([]T, n)
	}
	room := make([]T, n+hugePage/each)
	behind := int(uintptr(unsafe.Pointer(unsafe.SliceData(room))) & (hugePage - 1))
	first := ((hugePage - behind) & (hugePage - 1)) / each
	table := room[first : first+n : first+n]
	AdviseHuge(table)
	return table
}

// AdviseHuge requests huge pages for a table before its first use. Where they are not
// supported the request is ignored.
func AdviseHuge[T any](table []T) {
	if bytes := len(table) * int(unsafe.Sizeof(*new(T))); bytes >= hugePage {
		adviseHugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), bytes))
	}
}

// CacheLine is the size of a cache line in bytes, on every machine with kernels in this module.
const CacheLine = 64

// NewAligned returns a zero T at the start of a cache line, so no register-sized part crosses
// one.
func NewAligned[T any]() *T {
	var zero T
	buffer := make([]byte, unsafe.Sizeof(zero)+CacheLine)
	offset := -uintptr(unsafe.Pointer(&buffer[0])) % CacheLine
	return (*T)(unsafe.Pointer(&buffer[offset]))
}
