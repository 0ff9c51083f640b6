package profile_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/internal/profile"
)

// Place names a line of a function for a list of hot spots.
func ExamplePlace() {
	fmt.Println(profile.Place("ur.values", "eval_amd64.s", 12, "VPMADDWD Y0, Y1, Y2"))
	// Output: ur.values  eval_amd64.s:12  VPMADDWD Y0, Y1, Y2
}
