//go:build !purego

package ur

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kernelsOf names what the kernels of each engine begin with.
var kernelsOf = []struct {
	engine  Engine
	kernels []string
}{
	{Array16AVX2, []string{"valuesArray16AVX2"}},
	{Array8AVX2, []string{"valuesArray8AVX2"}},
	{Array16AVX512, []string{"valuesArray16AVX512"}},
	{BitsIncrementalAVX2, []string{"addRowAVX2"}},
	{SquaresAVX2, []string{"squares", "valuesArray16AVX2"}}, // single positions
	{LanesAVX512, []string{"lanes", "valuesArray16AVX2"}},
}

// requires matches what the generator of assembly notes above a kernel: the features
// of its instructions.
var requires = regexp.MustCompile(`// Requires: (.*)\nTEXT ·(\w+)\(SB\)`)

// An engine must ask for the features of its kernels, and for no others: one too few
// is an illegal instruction, one too many keeps it from a CPU that could run it.
func TestEnginesNeedWhatTheirKernelsUse(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	features := map[string][]Feature{} // by kernel
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range requires.FindAllStringSubmatch(string(text), -1) {
			for name := range strings.SplitSeq(m[1], ", ") {
				switch name {
				case "AVX": // AVX2 includes it, and so does AVX512F
				case "BMI":
					features[m[2]] = append(features[m[2]], BMI1)
				default:
					features[m[2]] = append(features[m[2]], Feature(name))
				}
			}
		}
	}
	for _, test := range kernelsOf {
		e, prefixes := test.engine, test.kernels
		var used []Feature
		for kernel, needs := range features {
			if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(kernel, p) }) {
				used = append(used, needs...)
			}
		}
		slices.Sort(used)
		used = slices.Compact(used)
		needs := slices.Sorted(slices.Values(e.Needs()))
		if len(used) == 0 || !slices.Equal(used, needs) {
			t.Errorf("%s needs %v, its kernels use %v", e.Name(), needs, used)
		}
	}
}

// beyondAVX2 matches what a CPU with AVX2 alone cannot run: registers and masks of
// AVX-512, and instructions that exist only there, whatever registers they name.
var beyondAVX2 = regexp.MustCompile(`\bZ\d|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b|\.Z\b|BCST` +
	`|^VP(DPWSS|TERNLOG|ERMW|ERMI2|ERMT2|BLENDM|TESTM|TESTNM|MULLQ|MOVW2M|MOVDW|SRAVW|SLLVW|SRLVW)` +
	`|^VMOVDQ(U8|U16|U32|U64|A32|A64)\b|^V[A-Z]+(32X4|64X4|64X2)\b|^K[A-Z]+[BWDQ]\b`)

// Kernels for AVX2 must not hold an instruction beyond their gate: an assembler
// chooses the form of AVX-512 without a word where one is asked for, and on a CPU
// without it that is an illegal instruction. Kernels that need AVX-512 must hold
// some, or this test is blind.
func TestKernelsKeepWithinTheirGates(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	narrow, wide := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range strings.Split(string(text), "\nTEXT ")[1:] {
			name, body, _ := strings.Cut(kernel, "(SB)")
			var beyond []string
			for line := range strings.Lines(body) {
				line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
				if beyondAVX2.MatchString(line) {
					beyond = append(beyond, line)
				}
			}
			if needsAVX512 := strings.Contains(name, "AVX512") || strings.Contains(name, "lanes"); needsAVX512 {
				wide++
				if len(beyond) == 0 {
					t.Errorf("%s: %s is said to need AVX-512 and holds none of it", file, name)
				}
			} else {
				narrow++
				if len(beyond) > 0 {
					t.Errorf("%s: %s is gated on AVX2 and holds %q", file, name, beyond[0])
				}
			}
			if strings.Contains(body, "Y0") && !strings.Contains(body, "VZEROUPPER") {
				t.Errorf("%s: %s does not end with VZEROUPPER", file, name)
			}
		}
	}
	if narrow < 2 || wide < 2 {
		t.Errorf("found %d kernels for AVX2 and %d for AVX-512", narrow, wide)
	}
}
