//go:build unix && !linux

package solve

// advise has nothing to say: only Linux maps files by huge pages.
func advise([]byte) {}
