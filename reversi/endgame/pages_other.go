//go:build !linux

package endgame

// advise has nothing to say: only Linux gives huge pages for the asking.
func advise([]bucket) {}
