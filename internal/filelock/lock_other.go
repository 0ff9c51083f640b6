//go:build !(unix && !solaris && !aix) && !windows

package filelock

import (
	"errors"
	"os"
)

func lock(*os.File) error { return errors.ErrUnsupported }
