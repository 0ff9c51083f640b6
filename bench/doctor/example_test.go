package doctor_test

import (
	"errors"
	"fmt"
	"testing/fstest"

	"github.com/seed-09dcdc84/ur/bench/doctor"
	"github.com/seed-09dcdc84/ur/bench/sample"
)

func Example() {
	files := fstest.MapFS{"proc/loadavg": {Data: []byte("3.5 3 3 4/200 4242\n")}}
	host := doctor.Host{FS: files, OS: "linux", CPU: "Example 9000", Cores: 4}
	report, err := host.Examine(func() (*sample.Run, error) { return nil, errors.New("not measured") })
	for _, f := range report.Findings {
		if f.Verdict == doctor.Bad {
			fmt.Printf("%s: %s\n", f.What, f.Measured)
		}
	}
	fmt.Println(report.Verdict, err)
	// Output:
	// load: 3.5 3 3 over 1, 5 and 15 minutes, on 4 cores
	// bad not measured
}
