package train_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/train"
)

// Methods lists the learners, each with the unit of its progress.
func ExampleMethods() {
	for _, m := range train.Methods() {
		if m.Name == "td" || m.Name == "fit" {
			fmt.Println(m.Name, "counts", m.Counted())
		}
	}
	// Output:
	// fit counts games
	// td counts moves
}
