package cli

import "github.com/seed-09dcdc84/ur/internal/cli"

// checkMemory rejects a table larger than the memory of the machine: allocating it would end
// the process without a helpful message.
func checkMemory(flag string, bits int, entryBytes uint64) error {
	want, have := entryBytes<<bits, machineMemory()
	if want > have {
		return cli.UsageError("--%s %d: a table of %d MiB exceeds the memory of %d MiB", flag, bits, want>>20, have>>20)
	}
	return nil
}
