package bench_test

import (
	"fmt"
	"regexp"

	"github.com/seed-09dcdc84/ur/bench"
)

// Names have keys, so benchstat can pivot on them.
func ExampleSuite_Select() {
	suite, err := bench.LookupSuite(bench.EnginesSuite)
	if err != nil {
		panic(err)
	}
	set, err := suite.Select(bench.Selection{Match: regexp.MustCompile("/board=array16/eval=scalar$"),
		Scopes: []bench.Scope{bench.Value, bench.Game}})
	for _, b := range set.Benchmarks {
		fmt.Println(b.Name, b.Unit, err)
	}
	// Output:
	// Value/board=array16/eval=scalar ns/eval <nil>
	// Game/board=array16/eval=scalar us/game <nil>
}
