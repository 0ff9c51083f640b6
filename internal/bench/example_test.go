package bench_test

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// A measurement of one engine. The oracle is measured along, since ratios refer to
// it; the figures, which differ from run to run, are left out here.
func ExampleSuite() {
	engine, err := engine.Lookup("bits/scalar")
	if err != nil {
		fmt.Println(err)
		return
	}
	suite, err := bench.LookupSuite("engines")
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := suite.Select(bench.Selection{
		Engines: []ur.Engine{engine},
		Levels:  []bench.Level{bench.Value, bench.Game},
		Size:    bench.Size{Positions: 64, TurnGames: 2, Games: 2, FirstGames: 2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	options := experiment.Options{Count: stat.MinCount, BenchTime: time.Microsecond, Seed: 1}
	run, err := experiment.Measure(context.Background(), suite.Complete(options, set))
	if err != nil {
		fmt.Println(err)
		return
	}
	results := experiment.NewResults(experiment.ReadEnvironment(), 1)
	results.Add(suite.Name, run, set.Work)
	for _, row := range results.Rows {
		fmt.Printf("%s, %s: %d samples in %s\n", row.Engine, row.Level, row.Samples, row.Unit)
	}
	// Output:
	// array16/scalar, value: 4 samples in ns/eval
	// array16/scalar, game: 4 samples in us/game
	// bits/scalar, value: 4 samples in ns/eval
	// bits/scalar, game: 4 samples in us/game
}
