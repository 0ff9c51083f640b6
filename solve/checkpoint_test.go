package solve

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// takeAll returns the values of a checkpoint in games of two pieces, how many layers it
// has, and where its last good record ends.
func takeAll(c *Checkpoint) (values Values, layers int, end int64) {
	values = NewValues(2)
	for _, l := range []layer{{1, 1}, {1, 2}, {2, 2}} {
		part := values.pairOf(l.own, l.opp)
		if !c.take(part) {
			clear(part) // a bad record may have been read halfway
			break
		}
		layers++
	}
	return values, layers, c.end
}

// sameBits compares values of which some may be no numbers.
func sameBits(a, b Values) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// Whatever stands in a file, opening it as a checkpoint must fail by no more than an
// error and leave it as it is, and what is taken from it must be the same when the rest
// is cut off.
func FuzzOpenCheckpoint(f *testing.F) {
	path := filepath.Join(f.TempDir(), "checkpoint")
	c, err := OpenCheckpoint(path)
	if err != nil {
		f.Fatal(err)
	}
	solved(f, 1, Options{Checkpoint: c}) // one record
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	f.Add([]byte(nil))
	f.Add(whole)
	f.Add(damaged)
	f.Add(whole[:5])
	f.Add(whole[:len(checkpointMagic)+6])
	f.Add(whole[:len(whole)-1])
	f.Add(append(slices.Clone(whole), whole[len(checkpointMagic):]...)) // a record too many
	f.Add([]byte(checkpointMagic + "\xff\xff\xff\xff\xff\xff\xff\xff0000"))
	f.Add([]byte("ur solve checkpoint 2\nof the next version"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "checkpoint")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := OpenCheckpoint(path)
		if err != nil {
			if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
				t.Fatalf("a file that is refused was changed: %q", after)
			}
			return
		}
		values, layers, end := takeAll(c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(after, []byte(checkpointMagic)) || end > int64(len(after)) {
			t.Fatalf("%d layers end at byte %d of %d, %v", layers, end, len(after), err)
		}
		if err := os.Truncate(path, end); err != nil {
			t.Fatal(err)
		}
		cut := openCheckpoint(t, path)
		defer cut.Close()
		again, more, rest := takeAll(cut)
		if more != layers || rest != end || !sameBits(again, values) {
			t.Errorf("%d layers, %d bytes; of these bytes alone %d, %d", layers, end, more, rest)
		}
	})
}
