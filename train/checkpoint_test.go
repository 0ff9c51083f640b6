package train

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// someCheckpoint returns the file of a checkpoint.
func someCheckpoint(t testing.TB) []byte {
	var file bytes.Buffer
	run := runOf(&counter{seed: 3}, 200)
	run.Save = func(c *Checkpoint) error { file.Reset(); return WriteCheckpoint(&file, c) }
	if _, err := run.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestDamagedCheckpoint cuts a file off at every byte and changes every byte.
func TestDamagedCheckpoint(t *testing.T) {
	whole := someCheckpoint(t)
	if _, err := ReadCheckpoint(bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if _, err := ReadCheckpoint(bytes.NewReader(whole[:i])); err == nil {
			t.Errorf("the first %d bytes of %d are read as a checkpoint", i, len(whole))
		}
		changed := bytes.Clone(whole)
		changed[i] ^= 4
		if _, err := ReadCheckpoint(bytes.NewReader(changed)); err == nil {
			t.Errorf("a checkpoint with byte %d changed is read", i)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	c := testkit.Must(ReadCheckpoint(bytes.NewReader(someCheckpoint(t))))(t)
	if err := runOf(&counter{seed: 4}, 0).Resume(c); err == nil || !strings.Contains(err.Error(), `{"seed":3}`) {
		t.Errorf("of other settings: %v", err)
	}
	c.Method = "fit"
	if err := runOf(&counter{seed: 3}, 0).Resume(c); err == nil || !strings.Contains(err.Error(), `"fit"`) {
		t.Errorf("of another method: %v", err)
	}
}

// FuzzReadCheckpoint reads any file, behind a first line that is right as well, and
// wants what is accepted to survive being written and read.
func FuzzReadCheckpoint(f *testing.F) {
	whole := someCheckpoint(f)
	text, err := safefile.UnmarshalLine(whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(text))
	f.Add([]byte(`{"schema":"ur.checkpoint/2"}`))
	f.Add([]byte(`{"schema":"ur.checkpoint/2","games":5,"curve":[{"games":9}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		ReadCheckpoint(bytes.NewReader(file))
		line, err := safefile.MarshalLine(json.RawMessage(file))
		if err != nil {
			return
		}
		c, err := ReadCheckpoint(bytes.NewReader(line))
		if err != nil {
			return
		}
		var again bytes.Buffer
		testkit.NoError(t, WriteCheckpoint(&again, c))
		back := testkit.Must(ReadCheckpoint(&again))(t)
		if back.Games != c.Games || !reflect.DeepEqual(back.Curve, c.Curve) {
			t.Errorf("read back %+v, wrote %+v", back, c)
		}
		runOf(new(counter), 0).Resume(c)
	})
}

// endless is a reader without an end that counts what is read.
type endless int

func (r *endless) Read(p []byte) (int, error) {
	*r += endless(len(p))
	return len(p), nil
}

// A foreign file is refused by its first line, however long it is.
func TestForeignCheckpoint(t *testing.T) {
	for _, first := range []string{"", "\n", "ur.checkpoint/1 20 aa\n",
		`{"crc":"01234567","data":{"schema":"ur.checkpoint/3",`} {
		var read endless
		if _, err := ReadCheckpoint(io.MultiReader(strings.NewReader(first), &read)); err == nil || read > 1<<16 {
			t.Errorf("%q: %d bytes are read, error %v", first, read, err)
		}
	}
}
