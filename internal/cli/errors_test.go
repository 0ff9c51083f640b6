package cli

import (
	"context"
	"errors"
	"testing"
)

func TestExitCodes(t *testing.T) {
	tests := map[int]error{
		Done:               nil,
		Failure:            errors.New("failure"),
		BadUsage:           UsageError("usage"),
		FailedVerification: VerificationError("verification"),
		Inconclusive:       InconclusiveError("inconclusive"),
		Interrupted:        context.Canceled,
	}
	for want, err := range tests {
		if got := ExitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}
