package solve

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// recordValues is how many values a record has in these tests: few, so that the fuzzer
// finds its way through many inputs.
const recordValues = 3

// finkelLine is the first line of a checkpoint of Finkel's rules.
const finkelLine = checkpointMagic + "\n"

// takeAll takes records from a checkpoint, three at most. It returns their values, how
// many there are, and where the last good one ends.
func takeAll(c *Checkpoint) (values []float64, records int, end int64) {
	for ; records < 3; records++ {
		part := make([]float64, recordValues)
		if !c.take(part) {
			break
		}
		values = append(values, part...)
	}
	return values, records, c.end
}

// sameBits compares values of which some may be no numbers.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// reading returns a checkpoint that reads a text, or nil when its first line is refused.
func reading(text []byte) *Checkpoint {
	c := &Checkpoint{magic: finkelLine, from: bytes.NewReader(text)}
	if _, err := c.readFirstLine(); err != nil {
		return nil
	}
	return c
}

// Whatever stands in a file, reading it as a checkpoint must fail by no more than an
// error, and what is taken from it must be the same when the rest is cut off.
func FuzzOpenCheckpoint(f *testing.F) {
	var record bytes.Buffer
	if _, err := writeRecord(&record, []float64{0.25, 0.5, 1}); err != nil {
		f.Fatal(err)
	}
	whole := append([]byte(finkelLine), record.Bytes()...)
	if _, n, _ := takeAll(reading(whole)); n != 1 {
		f.Fatalf("%d records of 1 are read", n)
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	f.Add([]byte(nil))
	f.Add(whole)
	f.Add(damaged)
	f.Add(whole[:5])
	f.Add(whole[:len(finkelLine)+6])
	f.Add(whole[:len(whole)-1])
	f.Add(append(slices.Clone(whole), record.Bytes()...)) // two records
	f.Add([]byte(finkelLine + "\xff\xff\xff\xff\xff\xff\xff\xff0000"))
	f.Add([]byte("ur solve checkpoint 2\nof the next version"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := reading(text)
		if c == nil {
			return
		}
		values, records, end := takeAll(c)
		if !c.reading && records == 3 || end > int64(max(len(text), len(finkelLine))) {
			t.Fatalf("%d records end at byte %d of %d", records, end, len(text))
		}
		cut := reading(text[:min(int(end), len(text))])
		if cut == nil {
			t.Fatal("what is left is refused")
		}
		again, more, rest := takeAll(cut)
		if more != records || rest != end || !sameBits(again, values) {
			t.Errorf("%d records, %d bytes; of these bytes alone %d, %d", records, end, more, rest)
		}
	})
}
