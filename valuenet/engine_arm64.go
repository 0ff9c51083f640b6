//go:build go1.27 && !purego

package valuenet

import "github.com/seed-09dcdc84/ur/internal/cpu"

// assembled are the engines in assembly.
var assembled = []*Engine{{
	name: "neon", needs: []cpu.Feature{cpu.NEON},
	sets: setsNEON, outputs: outputsNEON, hidden: [2]hiddenKernel{hidden4NEON, hidden2NEON},
}}

// setsNEON writes for each of n sets the bias plus its table rows, at least
// low. width is a row's in bytes, a multiple of 64. It must equal setsGo.
//
//go:noescape
func setsNEON(dst, bias, table *int16, sets *uint64, n, width uintptr, low uint32)

// outputsNEON writes the bias plus the products between n rows of units and the weights. It must equal outputsGo.
//
//go:noescape
func outputsNEON(dst *int32, units, weights *int16, n, width uintptr, bias int32)

// hidden4NEON writes values for n times 4 rows of units; blocks counts 16 units in the second
// layer. The list is room for width/4 numbers. It must equal hiddenGo.
//
//go:noescape
func hidden4NEON(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)

// hidden2NEON is hidden4NEON for n times 2 rows.
//
//go:noescape
func hidden2NEON(dst *int32, units, weights *int16, bias, last *int32, list *uint32, n, width, blocks uintptr, shift uint32, lastBias int32)
