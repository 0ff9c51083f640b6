package pick

import (
	"errors"
	"strings"
	"unicode"

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
	flag, ok := flags[fault.Field]
	switch {
	case !ok:
		return cli.UsageError("%s", fault.Describe("--"+flagName(fault.Field)))
	case flag == "":
		return cli.UsageError("%s", fault.Describe(strings.ToLower(fault.Field)))
	}
	return cli.UsageError("%s", fault.Describe("--"+flag))
}

// flagName returns the flag of a field: turn-limit of TurnLimit.
func flagName(field string) string {
	var name strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}
