package join

import (
	"fmt"
	"strconv"
	"strings"
)

// percentFlag is a flag for a percentage, "3%", stored as a fraction, 0.03.
type percentFlag struct {
	part  *float64
	whole bool // 100% is valid
}

func (f percentFlag) String() string {
	if f.part == nil || *f.part == 0 {
		return ""
	}
	return fmt.Sprintf("%g%%", 100**f.part)
}

// Set wants the sign: without it, 0.5 could mean half of one percent or a half.
func (f percentFlag) Set(text string) error {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0 && (percent < 100 || f.whole && percent == 100)) {
		return fmt.Errorf("invalid percentage (want a number above 0%% and below 100%%, with the sign %%)")
	}
	*f.part = percent / 100
	return nil
}

// Type is also the name in an error about the flag.
func (percentFlag) Type() string { return "percentage like 1%" }
