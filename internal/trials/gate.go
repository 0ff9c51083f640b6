package trials

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/rating"
)

// Gate is an experiment on "ur bench gate": pairs with a known change.
type Gate struct {
	Name    string  // of the noise or the machine
	Planted float64 // slowdown of the new side: 0.05 is 5 %, 0 none

	// Pair returns the samples of trial k, from 0, simulated or measured.
	Pair func(ctx context.Context, k int) (stat.Pair, error)
}

// Goals of a gate: it fires on at most this part of unchanged pairs, and on at least this
// part of pairs with a planted slowdown.
const (
	GoalFalseAlarms = 0.05
	GoalPower       = 0.90
)

// Rates are the results of a [Gate].
type Rates struct {
	Name      string  `json:"name"`
	Planted   float64 `json:"planted"`   // slowdown of the new side, 0 for none
	Trials    int     `json:"trials"`    // number of trials
	Fired     int     `json:"fired"`     // trials with a regression
	Undecided int     `json:"undecided"` // counts as no alarm
	Rate      float64 `json:"rate"`      // Fired of Trials
	Lo        float64 `json:"lo"`        // ends of its 95 % interval, Wilson's
	Hi        float64 `json:"hi"`
}

// Met reports whether the rate meets its goal: [GoalFalseAlarms] without a planted
// slowdown, [GoalPower] with one.
func (r Rates) Met() bool {
	if r.Planted == 0 {
		return r.Rate <= GoalFalseAlarms
	}
	return r.Rate >= GoalPower
}

// Run runs n trials under a rule. Progress, unless nil, is called after each with the
// number done. When ctx ends or a pair fails, the rates of the complete trials come with
// the error.
func (g Gate) Run(ctx context.Context, rule compare.GateRule, n int, progress func(done int)) (Rates, error) {
	rates := Rates{Name: g.Name, Planted: g.Planted}
	for k := range n {
		pair, err := g.Pair(ctx, k)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			rates.complete()
			return rates, err
		}
		switch rule.Judge([]stat.Pair{pair})[0].Verdict {
		case verdict.Regression:
			rates.Fired++
		case verdict.Undecided:
			rates.Undecided++
		}
		rates.Trials++
		if progress != nil {
			progress(rates.Trials)
		}
	}
	rates.complete()
	return rates, nil
}

// complete computes the rate from the counts.
func (r *Rates) complete() {
	r.Lo, r.Hi = rating.Wilson(int64(r.Fired), int64(r.Trials))
	if r.Trials > 0 {
		r.Rate = float64(r.Fired) / float64(r.Trials)
	}
}

// WriteRates writes a table of false alarms and power for a terminal.
func WriteRates(w io.Writer, rates []Rates) error {
	t := text.Table{Header: []string{"noise", "planted", "trials", "fired", "rate [95 %]", "undecided", "goal", "met"}}
	for _, r := range rates {
		planted, goal, met := "nothing", fmt.Sprintf("<= %.0f %%", 100*GoalFalseAlarms), "no"
		if r.Planted != 0 {
			planted, goal = fmt.Sprintf("%+.3g %%", 100*r.Planted), fmt.Sprintf(">= %.0f %%", 100*GoalPower)
		}
		if r.Met() {
			met = "yes"
		}
		t.Add(r.Name, planted, fmt.Sprint(r.Trials), fmt.Sprint(r.Fired),
			fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*r.Rate, 100*r.Lo, 100*r.Hi), fmt.Sprint(r.Undecided), goal, met)
	}
	return t.WriteText(w)
}
