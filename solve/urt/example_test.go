package urt_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve/urt"
)

// A file with four values is written and read.
func Example() {
	values := []float64{0, 0.25, 0.5, 1}
	h, err := urt.NewHeader(board.Finkel(), urt.Float64, len(values), []byte(`{"author":"me"}`))
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := h.Write(context.Background(), &file, func(rank int) float64 { return values[rank] }, nil); err != nil {
		panic(err)
	}
	h, read, err := urt.Read(file.Bytes())
	if err != nil {
		panic(err)
	}
	fmt.Println(h.Rules.Name(), h.Precision, h.Entries, string(h.Meta), read.At(1))
	// Output: finkel f64 4 {"author":"me"} 0.25
}
