//go:build !unix || solaris || aix

package solve

import "os"

// lockFile does nothing where files cannot be locked.
func lockFile(*os.File) error { return nil }
