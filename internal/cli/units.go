package cli

import "fmt"

// size is a number of bytes in words of three digits: "276 MB", "1.47 GB".
func Size(bytes int64) string {
	value, unit := float64(bytes), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.3g %s", value, unit)
}
