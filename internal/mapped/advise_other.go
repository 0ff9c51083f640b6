//go:build unix && !linux

package mapped

// advise does nothing: only Linux maps files by huge pages.
func advise([]byte) {}
