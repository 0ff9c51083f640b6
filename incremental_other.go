//go:build !amd64 || purego

package ur

// addRow is wideGame.add: this build has no engine that asks for another.
func addRow(w *wideGame, row *wideRow) { w.add(row) }

// Engines of assembly, which this build is without.
var BitsIncrementalAVX2, SquaresAVX2, LanesAVX512 Engine
