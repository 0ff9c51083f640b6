package fleetcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nats-io/nkeys"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const keyLong = `Key makes the key of a user who may come to a fleet, an nkey of NATS. The seed is
written to FILE, which nobody else can read, and stays with the user: it goes to
--nkey-file. The public key is printed, and goes to "ur fleet serve --user". Of a
file that is there, the public key is printed again.`

// newKeyCommand returns "ur fleet key".
func newKeyCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "key FILE",
		Short:   "Make the key of a user who may come",
		Long:    keyLong,
		Example: `  ur fleet key anna.nk`,
		Args:    cli.Exactly(1, "one file for the seed"),
		RunE: func(_ *cobra.Command, args []string) error {
			public, err := userKey(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(env.Stdout, public)
			return err
		},
	}
}

// userKey returns the public key of the seed in a file, made if there is none.
func userKey(file string) (public string, err error) {
	seed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return newUserKey(file)
	}
	if err != nil {
		return "", cli.UsageError("%w", err)
	}
	pair, err := nkeys.ParseDecoratedUserNKey(seed)
	if err != nil {
		return "", cli.UsageError("%s is not the seed of a user's key: %w", file, err)
	}
	return pair.PublicKey()
}

// newUserKey writes the seed of a new key to a file that is not there.
func newUserKey(file string) (public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	seed, err := pair.Seed()
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", cli.UsageError("%w", err)
	}
	if _, err := f.Write(append(seed, '\n')); err != nil {
		return "", errors.Join(err, f.Close(), os.Remove(file))
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return pair.PublicKey()
}
