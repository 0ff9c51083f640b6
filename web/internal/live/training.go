package live

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/train"
)

// Training is how a learner stands.
type Training struct {
	Method  string          `json:"method,omitempty"`
	Seconds float64         `json:"seconds"` // elapsed so far
	Points  []TrainingPoint `json:"points"`  // the learning curve
}

// TrainingPoint is the strength of a learner after a number of games, or whatever it counts.
type TrainingPoint struct {
	Games  int64    `json:"games"`
	Rivals []Rival  `json:"rivals"`           // scores against rivals
	Regret *float64 `json:"regret,omitempty"` // in points a decision, where it was measured
}

// Rival is a player against whom the strength was measured.
type Rival struct {
	Name string  `json:"name"`
	Rate float64 `json:"rate"` // share of games won
	Low  float64 `json:"lo"`   // 95 % confidence interval
	High float64 `json:"hi"`
}

// pointsOf returns the points of a curve.
func pointsOf(c train.Curve) []TrainingPoint {
	points := []TrainingPoint{}
	for _, p := range c {
		point := TrainingPoint{Games: p.Games, Rivals: []Rival{}, Regret: p.Regret}
		for _, s := range p.Scores {
			low, high := s.Interval()
			point.Rivals = append(point.Rivals, Rival{s.Rival, s.Rate(), low, high})
		}
		points = append(points, point)
	}
	return points
}

// curveColumns are the columns of a curve as [train.Curve.WriteCSV] writes it; regret may
// stand behind them.
var curveColumns = []string{"games", "seconds", "rival", "match_games", "rate", "low", "high"}

// maxCurve is how many rows of a curve are read.
const maxCurve = 10_000

// ReadCurve reads a learning curve as [train.Curve.WriteCSV] writes it. Errors name the line.
func ReadCurve(r io.Reader) (*Training, error) {
	table := csv.NewReader(r)
	table.ReuseRecord = true
	head, err := table.Read()
	if err != nil || len(head) < len(curveColumns) || !slices.Equal(head[:len(curveColumns)], curveColumns) {
		return nil, fmt.Errorf("line 1: not a learning curve (want the header %q)", curveColumns)
	}
	regret := len(head) == len(curveColumns)+1 && head[len(curveColumns)] == "regret"
	if len(head) > len(curveColumns) && !regret {
		return nil, fmt.Errorf("line 1: unknown column %.40q (want no column after %q, or only \"regret\")", head[len(curveColumns)], curveColumns)
	}
	t := &Training{Points: []TrainingPoint{}}
	for row := 0; ; row++ {
		fields, err := table.Read()
		switch {
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, err
		case row == maxCurve:
			return nil, fmt.Errorf("the curve has more than %d rows", maxCurve)
		}
		if err := t.add(fields, regret); err != nil {
			line, _ := table.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// add adds a row of a curve.
func (t *Training) add(fields []string, regret bool) error {
	games, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || games < 0 {
		return fmt.Errorf("games are %q (want a number)", fields[0])
	}
	var numbers []float64
	for i, column := range curveColumns {
		if i == 0 || column == "rival" {
			continue
		}
		x, err := finite(fields[i])
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		numbers = append(numbers, x)
	}
	t.Seconds = numbers[0]
	if n := len(t.Points); n == 0 || t.Points[n-1].Games != games {
		t.Points = append(t.Points, TrainingPoint{Games: games, Rivals: []Rival{}})
	}
	last := &t.Points[len(t.Points)-1]
	last.Rivals = append(last.Rivals, Rival{fields[2], numbers[2], numbers[3], numbers[4]})
	if regret {
		x, err := finite(fields[len(curveColumns)])
		if err != nil {
			return fmt.Errorf("regret: %w", err)
		}
		last.Regret = &x
	}
	return nil
}

// finite reads a number that JSON can represent.
func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("invalid number %q", text)
	}
	return x, nil
}
