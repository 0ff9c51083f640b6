package play

import "golang.org/x/sys/unix"

// memoryInstalled returns the machine's memory in bytes.
func memoryInstalled() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit))
}
