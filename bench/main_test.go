package bench

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
)

// TestMain prints the header of the benchmarks once, in front of them all. Started as
// a command by a test, the program is that.
func TestMain(m *testing.M) {
	beHelper()
	flag.Parse()
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		w, err := defaultWorkload()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		w.WriteHeader(os.Stdout)
	}
	os.Exit(m.Run())
}

// defaultWorkload is shared by all benchmarks.
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
