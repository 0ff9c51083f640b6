package board

import "testing"

// The rolls below were computed by a separate program in another language from
// the definition alone.
func TestDiceFollowTheDefinition(t *testing.T) {
	tests := []struct {
		seed, game uint64
		rolls      string
	}{
		{1, 0, "3112221310321132331422322322311413313312"},
		{1, 1, "1212321222213133332313212133221023110211"},
		{1, 99999, "1302321102244212131312433224141212342104"},
		{0, 0, "4233213141332032324111142022112331343234"},
		{1<<64 - 1, 1<<64 - 1, "2242212231133322330223012111211311244221"},
	}
	for _, test := range tests {
		dice := NewDice(test.seed, test.game)
		for turn, want := range test.rolls {
			if got := dice.Roll(); got != int(want-'0') {
				t.Fatalf("seed %d, game %d: roll %d is %d, want %c", test.seed, test.game, turn, got, want)
			}
			if got := Roll(test.seed, test.game, uint64(turn)); got != int(want-'0') {
				t.Fatalf("seed %d, game %d: Roll %d is %d, want %c", test.seed, test.game, turn, got, want)
			}
		}
	}
}

// Rolls must come as often as four two-sided dice throw them: the chi-squared
// statistic of 4 degrees of freedom stays under its 0.1 % point, 18.47.
func TestDiceAreFair(t *testing.T) {
	const throws = 1 << 20
	var count [MaxRoll + 1]int
	dice := NewDice(12345, 6)
	for range throws {
		count[dice.Roll()]++
	}
	chi := 0.0
	for roll, n := range count {
		want := throws / 16.0 * float64(RollWays[roll])
		chi += (float64(n) - want) * (float64(n) - want) / want
	}
	if chi > 18.47 {
		t.Errorf("rolls %v: chi-squared is %.1f", count, chi)
	}
}
