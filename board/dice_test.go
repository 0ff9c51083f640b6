package board

import (
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

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
		dice := finkel.Dice(test.seed, test.game)
		for turn, want := range test.rolls {
			if got := dice.Roll(); got != int(want-'0') {
				t.Fatalf("seed %d, game %d: roll %d is %d, want %c", test.seed, test.game, turn, got, want)
			}
			if got := finkel.Roll(test.seed, test.game, uint64(turn)); got != int(want-'0') {
				t.Fatalf("seed %d, game %d: Roll %d is %d, want %c", test.seed, test.game, turn, got, want)
			}
		}
	}
}

func TestDice(t *testing.T) {
	d := lookup(t, "finkel").Definition()
	d.Name = "six"
	d.Dice = []int{0, 1, 1, 1, 1, 1, 1}
	six := testkit.Must(New(d))(t)
	for _, r := range append(List(), six) {
		const rolls = 40_000
		var counts [MaxRoll + 1]int
		dice := r.Dice(11, 0)
		for turn := range uint64(rolls) {
			roll := dice.Roll()
			counts[roll]++
			if again := r.Roll(11, 0, turn); again != roll {
				t.Fatalf("%s: roll %d is %d and %d", r.Name(), turn, roll, again)
			}
		}
		for roll, n := range counts {
			p := r.Probability(roll)
			if deviation := math.Abs(float64(n) - rolls*p); deviation > 5*math.Sqrt(rolls*p*(1-p)) {
				t.Errorf("%s: %d of %d rolls are %d, want %.0f", r.Name(), n, rolls, roll, rolls*p)
			}
		}
	}
	if r := lookup(t, "masters"); r.Weight(0) != 0 || r.Weight(1) != 3 || r.Weight(4) != 1 || r.WeightSum() != 8 ||
		r.MaxRoll() != 4 {
		t.Errorf("masters: weights %v", r.dice)
	}
}
