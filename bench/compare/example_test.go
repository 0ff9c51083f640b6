package compare_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Two files of benchmarks beside each other, and a gate that lets 3 % pass.
func ExampleCompare() {
	comparison, err := compare.Compare([]string{
		"before=testdata/compare/old.txt",
		"after=testdata/compare/new.txt",
	}, compare.Options{Filter: ".unit:(ns/eval OR us/game)"})
	if err != nil {
		fmt.Println(err)
		return
	}
	worstFirst := compare.View{Changed: true, Sort: "delta"}
	for _, table := range comparison.View(worstFirst).Tables {
		for _, row := range table.Rows {
			change := row.Cells[1].Change
			fmt.Printf("%s: %+.1f %% %s, p = %.4f\n", row.Name, 100*change.Delta, table.Unit, change.P)
		}
	}

	report, err := compare.Gate(comparison, compare.DefaultRule())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range report.With(verdict.Regression) {
		fmt.Printf("%s of %s is a regression\n", row.Unit, row.Benchmark)
	}
	// Output:
	// Value/board=array16/eval=scalar-4: -5.9 % sec/eval, p = 0.0000
	// Game/board=bits/eval=incremental-4: +19.4 % us/game, p = 0.0000
	// us/game of Game/board=bits/eval=incremental-4 is a regression
}
