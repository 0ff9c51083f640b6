package record_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/record"
)

func ExampleRow_SetRatio() {
	row := record.Row{Name: "Value/board=array16/eval=avx2", Unit: "ns/eval"}
	row.SetRatio([]float64{100, 101, 99, 100, 102, 98}, []float64{50, 51, 49, 50, 52, 48})
	fmt.Printf("%.2f of the baseline, %.2f to %.2f\n", row.Ratio, row.RatioLo, row.RatioHi)
	// Output: 0.50 of the baseline, 0.49 to 0.51
}
