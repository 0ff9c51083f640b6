package pick

import (
	"errors"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// ConfigError turns the error of a configuration into a usage error of the flag that sets the
// invalid field. flags maps fields to flag names; a field without an entry has a flag of the
// same name. "" stands for an argument instead of a flag. Any other error is returned
// unchanged.
func ConfigError(err error, flags map[string]string) error {
	var fault *config.Error
	if !errors.As(err, &fault) {
		return err
	}
	name := strings.ToLower(fault.Field)
	switch flag, ok := flags[fault.Field]; {
	case !ok:
		name = "--" + name
	case flag != "":
		name = "--" + flag
	}
	return cli.UsageError("%s", fault.Describe(name))
}
