package rgu_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/solve/rgu"
)

// A file that rates every unfinished position with one piece as even is written and read.
func Example() {
	h, err := rgu.NewHeader(rgu.Percent16, 1, nil)
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := h.Write(context.Background(), &file, func(rgu.Entry) float64 { return 0.5 }, nil); err != nil {
		panic(err)
	}
	if h, err = rgu.ReadHeader(file.Bytes()); err != nil {
		panic(err)
	}
	unfinished := 0
	err = h.ReadValues(file.Bytes(), func(at rgu.Entry, win float64) { unfinished++ })
	fmt.Println(h.ValueType, h.Pieces, h.Entries, unfinished, err)
	// Output: percent16 1 232 217 <nil>
}
