package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
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

// Names that come from outside cannot command the terminal; lines of a message stay lines.
func TestReportQuotesControlCharacters(t *testing.T) {
	var stderr bytes.Buffer
	code := example.Report(&stderr, UsageError("open %s: no such file\nSee help.", "a\x1b[31m\u202eb"))
	want := "example: open a\\x1b[31m\\u202eb: no such file\nSee help.\n"
	if code != BadUsage || stderr.String() != want {
		t.Errorf("exit code %d, message %q, want %q", code, stderr.String(), want)
	}
}

// All programs name a folder in the place of a file in the same words, as bad input.
func TestReportFolder(t *testing.T) {
	folder := t.TempDir()
	_, err := os.ReadFile(folder)
	var stderr bytes.Buffer
	code := example.Report(&stderr, fmt.Errorf("reading the net: %w", err))
	if want := "example: reading the net: " + folder + " is a folder (want a file)\n"; code != BadUsage || stderr.String() != want {
		t.Errorf("exit code %d, message %q, want %q", code, stderr.String(), want)
	}
}
