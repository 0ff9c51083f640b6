package train_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/train"
)

// Methods lists the learners of this package.
func ExampleMethods() {
	for _, m := range train.Methods() {
		fmt.Println(m.Name)
	}
	// Output:
	// evolve
	// tree
	// fit
	// td
	// distill
}
