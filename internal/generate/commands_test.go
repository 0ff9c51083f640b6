package main

import (
	"bytes"
	"runtime"
	"testing"
)

// The reference is the same on every machine: a default that depends on the number of cores is
// printed as words.
func TestCommandReferenceIgnoresTheMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var pages [2]bytes.Buffer
	for i := range pages {
		runtime.GOMAXPROCS(2 + i)
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		t.Setenv("HOME", t.TempDir())
		for _, b := range commandBlocks() {
			if err := b.write(&pages[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(pages[0].Bytes(), pages[1].Bytes()) {
		t.Error("the reference of commands depends on the number of cores or the cache folder")
	}
}
