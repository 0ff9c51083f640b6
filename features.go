package ur

import "github.com/seed-09dcdc84/ur/internal/cpu"

// Feature is a CPU feature that an engine may need, by its usual name.
type Feature = cpu.Feature

// Features used by the engines of this module. An engine names all features of its instructions
// and register widths: AVX-512 on YMM registers is AVX512VL.
const (
	AVX2       = cpu.AVX2
	AVX512F    = cpu.AVX512F
	AVX512BW   = cpu.AVX512BW
	AVX512DQ   = cpu.AVX512DQ
	AVX512VL   = cpu.AVX512VL
	AVX512VNNI = cpu.AVX512VNNI
	AVX512VBMI = cpu.AVX512VBMI
	POPCNT     = cpu.POPCNT
	BMI1       = cpu.BMI1
	BMI2       = cpu.BMI2
)

// CPUName returns the processor's own name, or "unknown".
func CPUName() string { return cpu.Name() }

// Available returns nil if this CPU has every feature of e.Needs and UR_DISABLE masks none of
// them. Otherwise it returns an error with the missing feature. It reads the environment at
// every call, so a test can mask a tier.
func Available(e Engine) error { return cpu.Available(e.Name(), e.Needs()) }
