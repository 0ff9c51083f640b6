//go:build !linux

package cpu

// advise does nothing: only Linux has huge pages on request.
func adviseHugePages([]byte) {}
