package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Figure prints three significant digits or more, and never an exponent.
func Figure(x float64) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	magnitude, err := strconv.Atoi(exponent)
	if err != nil {
		return strconv.FormatFloat(x, 'g', 3, 64) // infinite, or not a number
	}
	return strconv.FormatFloat(x, 'f', max(0, 2-magnitude), 64)
}

// Count prints a number without a fraction, with commas between thousands.
func Count(x float64) string { return groupThousands(strconv.FormatFloat(x, 'f', 0, 64)) }

// Grouped prints an integer with commas between thousands: "137,870,097".
func Grouped[N int | int64 | uint64](n N) string { return groupThousands(fmt.Sprint(n)) }

// GroupedFigure prints a figure in up to six significant digits without an exponent,
// with commas between thousands: "2,500", "0.05".
func GroupedFigure(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if strings.Contains(text, "e") {
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return groupThousands(text)
}

// groupThousands puts commas between the thousands of the whole part of a number.
func groupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, found := strings.Cut(number, ".")
	if strings.Trim(whole, "0123456789") != "" {
		return sign + number // infinite, or not a number
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}

// Percent prints a relative change with its sign: "+2.50%".
func Percent(change float64) string { return fmt.Sprintf("%+.2f%%", 100*change) }

// Times formats a ratio of times as a speedup: 0.25 is "x4.00", and 4 is "x0.250".
func Times(ratio float64) string {
	if !(ratio > 0) {
		return ""
	}
	return "x" + Figure(1/ratio)
}

// Plural counts a noun: "1 game", "2 games".
func Plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
