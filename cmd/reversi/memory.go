package main

import "github.com/seed-09dcdc84/ur/internal/cli"

// checkMemory refuses a table that is greater than the memory of the machine: to begin
// with it would end the process, without a word that helps.
func checkMemory(flag string, bits int, entryBytes uint64) error {
	want, have := entryBytes<<bits, machineMemory()
	if want > have {
		return cli.UsageError("--%s %d: a table of %d MiB, and there are %d MiB of memory", flag, bits, want>>20, have>>20)
	}
	return nil
}
