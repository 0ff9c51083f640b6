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

const keyLong = `Key creates the NATS nkey of a fleet user. It writes the seed to FILE, readable only
by the owner; the user passes it with --nkey-file. It prints the public key for
"ur fleet serve --user". If the file exists, it only prints the public key again.`

// newKeyCommand returns "ur fleet key".
func newKeyCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "key FILE",
		Short:   "Create a key for a fleet user",
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
		return "", cli.UsageError("%s: invalid seed of a user's key: %w", file, err)
	}
	return pair.PublicKey()
}

// newUserKey writes the seed of a new key to a new file.
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
