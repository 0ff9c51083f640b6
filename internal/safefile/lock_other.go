//go:build !(unix && !solaris && !aix) && !windows

package safefile

import (
	"errors"
	"os"
)

func lock(*os.File) error { return errors.ErrUnsupported }
