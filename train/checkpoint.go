package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// Checkpoint is a run between two steps. A run resumed from it has the same result as an uninterrupted run.
type Checkpoint struct {
	Schema   string          `json:"schema"` // ur.checkpoint/2
	Method   string          `json:"method"`
	Settings json.RawMessage `json:"settings"` // settings of the learner
	Games    int64           `json:"games"`    // learned from so far
	Seconds  float64         `json:"seconds"`  // used so far
	Next     int64           `json:"next"`     // games at the next measurement
	Curve    Curve           `json:"curve"`
	State    json.RawMessage `json:"state"` // the learner's state
}

// A checkpoint file is one line from [safefile.MarshalLine], whose checksum detects truncated or changed files.
const (
	checkpointSchema = "ur.checkpoint/2"

	// maxCheckpoint bounds the memory for a foreign file, in bytes.
	maxCheckpoint = 1 << 28
)

// WriteCheckpoint writes a checkpoint file.
func WriteCheckpoint(w io.Writer, c *Checkpoint) error {
	c.Schema = checkpointSchema
	line, err := safefile.MarshalLine(c)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	_, err = w.Write(line)
	return err
}

// ReadCheckpoint reads a checkpoint file up to the end of r. Errors name the file's fault.
func ReadCheckpoint(r io.Reader) (*Checkpoint, error) {
	in := bufio.NewReader(r)
	begin, err := in.Peek(64) // a foreign file of any size ends here
	if err != nil && err != io.EOF {
		return nil, err
	}
	if want := `"schema":"` + checkpointSchema + `"`; !bytes.Contains(begin, []byte(want)) {
		return nil, fmt.Errorf("not a checkpoint of this version (want %s at the beginning)", want)
	}
	line, err := io.ReadAll(io.LimitReader(in, maxCheckpoint))
	if err != nil {
		return nil, err
	}
	text, err := safefile.UnmarshalLine(line)
	if err != nil {
		return nil, fmt.Errorf("the checkpoint is damaged: %w", err)
	}
	c := new(Checkpoint)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return c, c.check()
}

// check returns an error for a checkpoint that no run would have written.
func (c *Checkpoint) check() error {
	if c.Schema != checkpointSchema {
		return fmt.Errorf("checkpoint: schema is %q (want %q)", c.Schema, checkpointSchema)
	}
	if c.Games < 0 || c.Next < 0 || c.Seconds < 0 {
		return errors.New("checkpoint: games and seconds must not be negative")
	}
	before := int64(0)
	for _, p := range c.Curve {
		if p.Games < before || p.Games > c.Games {
			return fmt.Errorf("checkpoint: the curve has a point at %d games (want %d to %d)", p.Games, before, c.Games)
		}
		before = p.Games
	}
	return nil
}

// newCheckpoint returns a run as it stands.
func (r *Run) newCheckpoint() (*Checkpoint, error) {
	settings, err := settingsOf(r.Config)
	if err != nil {
		return nil, err
	}
	state, err := json.Marshal(r.Learner.State())
	if err != nil {
		return nil, fmt.Errorf("state of %s: %w", r.Method.Name, err)
	}
	return &Checkpoint{
		Method: r.Method.Name, Settings: settings, State: state,
		Games: r.games, Seconds: r.elapsed().Seconds(), Next: r.next, Curve: r.curve,
	}, nil
}

// Resume puts a run that has not begun into a checkpoint's state. The method and the settings must be the run's own.
func (r *Run) Resume(c *Checkpoint) error {
	if c.Method != r.Method.Name {
		return fmt.Errorf("the checkpoint is for %q (want %q)", c.Method, r.Method.Name)
	}
	settings, err := settingsOf(r.Config)
	if err != nil {
		return err
	}
	if !bytes.Equal(settings, c.Settings) {
		return fmt.Errorf("the checkpoint has the settings %s (want %s)", c.Settings, settings)
	}
	if err := setState(r.Learner, c.State); err != nil {
		return fmt.Errorf("state of %s: %w", c.Method, err)
	}
	r.games, r.next, r.curve = c.Games, c.Next, c.Curve
	const century = 100 * 365 * 24 * 3600 // a number from a file may be any
	r.before = time.Duration(min(c.Seconds, century) * float64(time.Second))
	return nil
}

// setState puts a learner into a checkpoint's state, or leaves it unchanged and returns an error that names the fault.
func setState(l Learner, text json.RawMessage) error {
	now := reflect.ValueOf(l.State())
	state := reflect.New(now.Type()).Elem()
	err := json.Unmarshal(text, state.Addr().Interface())
	if err == nil && now.Kind() == reflect.Struct {
		err = checkShape(state, now)
	}
	if err != nil {
		return err
	}
	return l.SetState(state.Interface())
}

// checkShape returns an error for a struct that cannot stand for another one: see [Learner].State.
func checkShape(got, want reflect.Value) error {
	for i := range got.NumField() {
		f, x, y := got.Type().Field(i), got.Field(i), want.Field(i)
		switch {
		case !f.IsExported() || f.Tag.Get("length") == "any":
			continue
		case x.CanInt() && x.Int() < 0:
			return fmt.Errorf("%s is negative: %d", f.Name, x.Int())
		case x.Kind() == reflect.Pointer && x.IsNil() != y.IsNil():
			return fmt.Errorf("%s is missing or has no place", f.Name)
		case x.Kind() == reflect.Slice && x.Len() != y.Len():
			return fmt.Errorf("%s has the length %d (want %d)", f.Name, x.Len(), y.Len())
		}
		var err error
		switch {
		case x.Kind() == reflect.Pointer && !x.IsNil():
			err = checkShape(x.Elem(), y.Elem())
		case x.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			for k := 0; k < x.Len() && err == nil; k++ {
				err = checkShape(x.Index(k), y.Index(k))
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}
