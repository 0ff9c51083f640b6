// Package testkit holds what tests of several packages share: files damaged on purpose, golden
// files, rule sets by name, the flag -long, and the checks of kernels.
package testkit

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update is the flag -update of tests that compare with files.
var Update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Golden compares text with a file under testdata. With "go test -update" it writes the
// file instead.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s\n(\"go test -update\" in this folder accepts it)", file, got, want)
	}
}
