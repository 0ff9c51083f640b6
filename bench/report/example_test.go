package report_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/report"
)

func ExampleRead() {
	file, err := report.Read("old.txt",
		[]byte("pkg: example.com/m\nBenchmarkParse/size=8-4 100 1200 ns/op 3 allocs/op\n"))
	if err != nil {
		panic(err)
	}
	for _, s := range file.Series {
		fmt.Printf("%s: %.3g %s, better %+d\n", s.Name, s.Samples, s.Unit, report.Better(s.Unit))
	}
	// Output:
	// Parse/size=8-4: [1.2e-06] sec/op, better -1
	// Parse/size=8-4: [3] allocs/op, better -1
}
