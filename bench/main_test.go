package bench

import (
	"os"
	"sync"
	"testing"
)

// TestMain runs the tests. Started as a command by one of them, the program is that.
func TestMain(m *testing.M) {
	beHelper()
	os.Exit(m.Run())
}

// defaultWorkload is shared by the tests of the work that is published.
var defaultWorkload = sync.OnceValues(func() (*Workload, error) { return NewWorkload(DefaultSize) })

// smallWorkload is shared by all tests.
var smallWorkload = sync.OnceValues(func() (*Workload, error) {
	return NewWorkload(Size{Positions: 64, TurnGames: 3, Games: 5, FirstGames: 2})
})

func testWorkload(t *testing.T) *Workload {
	t.Helper()
	w, err := smallWorkload()
	if err != nil {
		t.Fatal(err)
	}
	return w
}
