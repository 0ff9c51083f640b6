package frame

import (
	"errors"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// TestFailureOf finds the reason of a failure in the output of a test binary.
func TestFailureOf(t *testing.T) {
	for _, test := range []struct{ out, messages, want string }{
		{"--- FAIL: BenchmarkA\n    a_test.go:7: no connection: refused\nFAIL\n", "", "no connection: refused"},
		{"--- FAIL: BenchmarkA\n    a_test.go:7: \n        \tError Trace:\ta_test.go:7\n        \tError:      \t" +
			"Received unexpected error:\n        \t            \tno connection\n        \tTest:       \tBenchmarkA\nFAIL\n", "",
			"Received unexpected error: no connection"},
		{"--- FAIL: BenchmarkA\n    a_test.go:7: \n        \tError Trace:\ta_test.go:7\n        \tError:      \t" +
			"Should be true\n        \tTest:       \tBenchmarkA\nFAIL\n", "", "Should be true"},
		{"--- BENCH: BenchmarkB\n    b_test.go:3: fine\n--- FAIL: BenchmarkA\n    a_test.go:5: begins\n    kit.go:7: is late\n--- BENCH: BenchmarkC\n    c_test.go:3: fine\nFAIL\n",
			"", "is late"},
		{"", "panic: no\n\ngoroutine 7 [running]:\n\t/a/a_test.go:9 +0x1d\n", "panic: no"},
		{"goos: linux\n", "flag provided but not defined: -x\nUsage of /tmp/0.test:\n  -test.v\n    \tverbose\n", "flag provided but not defined: -x"},
		{"", "missing -config FILE\nUsage of /tmp/0.test:\n  -test.v\n    \tverbose\n", "missing -config FILE"},
		{"goos: linux\nno database\nBenchmarkA\nFAIL\n", "", "no database"},
		{"FAIL\n", "", "the process ends by exit status 1 and prints no reason"},
	} {
		err := &ProgramError{errors.New("exit status 1"), test.messages}
		testkit.Equal(t, FailureOf([]byte(test.out), err).Error(), test.want, "%q, %q", test.out, test.messages)
	}
}

// TestProcessError keeps the line to which an indented one belongs, as in the advice of go.
func TestProcessError(t *testing.T) {
	for messages, want := range map[string]string{
		"go: downloading a\ngo: updates to go.mod needed; to update it:\n\tgo mod tidy\n": "exit status 1: " +
			"go: updates to go.mod needed; to update it: go mod tidy",
		"one\ntwo\n":        "exit status 1: two",
		"\tonly indented\n": "exit status 1: only indented",
		"":                  "exit status 1",
	} {
		testkit.Equal(t, (&ProgramError{errors.New("exit status 1"), messages}).Error(), want, "%q", messages)
	}
}
