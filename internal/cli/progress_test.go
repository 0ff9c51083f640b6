package cli

import (
	"bytes"
	"testing"
	"time"
)

// Without a terminal, progress is a line after silence, and none once the task has ended or
// while other lines are printed.
func TestProgressLines(t *testing.T) {
	t.Setenv(progressOff, "")
	var stderr bytes.Buffer
	env := &Env{Stderr: &stderr}
	games := NewProgress(env, 2000, "games")
	games.Add(1200)
	games.tick()
	games.Show("measuring", 3, 4)
	games.tick()
	games.Clear()
	games.tick()
	part := NewPartBar(env, "reading")
	part.Done(0.25)
	part.tick()
	part.Clear()
	wait := NewWait(env, "building")
	for _, ago := range []time.Duration{5 * time.Second, 15 * time.Second} { // no two lines are the same
		wait.begun = time.Now().Add(-ago)
		wait.tick()
	}
	wait.Clear()
	const want = "games: 1,200 of 2,000\nmeasuring: 3 of 4\nreading: 25 %\nbuilding: 5s so far\nbuilding: 15s so far\n"
	if stderr.String() != want {
		t.Errorf("printed %q, want %q", stderr.String(), want)
	}

	stderr.Reset()
	out := &Output{To: &stderr}
	busy := NewWait(&Env{Stderr: out}, "building")
	defer busy.Clear()
	if _, err := out.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	busy.tick()
	if stderr.String() != "a line\n" {
		t.Errorf("printed %q beside other lines", stderr.String())
	}
}
