// Package kerneltest is what the tests of packages with assembly have in common: kernels
// must use the CPU features that they are gated on and no others, and keep to the memory
// they are given.
package kerneltest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// kernel is one function of the assembly in the folder of a test.
type kernel struct {
	file, name, body string
	needs            []cpu.Feature // as the generator notes them above it
}

// requires matches what the generator of assembly notes above a kernel: the features
// of its instructions.
var requires = regexp.MustCompile(`// Requires: (.*)$`)

// kernels reads the assembly of the package under test.
func kernels(t *testing.T) []kernel {
	t.Helper()
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	var all []kernel
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "\nTEXT ·")
		for i, part := range parts[1:] {
			name, body, _ := strings.Cut(part, "(SB)")
			k := kernel{file: file, name: name, body: body}
			if m := requires.FindStringSubmatch(parts[i]); m != nil {
				k.needs = features(m[1])
			}
			all = append(all, k)
		}
	}
	return all
}

// features reads a list of features by the generator's names.
func features(list string) []cpu.Feature {
	var found []cpu.Feature
	for name := range strings.SplitSeq(list, ", ") {
		switch name {
		case "AVX": // AVX2 includes it, and so does AVX512F
		case "BMI":
			found = append(found, cpu.BMI1)
		default:
			found = append(found, cpu.Feature(name))
		}
	}
	return found
}

// Needs fails the test unless an engine asks for the features of its kernels, which are
// those whose names match, and of what else it uses, and for no others: one too few is an
// illegal instruction, one too many keeps it from a CPU that could run it.
func Needs(t *testing.T, engine cpu.Kernel, kernelNames string, others ...cpu.Kernel) {
	t.Helper()
	match := regexp.MustCompile("^(?:" + kernelNames + ")$")
	var used []cpu.Feature
	for _, k := range kernels(t) {
		if match.MatchString(k.name) {
			used = append(used, k.needs...)
		}
	}
	if len(used) == 0 {
		t.Errorf("%s: no kernel is named %s", engine.Name(), kernelNames)
	}
	for _, other := range others {
		used = append(used, other.Needs()...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	if needs := slices.Sorted(slices.Values(engine.Needs())); !slices.Equal(used, needs) {
		t.Errorf("%s needs %v, its kernels use %v", engine.Name(), needs, used)
	}
}

// beyondAVX2 matches what a CPU with AVX2 alone cannot run: registers and masks of
// AVX-512, and instructions that exist only there, whatever registers they name.
var beyondAVX2 = regexp.MustCompile(`\bZ\d|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b|\.Z\b|BCST` +
	`|^VP(DPWSS|TERNLOG|ERMW|ERMI2|ERMT2|BLENDM|TESTM|TESTNM|MULLQ|MOVW2M|MOVDW|SRAVW|SLLVW|SRLVW)` +
	`|^VMOVDQ(U8|U16|U32|U64|A32|A64)\b|^V[A-Z]+(32X4|64X4|64X2)\b|^K[A-Z]+[BWDQ]\b`)

// Gates fails the test where a kernel for AVX2 holds an instruction beyond its gate: an
// assembler chooses the form of AVX-512 without a word where one is asked for, and on a
// CPU without it that is an illegal instruction. Kernels that need AVX-512, whose names
// match wide, must hold some, or the check is blind; and all end with VZEROUPPER.
func Gates(t *testing.T, wide string) {
	t.Helper()
	needsAVX512 := regexp.MustCompile("^(?:" + wide + ")$")
	for _, k := range kernels(t) {
		var beyond []string
		for line := range strings.Lines(k.body) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
			if beyondAVX2.MatchString(line) {
				beyond = append(beyond, line)
			}
		}
		switch {
		case needsAVX512.MatchString(k.name) && len(beyond) == 0:
			t.Errorf("%s: %s is said to need AVX-512 and holds none of it", k.file, k.name)
		case !needsAVX512.MatchString(k.name) && len(beyond) > 0:
			t.Errorf("%s: %s is gated on AVX2 and holds %q", k.file, k.name, beyond[0])
		}
		if strings.Contains(k.body, "Y0") && !strings.Contains(k.body, "VZEROUPPER") {
			t.Errorf("%s: %s does not end with VZEROUPPER", k.file, k.name)
		}
	}
}
