package main

import (
	"bytes"
	"os"
	"testing"
)

// The tables of the documentation are those of the records.
func TestDocumentationIsOfTheRecords(t *testing.T) {
	const root = "../../.."
	page, err := os.ReadFile(root + "/docs/ab.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := fill(page, root)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, want) {
		t.Error("docs/ab.md is not of the records: run go run ./bench/ab/truth -docs docs/ab.md")
	}
	if blocks := block.FindAll(page, -1); len(blocks) != 3 {
		t.Errorf("%d blocks, want 3", len(blocks))
	}
	if _, err := fill([]byte("<!-- ab:x:begin -->\n\n<!-- ab:x:end -->"), root); err == nil {
		t.Error("there is a table x")
	}
}
