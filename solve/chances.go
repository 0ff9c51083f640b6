package solve

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board/rules"
)

// chances are the probabilities of the dice of a rule set.
type chances struct {
	longest int // roll
	roll    [rules.MaxRoll + 1]float64
	weight  [rules.MaxRoll + 1]int

	// class numbers the sums of weights of sets of rolls: the rolls after which a side has to
	// pass. pass is the probability of each class, and again[l*len(pass)+d] is 1/(1-pass[l]*pass[d]):
	// how often on average a turn comes back, passed, where Light passes in class l and Dark in d.
	class []uint16
	pass  []float64
	again []float64
}

// maxClasses limits the table again to 8 MB.
const maxClasses = 1 << 10

func newChances(r *rules.Rules) (*chances, error) {
	c := &chances{longest: r.MaxRoll()}
	sums := make([]bool, r.WeightSum()+1)
	sums[r.Weight(0)] = true
	for roll := range c.longest + 1 {
		c.roll[roll], c.weight[roll] = r.Probability(roll), r.Weight(roll)
		for sum := len(sums) - 1; roll > 0 && sum >= c.weight[roll]; sum-- {
			sums[sum] = sums[sum] || sums[sum-c.weight[roll]]
		}
	}
	c.class = make([]uint16, len(sums))
	for sum, possible := range sums {
		if possible {
			c.class[sum] = uint16(len(c.pass))
			c.pass = append(c.pass, float64(sum)/float64(r.WeightSum()))
		}
		if len(c.pass) > maxClasses {
			return nil, fmt.Errorf("rules %s: dice with too many different chances to pass (want at most %d)", r.Name(), maxClasses)
		}
	}
	for _, light := range c.pass {
		for _, dark := range c.pass {
			c.again = append(c.again, 1/(1-float64(light*dark)))
		}
	}
	return c, nil
}
