package cli

import (
	"fmt"
	"math"
)

// Size is a number of bytes in words of three digits: "276 MB", "1.47 GB".
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

// Hundredths rounds a time to the precision of a clock.
func Hundredths(x float64) float64 { return math.Round(x*100) / 100 }
