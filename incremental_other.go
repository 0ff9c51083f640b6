//go:build !amd64 || purego

package ur

// addRow is wideGame.add: this build has no engine that asks for another.
func addRow(w *wideGame, row *wideRow) { w.add(row) }
