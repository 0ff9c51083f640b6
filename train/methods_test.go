package train

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/solvetest"
)

// smallLearner returns a learner of a method that is quick to test: the fields that a
// configuration has are set to small values.
func smallLearner(t *testing.T, m Method, parallel int) Learner {
	t.Helper()
	c := m.New()
	for name, value := range map[string]any{
		"Seed": uint64(5), "Pieces": 2, "Parallel": parallel, "Hidden": "16,5", "Positions": int64(50_000), "Pairs": 6, "Lanes": 16,
		"Table": solvetest.Table(t, 2),
	} {
		field := reflect.ValueOf(c).Elem().FieldByName(name)
		if field.IsValid() {
			field.Set(reflect.ValueOf(value))
		}
	}
	if field := reflect.ValueOf(c).Elem().FieldByName("Games"); field.IsValid() && field.Kind() == reflect.Int {
		field.SetInt(64) // of a pair; of a run where it is an int64
	}
	l, err := c.Learner(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// learnerOf returns the learner of a configuration, of the type that it has.
func learnerOf[L Learner](t testing.TB, c Config) (learner L, err error) {
	t.Helper()
	l, err := c.Learner(t.Context())
	learner, _ = l.(L)
	return learner, err
}

// steps takes steps, and returns the state behind them.
func steps(t *testing.T, l Learner, n int) string {
	t.Helper()
	for range n {
		if games, err := l.Step(t.Context()); err != nil || games < 1 {
			t.Fatalf("a step of %d games: %v", games, err)
		}
	}
	return stateOf(t, l)
}

// stateOf returns the state of a learner as a checkpoint has it.
func stateOf(t testing.TB, l Learner) string {
	t.Helper()
	state, err := json.Marshal(l.State())
	if err != nil {
		t.Fatal(err)
	}
	return string(state)
}

// written returns the result of a learner.
func written(t *testing.T, l Learner) string {
	t.Helper()
	var out bytes.Buffer
	if err := (&Run{Learner: l}).WriteResult(&out, Provenance{Command: "test"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Every method keeps the promises of [Learner]: the same bits on any number of threads and
// over an interruption, and the same state after an error.
func TestMethods(t *testing.T) {
	const before, after = 3, 2
	names := map[string]bool{}
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) {
			whole := smallLearner(t, m, 4)
			if names[m.Name] {
				t.Errorf("method %q is listed twice", m.Name)
			}
			names[m.Name] = true
			half := steps(t, whole, before)
			end := steps(t, whole, after)
			if half == end {
				t.Fatal("steps change nothing")
			}
			one := smallLearner(t, m, 1)
			if steps(t, one, before) != half {
				t.Error("another state on one thread")
			}
			stopped(t, one, half)
			resumed := smallLearner(t, m, 2)
			if err := setState(resumed, []byte(half)); err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"", "{", "[]", `{"params":[1]}`, `"x"`} {
				if setState(resumed, []byte(bad)) == nil {
					t.Errorf("the state %q was taken", bad)
				}
			}
			for name, l := range map[string]Learner{"stopped": one, "resumed": resumed} {
				if steps(t, l, after) != end || written(t, l) != written(t, whole) {
					t.Errorf("a %s learner learns something else", name)
				}
			}
		})
	}
}

// A step of td that diverges leaves the state unchanged, so the learner can be continued and saved.
func TestDivergedStepChangesNothing(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		l, err := learnerOf[*tdLearner](t, &TDConfig{NetConfig: NetConfig{Pieces: 2, Hidden: "4"}, Sequential: sequential})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, l, 1)
		for i := range l.model.Params {
			l.model.Params[i] = math.MaxFloat32
		}
		l.model.Changed()
		before := steps(t, l, 0)
		if _, err := l.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "no longer a number") {
			t.Fatalf("sequential %t: error %v, want one of diverged weights", sequential, err)
		}
		if steps(t, l, 0) != before {
			t.Errorf("sequential %t: the step changed the state", sequential)
		}
	}
}

// stopped stops steps of a learner at several times. A step that was stopped leaves the
// state as it was; the state of one that was not is set back.
func stopped(t *testing.T, l Learner, state string) {
	t.Helper()
	stop := func(after time.Duration) (took time.Duration) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if after == 0 {
			cancel()
		} else {
			defer time.AfterFunc(after, cancel).Stop()
		}
		begin := time.Now()
		_, err := l.Step(ctx)
		took = time.Since(begin)
		if err == nil {
			if err := setState(l, []byte(state)); err != nil {
				t.Fatal(err)
			}
		} else if steps(t, l, 0) != state {
			t.Fatalf("a step that was stopped after %v changed the state (%v)", after, err)
		}
		return took
	}
	stop(0)
	step := min(stop(time.Hour), stop(time.Hour))
	const stops = 3
	for i := range stops {
		stop(step * time.Duration(i+1) / stops)
	}
}
