package testkit

import (
	"cmp"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// kernel is one function in assembly.
type kernel struct {
	name, body string        // the name is package.function
	needs      []cpu.Feature // features that the generator notes above it
	used       bool          // by an implementation
}

// requires matches the line of the generator of assembly above a kernel: the
// features of its instructions.
var requires = regexp.MustCompile(`// Requires: (.*)$`)

// packageName matches the package of the declarations beside a file of assembly.
var packageName = regexp.MustCompile(`(?m)^package (\w+)$`)

// readKernels reads the assembly of some folders for this architecture: for amd64 it is generated,
// with declarations of its own, and every kernel of arm64 needs NEON.
func readKernels(t *testing.T, folders []string) (all []*kernel) {
	t.Helper()
	for _, folder := range folders {
		for _, file := range Must(filepath.Glob(filepath.Join(folder, "*_"+runtime.GOARCH+".s")))(t) {
			stubs, always := strings.TrimSuffix(file, ".s")+".go", []cpu.Feature{cpu.NEON}
			if stem, ok := strings.CutSuffix(file, "_amd64.s"); ok {
				stubs, always = stem+"_stubs_amd64.go", nil
			}
			in := packageName.FindStringSubmatch(ReadText(t, stubs))
			FatalIf(t, in == nil, "%s names no package", stubs)
			parts := strings.Split(ReadText(t, file), "\nTEXT ·")
			for i, part := range parts[1:] {
				name, body, _ := strings.Cut(part, "(SB)")
				k := &kernel{name: in[1] + "." + name, body: body, needs: always}
				if m := requires.FindStringSubmatch(parts[i]); m != nil {
					k.needs = parseFeatures(m[1])
				}
				all = append(all, k)
			}
		}
	}
	FatalIf(t, len(all) == 0, "no kernels in %q", folders)
	return all
}

// parseFeatures reads a list of features by the generator's names. There is no gate on AVX
// alone: AVX2 includes it, and so does AVX512F.
func parseFeatures(list string) []cpu.Feature {
	var found []cpu.Feature
	names := strings.Split(list, ", ")
	for _, name := range names {
		switch name {
		case "SSE", "CMOV", "MMX+": // every amd64 has them; the last is avo's name for that of PREFETCHT0
		case "AVX":
			if !slices.Contains(names, "AVX512F") {
				found = append(found, cpu.AVX2)
			}
		case "BMI":
			found = append(found, cpu.BMI1)
		case "FMA3":
			found = append(found, cpu.FMA)
		default:
			found = append(found, cpu.Feature(name))
		}
	}
	return found
}

// CheckKernels compares the implementations of a list with the kernels of some folders. uses maps
// the name of an implementation to a pattern of the kernels, package.function, it calls.
// The test fails unless
//
//   - every kernel is used by an implementation of the list,
//   - every implementation asks for exactly the CPU features of its kernels: with one too
//     few it is an illegal instruction, with one too many it refuses a CPU that could run it,
//   - kernels hold no instruction beyond their gate, and end with VZEROUPPER.
//
// An implementation without an entry in uses must need nothing.
func CheckKernels[K cpu.Kernel](t *testing.T, list []K, uses map[string]string, folders ...string) {
	t.Helper()
	all := readKernels(t, folders)
	for _, implementation := range list {
		match := regexp.MustCompile("^(?:" + cmp.Or(uses[implementation.Name()], "-") + ")$")
		needs := []cpu.Feature{}
		for _, k := range all {
			if match.MatchString(k.name) {
				k.used = true
				needs = append(needs, k.needs...)
			}
		}
		slices.Sort(needs)
		got := append([]cpu.Feature{}, implementation.Needs()...)
		slices.Sort(got)
		Equal(t, got, slices.Compact(needs), "needs of %s, whose kernels are %s", implementation.Name(), match)
	}
	for _, k := range all {
		ErrorIf(t, !k.used, "kernel %s is used by no implementation of the list", k.name)
		checkGate(t, k)
	}
	for name := range uses {
		ErrorIf(t, !slices.ContainsFunc(list, func(k K) bool { return k.Name() == name }), "%s is not in the list", name)
	}
}

// beyondAVX2 matches code that a CPU with AVX2 alone cannot run: registers and masks of
// AVX-512, and instructions that exist only there, whatever their registers.
var beyondAVX2 = regexp.MustCompile(`\bZ\d|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b|\.Z\b|BCST` +
	`|^VP(DPWSS|TERNLOG|ERMW|ERMI2|ERMT2|BLENDM|TESTM|TESTNM|MULLQ|MOVW2M|MOVDW|SRAVW|SLLVW|SRLVW)` +
	`|^VMOVDQ(U8|U16|U32|U64|A32|A64)\b|^V[A-Z]+(32X4|64X4|64X2)\b|^K[A-Z]+[BWDQ]\b`)

// checkGate fails the test where a kernel for AVX2 holds an instruction beyond its gate: an
// assembler silently chooses the AVX-512 form where one is asked for, and on a CPU without
// it that is an illegal instruction. Kernels that need AVX-512 must hold some, or the check
// is blind.
func checkGate(t *testing.T, k *kernel) {
	t.Helper()
	var beyond []string
	for line := range strings.Lines(k.body) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		if beyondAVX2.MatchString(line) {
			beyond = append(beyond, line)
		}
	}
	wide := cpu.TierOf(k.needs) == cpu.TierAVX512
	switch {
	case runtime.GOARCH == "arm64": // every CPU has all of it
	case wide && len(beyond) == 0:
		t.Errorf("%s is gated on AVX-512 and holds none of its instructions", k.name)
	case !wide && len(beyond) > 0:
		t.Errorf("%s is gated on AVX2 and holds %q", k.name, beyond[0])
	}
	ErrorIf(t, strings.Contains(k.body, "Y0") && !strings.Contains(k.body, "VZEROUPPER"), "%s does not end with VZEROUPPER", k.name)
}
