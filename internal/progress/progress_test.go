package progress

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Without a terminal, progress is a line after silence, and none once the task has ended or
// while other lines are printed.
func TestProgressLines(t *testing.T) {
	t.Setenv(progressOff, "")
	synctest.Test(t, testProgressLines)
}

func testProgressLines(t *testing.T) {
	var stderr bytes.Buffer
	games := New(&stderr, false, Counts, 2000, "games")
	games.Add(1200)
	games.printTick()
	games.Show("measuring", 3, 4)
	games.printTick()
	games.Clear()
	games.printTick()
	part := New(&stderr, false, Parts, 0, "reading")
	part.Done(0.25)
	part.printTick()
	part.Clear()
	wait := New(&stderr, false, Waits, 0, "building")
	time.Sleep(15*time.Second + 1) // the first line after 5 seconds, the next one after 10 more
	wait.Clear()
	const want = "games: 1,200 of 2,000\nmeasuring: 3 of 4\nreading: 25 %\nbuilding: 5s so far\nbuilding: 15s so far\n"
	testkit.Equal(t, stderr.String(), want, "printed")

	stderr.Reset()
	busy := New(talking{&stderr}, false, Waits, 0, "building")
	defer busy.Clear()
	busy.printTick()
	testkit.Equal(t, stderr.String(), "", "printed")
	words := New(&stderr, false, Words, 0, "")
	defer words.Clear()
	words.printTick()
	words.Describe("building")
	words.printTick()
	testkit.Equal(t, stderr.String(), "building\n", "printed")
}

// talking is an output with a line just now.
type talking struct{ io.Writer }

func (talking) Quiet() time.Duration { return 0 }
