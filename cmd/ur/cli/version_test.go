package cli

import "testing"

// A test carries no commit, and the checkout that it is run in is none of its business.
func TestVersionTakesNoCommitOfTheWorkingFolder(t *testing.T) {
	if got := readVersion().Commit; got != "" {
		t.Errorf("commit %q of a program that was built without one", got)
	}
}
