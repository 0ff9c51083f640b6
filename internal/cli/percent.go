package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// PercentFlag is a flag for a percentage, "3%", stored as a fraction, 0.03.
type PercentFlag struct {
	Part  *float64
	Whole bool // 100% is valid
}

func (f PercentFlag) String() string {
	if f.Part == nil || *f.Part == 0 {
		return ""
	}
	return fmt.Sprintf("%g%%", 100**f.Part)
}

// Set wants the sign: without it, 0.5 could mean half of one percent or a half.
func (f PercentFlag) Set(text string) error {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0 && (percent < 100 || f.Whole && percent == 100)) {
		return fmt.Errorf("invalid percentage (want a number above 0%% and below 100%%, with the sign %%)")
	}
	*f.Part = percent / 100
	return nil
}

// Type is also the name used by flagError.
func (PercentFlag) Type() string { return "percentage like 1%" }
