package doctor

import (
	"context"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// One run of a command is a sample by both clocks, and each has its own noise: here the
// wall's is disturbed in every third run, and the processors' never.
func TestCommandIsMeasuredByBothClocks(t *testing.T) {
	runs := 0
	c := &Command{Count: 10, Seed: 1, Time: func(context.Context) (cpu, wall time.Duration, err error) {
		runs++
		cpu = 20*time.Millisecond + time.Duration(runs%2)*10*time.Microsecond
		wall = cpu
		if runs%3 == 0 {
			wall *= 3
		}
		return cpu, wall, nil
	}}
	rule := compare.DefaultRule()
	noise, wall, err := Against{
		Engine: "mine", Count: 10, MaxRegress: rule.MaxRegress, Pair: c.Pair, Wall: c.Wall,
		Judge: func(p stat.Pair) compare.Finding { return rule.Judge([]stat.Pair{p})[0] },
	}.measure(t.Context())
	if err != nil || wall == nil || runs != 40 {
		t.Fatalf("%d runs, wall %v, error %v; want 40", runs, wall, err)
	}
	if noise.Clock != "cpu" || wall.Clock != "wall" || noise.Spread > 0.001 || wall.Spread < 0.5 {
		t.Errorf("by the processors %+v, by the wall %+v", noise, *wall)
	}
	if noise.BenchTime != "20.01ms" && noise.BenchTime != "20ms" {
		t.Errorf("a run takes %s, want 20 ms", noise.BenchTime)
	}
	if d := noise.SideBySide.Detectable; d <= 0 || d > 0.01 || wall.SideBySide.Detectable < 0.2 && wall.SideBySide.Detectable != 0 {
		t.Errorf("detectable %v and %v", d, wall.SideBySide.Detectable)
	}
	if _, err := c.Pair(t.Context(), 0, 0.05, true); err == nil {
		t.Error("a slowdown was planted in a command")
	}
}
