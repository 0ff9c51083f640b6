package compare

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// TrialSource gives the samples of trial number k, from 0. What it is asked for is
// the same work on both sides ([Trial.Planted] is 0), or work of which the new side
// is slowed down by that part. A source may simulate, or measure.
type TrialSource func(ctx context.Context, k int) (stat.Pair, error)

// Trial is an experiment on a gate: how often does it fire on pairs of which one
// knows whether it should?
type Trial struct {
	Name    string  // of the noise or the machine
	Planted float64 // slowdown of the new side: 0.05 is 5 %, 0 none
	Source  TrialSource
}

// Goals of a gate: it fires on at most this part of pairs that are the same, and on
// at least this part of pairs with a planted slowdown.
const (
	GoalFalseAlarms = 0.05
	GoalPower       = 0.90
)

// TrialRates say how often a gate fired.
type TrialRates struct {
	Name      string  `json:"name"`
	Planted   float64 `json:"planted"` // slowdown of the new side, 0 for none
	Trials    int     `json:"trials"`
	Fired     int     `json:"fired"`     // [Regressed]
	Undecided int     `json:"undecided"` // too noisy to say, which is no alarm
	Rate      float64 `json:"rate"`      // Fired of Trials
	Lo        float64 `json:"lo"`        // ends of its 95 % interval, Wilson's
	Hi        float64 `json:"hi"`
}

// Met reports whether the rate meets its goal: [GoalFalseAlarms] when nothing was
// planted, [GoalPower] otherwise.
func (r TrialRates) Met() bool {
	if r.Planted == 0 {
		return r.Rate <= GoalFalseAlarms
	}
	return r.Rate >= GoalPower
}

// Trials runs an experiment of n trials under a rule; progress, when it is not nil,
// is called after each with the number done. When ctx ends or the source fails, the
// rates of the complete trials come with the error.
//
// With a source that measures one engine against itself this is the A/A experiment
// of a machine; with one that wastes a known part of the time on the new side, it
// finds the power.
func Trials(ctx context.Context, rule Rule, t Trial, n int, progress func(done int)) (TrialRates, error) {
	rates := TrialRates{Name: t.Name, Planted: t.Planted}
	for k := range n {
		pair, err := t.Source(ctx, k)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			rates.complete()
			return rates, err
		}
		switch rule.Judge([]stat.Pair{pair})[0].Verdict {
		case Regressed:
			rates.Fired++
		case Undecided:
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
func (r *TrialRates) complete() {
	r.Lo, r.Hi = stat.Wilson(r.Fired, r.Trials)
	if r.Trials > 0 {
		r.Rate = float64(r.Fired) / float64(r.Trials)
	}
}

// WriteTrials writes a table of false alarms and power for a terminal.
func WriteTrials(w io.Writer, rates []TrialRates) error { return trialsTable(rates).WriteText(w) }

func trialsTable(rates []TrialRates) text.Table {
	t := text.Table{Header: []string{"noise", "planted", "trials", "fired", "rate [95 %]", "undecided", "goal", "met"}}
	for _, r := range rates {
		planted, goal := "nothing", fmt.Sprintf("<= %.0f %%", 100*GoalFalseAlarms)
		if r.Planted != 0 {
			planted, goal = fmt.Sprintf("%+.3g %%", 100*r.Planted), fmt.Sprintf(">= %.0f %%", 100*GoalPower)
		}
		met := "no"
		if r.Met() {
			met = "yes"
		}
		t.Rows = append(t.Rows, []string{r.Name, planted, fmt.Sprint(r.Trials), fmt.Sprint(r.Fired),
			fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*r.Rate, 100*r.Lo, 100*r.Hi), fmt.Sprint(r.Undecided), goal, met})
	}
	return t
}
