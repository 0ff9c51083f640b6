package cli

import (
	"strconv"
	"strings"
)

// Grouped is a number, 0 or more, with a comma between thousands: "137,870,097".
func Grouped[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	var s strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			s.WriteByte(',')
		}
		s.WriteRune(digit)
	}
	return s.String()
}
