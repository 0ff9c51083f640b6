package solve

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Whatever stands in a file, reading it as a checkpoint must fail by no more than an error, and only
// sound pairs are taken from it.
func FuzzOpenCheckpoint(f *testing.F) {
	c, err := newCheckpoint(finkel.rulesOf(1))
	if err != nil {
		f.Fatal(err)
	}
	head := c.encode()
	f.Add([]byte(nil))
	f.Add(head)
	f.Add(head[:5])
	f.Add(append(bytes.Clone(head), make([]byte, 8*c.entries()+4)...))
	f.Add(append(bytes.Clone(head), bytes.Repeat([]byte{1}, 8*c.entries()+4)...))
	f.Add([]byte("ur solve checkpoint 1\nof the version before"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := newCheckpoint(finkel.rulesOf(1))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "checkpoint")
		writeFile(t, name, text)
		if c.file, err = os.Open(name); err != nil {
			t.Fatal(err)
		}
		defer c.file.Close()
		err = c.read()
		if begins := bytes.HasPrefix(c.encode(), text[:min(len(text), int(c.dataOffset()))]); begins != (err == nil) {
			t.Fatalf("error %v", err)
		}
		if c.sound > c.written || c.written > 1 || c.take(0, make([]float64, c.entries())) != (c.sound == 1) {
			t.Fatalf("%d of %d pairs", c.sound, c.written)
		}
	})
}
