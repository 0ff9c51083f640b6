package form_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
)

// A form is a brain: a piece that enters on the first rosette gives a value of 117.
func Example() {
	y := form.At(board.StartPosition(7))
	for i, d := range (form.Step{Side: board.Light, Roll: 4, To: 4, Special: true}).Change() {
		y[i] += d
	}
	fmt.Println(form.Of(ur.DefaultBrain()).Value(&y))
	// Output: 117
}
