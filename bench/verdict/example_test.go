package verdict_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A family judges benchmarks together, so many rows do not cause false alarms.
func ExampleFamily() {
	f := verdict.Family{Rule: verdict.DefaultRule()}
	slower, same := f.Add(false), f.Add(false)
	for round := range 20 {
		noise := 1 + 0.002*float64(round%2*2-1) // disturbs one side, then the other
		if err := slower.Add(100, 112*noise); err != nil {
			fmt.Println(err)
			return
		}
		if err := same.Add(50, 50*noise); err != nil {
			fmt.Println(err)
			return
		}
	}
	f.Look(true)
	fmt.Printf("%s %+.1f %%, %s\n", slower.Verdict, 100*slower.Delta, same.Verdict)
	// Output: slower +12.0 %, not-slower
}

// Shift estimates the center of differences, with an interval of any level.
func ExampleShift() {
	s := verdict.NewShift([]float64{1, 2, 3, 4, 5, 6, 7, 8})
	fmt.Printf("%.1f, %.1f to %.1f\n", s.Center(), s.Lower(0.025), s.Upper(0.025))
	// Output: 4.5, 2.0 to 7.0
}

// Holm corrects p-values for the number of tests.
func ExampleHolm() {
	fmt.Println(verdict.Holm([]float64{0.01, 0.04, 0.03}))
	// Output: [0.03 0.06 0.06]
}

// Two independent samples are compared without pairs.
func ExampleNewSides() {
	s := verdict.NewSides([]float64{10, 11, 12, 13}, []float64{20, 21, 22, 23})
	fmt.Printf("%.0f higher; p of not above 0: %.3f, of not below 0: %.3f\n", s.Center(), s.Above(0), s.Below(0))
	// Output: 10 higher; p of not above 0: 0.014, of not below 0: 1.000
}
