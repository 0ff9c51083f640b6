package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// Under "go run" and "go test" the commit is that of the checkout, since the
// program does not carry it.
func TestVersionNamesTheCommitOfTheCheckout(t *testing.T) {
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("not a checkout with git: ", err)
	}
	got, want := readVersion().Commit, strings.TrimSpace(string(head))
	if strings.TrimSuffix(got, "+dirty") != want {
		t.Errorf("commit %q, want %s, with +dirty behind it or not", got, want)
	}
}
