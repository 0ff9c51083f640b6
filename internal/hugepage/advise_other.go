//go:build !linux

package hugepage

// advise does nothing: only Linux has huge pages on request.
func advise([]byte) {}
