package source

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// givenTestFlags are the flags of package testing that the user may give to the test programs.
var givenTestFlags = []string{"short", "parallel", "skip", "failfast", "fullpath"}

// ParseTestArgs returns arguments of test programs as the programs take them, from those of "go test": -short becomes
// -test.short, and what stands behind -args stays as it is.
func ParseTestArgs(line string) ([]string, error) {
	if line == "" {
		return nil, nil
	}
	words, err := process.SplitWords(line, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%w (want words as of a shell, as in -short -args -config FILE)", err)
	}
	for i, word := range words {
		flag, isFlag := strings.CutPrefix(strings.Replace(word, "--", "-", 1), "-")
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "test."), "=")
		switch {
		case !isFlag:
		case name == "args":
			return slices.Delete(words, i, i+1), nil
		case slices.Contains(givenTestFlags, name):
			words[i] = "-test." + strings.TrimPrefix(flag, "test.")
		case testFlag().MatchString(name):
			return nil, fmt.Errorf("-%s cannot be passed on: each run sets it, or it changes the output (want flags of the tests, or -%s)", name, strings.Join(givenTestFlags, ", -"))
		case buildFlag().MatchString(name):
			return nil, fmt.Errorf("-%s is a flag of the build (want GOFLAGS=-%s)", name, flag)
		}
	}
	return words, nil
}

// testFlag matches the other ones, which the run sets or whose output is not that of benchmarks, and flags of the build.
var testFlag, buildFlag = text.Regexp(`^(bench|benchmem|benchtime|blockprofile(rate)?|count|cover\w*|cpu(profile)?|fuzz\w*|json|list|` +
	`mem(profile(rate)?)|mutexprofile(fraction)?|outputdir|paniconexit0|run|shuffle|timeout|trace|v)$`),
	text.Regexp(`^(race|msan|asan|tags|gcflags|asmflags|ldflags|mod|modfile|overlay|pgo|toolexec|trimpath|vet)$`)
