//go:build unix && !linux

package mapped

// advise has nothing to say: only Linux maps files by huge pages.
func advise([]byte) {}
