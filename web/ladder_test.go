package web

import (
	"path/filepath"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
)

// A machine without measured engines has no ladder to show.
func TestLadderLeavesOutOtherSuites(t *testing.T) {
	records, err := record.Read(filepath.Join("..", "results"))
	if err != nil {
		t.Fatal(err)
	}
	ladder := ladderOf(records)
	if n := len(ladder.Records); n == 0 || n >= len(records) {
		t.Errorf("%d ladders of %d machines, want some of them", n, len(records))
	}
	for _, r := range ladder.Records {
		if len(r.Rows) == 0 || r.Date == "" {
			t.Errorf("%s has %d engines, date %q", r.Name, len(r.Rows), r.Date)
		}
	}
}
