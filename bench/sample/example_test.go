package sample_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/sample"
)

// Two ways to repeat a text are measured in turns.
func Example() {
	repeat := func(name string, pass func() string) sample.Benchmark {
		return sample.Benchmark{
			Name: "Repeat/way=" + name, Unit: "ns/text", Base: "Repeat/way=plus",
			Check: func() error {
				if got := pass(); got != strings.Repeat("x", 100) {
					return fmt.Errorf("%s makes %q", name, got)
				}
				return nil
			},
			Pass: func() (float64, error) { return float64(len(pass()) / 100), nil },
		}
	}
	run, err := sample.Measure(context.Background(), sample.Options{Count: 4, BenchTime: time.Microsecond, Benchmarks: []sample.Benchmark{
		repeat("plus", func() (s string) {
			for range 100 {
				s += "x"
			}
			return s
		}),
		repeat("library", func() string { return strings.Repeat("x", 100) }),
	}})
	if err != nil {
		panic(err)
	}
	for _, s := range run.Series {
		fmt.Println(s.Benchmark.Name, len(s.Times))
	}
	// Output:
	// Repeat/way=plus 4
	// Repeat/way=library 4
}
