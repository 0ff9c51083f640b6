package solve

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
)

// chances are the probabilities of a rule set's dice.
type chances struct {
	longest int // roll
	roll    [board.MaxRoll + 1]float64
	weight  [board.MaxRoll + 1]int

	// class numbers the summed weights in sets of rolls: the rolls after which a side has to
	// pass.
	class  []uint16
	passes []passes
}

// passes are the consequences when a class of throws makes Light pass.
type passes struct {
	light float64 // the probability of the class
	dark  []darkPasses
}

// darkPasses are the consequences when a class of throws makes Dark pass, too.
type darkPasses struct {
	dark  float64 // the probability of that class
	again float64 // 1/(1-light*dark): how often on average a turn comes back, passed
}

// mostLikely is a roll's greatest probability with moves.
const mostLikely = 0.999

// maxClasses limits the pass tables to 16 MB.
const maxClasses = 1 << 10

func newChances(r *board.Rules) (*chances, error) {
	c := &chances{longest: r.MaxRoll()}
	sums := make([]bool, r.WeightSum()+1)
	sums[r.Weight(0)] = true
	for roll := range c.longest + 1 {
		switch p := r.Probability(roll); {
		case p == 1:
			return nil,
				fmt.Errorf(
					"rules %s: dice with one roll: a game may repeat without end, so its value is not defined (want two rolls or more)", r.Name())
		case roll > 0 && p > mostLikely:
			return nil,
				fmt.Errorf(
					"rules %s: a roll of %d has the probability %v, and values settle too slowly to be computed (want %v at most)", r.Name(), roll, p, mostLikely)
		}
		c.roll[roll], c.weight[roll] = r.Probability(roll), r.Weight(roll)
		for sum := len(sums) - 1; roll > 0 && sum >= c.weight[roll]; sum-- {
			sums[sum] = sums[sum] || sums[sum-c.weight[roll]]
		}
	}
	c.class = make([]uint16, len(sums))
	var pass []float64
	for sum, possible := range sums {
		if possible {
			c.class[sum] = uint16(len(pass))
			pass = append(pass, float64(sum)/float64(r.WeightSum()))
		}
	}
	if len(pass) > maxClasses {
		return nil, fmt.Errorf("rules %s: dice with %d different chances to pass (want at most %d)",
			r.Name(), len(pass), maxClasses)
	}
	for _, light := range pass {
		row := passes{light: light}
		for _, dark := range pass {
			row.dark = append(row.dark, darkPasses{dark, 1 / (1 - float64(light*dark))})
		}
		c.passes = append(c.passes, row)
	}
	return c, nil
}
