//go:build !(unix && !solaris && !aix) && !windows

package safefile

import (
	"errors"
	"os"
)

func lockFile(*os.File) error { return errors.ErrUnsupported }
