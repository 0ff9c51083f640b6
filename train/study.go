package train

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/solve"
)

// Study compares settings of a [TDConfig]: it trains a net for each of some points, and measures the
// regret on the way.
type Study struct {
	// Values of the settings. The points are all combinations of them or, if Random is not 0,
	// that many of them, drawn by the seed without repetition.
	Lambda []float64 `json:"lambda"`           // values of lambda
	Rate   []float64 `json:"rate"`             // values of the learning rate
	Hidden []string  `json:"hidden"`           // values of the hidden layers
	Plies  []int     `json:"plies"`            // values of the search depth
	Random int       `json:"random,omitempty"` // number of random points; 0 for all combinations

	Features string `json:"features"` // features of the nets
	Pieces   int    `json:"pieces"`
	Updates  string `json:"updates"`    // target values: sample or expected
	Plain    bool   `json:"sequential"` // whether the plain algorithm learned
	Moves    int64  `json:"moves"`      // of training at each point
	Seed     uint64 `json:"seed"`

	// Table is the exact solution for measuring regret. Parallel changes no result.
	Table    solve.Table `json:"-"`
	Parallel int         `json:"-"`
}

// StudyPoint is one setting.
type StudyPoint struct {
	Lambda float64 `json:"lambda"` // decay of the trace
	Rate   float64 `json:"rate"`   // learning rate
	Hidden string  `json:"hidden"` // units of the hidden layers
	Plies  int     `json:"plies"`  // search depth while learning
}

// String returns the setting in a word.
func (p StudyPoint) String() string {
	return fmt.Sprintf("lambda=%g rate=%g hidden=%s plies=%d", p.Lambda, p.Rate, p.Hidden, p.Plies)
}

// StudyResult is the result of a point.
type StudyResult struct {
	Point StudyPoint `json:"point"`           // the setting
	Curve Curve      `json:"curve"`           // the learning curve
	Error string     `json:"error,omitempty"` // why there is nothing, as when weights grew without bound
}

// Regret returns the last regret of the point, and whether there is one.
func (r StudyResult) Regret() (float64, bool) {
	last, ok := r.Curve.Last()
	if !ok || last.Regret == nil || r.Error != "" {
		return 0, false
	}
	return *last.Regret, true
}

// studySchema is that of the first line of a file of results.
const studySchema = "ur.study/1"

// maxStudyPoints bounds the work of a mistyped study.
const maxStudyPoints = 10_000

// Points returns the points of the study in their order, or an [*config.Error].
func (s *Study) Points() ([]StudyPoint, error) {
	const name = "study"
	for field, n := range map[string]int{"Lambda": len(s.Lambda), "Rate": len(s.Rate), "Hidden": len(s.Hidden), "Plies": len(s.Plies)} {
		if n == 0 {
			return nil, config.Fault(name, field, "has no values: a study needs one at least")
		}
	}
	if n := len(s.Lambda) * len(s.Rate) * len(s.Hidden) * len(s.Plies); n > maxStudyPoints {
		return nil, config.Fault(name, "Lambda", "times the number of the other values is %d points (want at most %d)", n, maxStudyPoints)
	}
	if slices.Contains(s.Hidden, "") {
		return nil, config.Fault(name, "Hidden", "has an empty value (want units of hidden layers, as in 80 or 256,32)")
	}
	if slices.Contains(s.Rate, 0) { // the default of a [TDConfig]
		return nil, config.Fault(name, "Rate", "must be above 0 and at most 10, got 0")
	}
	if slices.Contains(s.Plies, 0) {
		return nil, config.Fault(name, "Plies", "must be 1 or 2, got 0")
	}
	if s.Moves < 1 {
		return nil, config.Fault(name, "Moves", "must be at least 1, got %d", s.Moves)
	}
	if s.Random < 0 {
		return nil, config.Fault(name, "Random", "must not be negative, got %d", s.Random)
	}
	if s.Table == nil {
		return nil, config.Fault(name, "Table", "of the exact solution is missing: regret is measured by it")
	}
	var points []StudyPoint
	for _, lambda := range s.Lambda {
		for _, rate := range s.Rate {
			for _, hidden := range s.Hidden {
				for _, plies := range s.Plies {
					p := StudyPoint{lambda, rate, hidden, plies}
					if slices.Contains(points, p) {
						return nil, config.Fault(name, "Lambda", "and the others name the point %s twice", p)
					}
					if _, _, err := s.config(p).complete(); err != nil {
						return nil, err
					}
					points = append(points, p)
				}
			}
		}
	}
	if s.Random > 0 && s.Random < len(points) {
		for i := range s.Random { // Fisher and Yates
			j := i + int(board.Mix(seedFor(s.Seed, uint64(i)))%uint64(len(points)-i))
			points[i], points[j] = points[j], points[i]
		}
		points = points[:s.Random]
	}
	return points, nil
}

// config returns the configuration of a point.
func (s *Study) config(p StudyPoint) TDConfig {
	return TDConfig{
		Lambda: p.Lambda, Rate: p.Rate, Plies: p.Plies, Updates: s.Updates, Sequential: s.Plain, RateMoves: max(1, s.Moves/4),
		NetConfig: NetConfig{Seed: s.Seed, Pieces: s.Pieces, Features: s.Features, Hidden: p.Hidden, Parallel: s.Parallel},
	}
}

// Learn trains at a point. An error, such as that of ctx, leaves no result.
func (s *Study) Learn(ctx context.Context, p StudyPoint, report func(Status)) (StudyResult, error) {
	learner, err := newTDLearner(s.config(p))
	if err != nil {
		return StudyResult{}, err
	}
	learner.table = s.Table
	run := &Run{Learner: learner, Unit: tdMethod().Unit, Growth: 2, Games: s.Moves, Report: report}
	outcome, err := run.Do(ctx)
	result := StudyResult{Point: p, Curve: outcome.Curve}
	if diverged, ok := errors.AsType[*divergedError](err); ok {
		result.Error, err = diverged.Error(), nil
	}
	return result, err
}

// studyHeader is the JSON form of the first line of a file of results.
type studyHeader struct {
	Schema string `json:"schema"` // ur.study/1
	*Study
}

// WriteHeader writes the first line of a file of results.
func (s *Study) WriteHeader(w io.Writer) error {
	text, err := json.Marshal(studyHeader{studySchema, s})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Write writes a result as a line.
func (r StudyResult) Write(w io.Writer) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// maxStudyLine bounds the memory of a line of a foreign file, in bytes.
const maxStudyLine = 1 << 20

// ReadResults reads the results of this study, and returns the number of bytes read with the
// header: a last line cut off by a kill does not count. A file of another study is an error.
func (s *Study) ReadResults(r io.Reader) (results []StudyResult, size int64, err error) {
	var header bytes.Buffer
	if err := s.WriteHeader(&header); err != nil {
		return nil, 0, err
	}
	lines := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(lines)
		switch {
		case err == io.EOF && number == 1:
			return nil, 0, errors.New("line 1: truncated (want the header of a study)")
		case err == io.EOF:
			return results, size, nil
		case err != nil:
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		case number == 1 && !bytes.Equal(line, header.Bytes()):
			return nil, 0, fmt.Errorf("line 1: header of a different study (want %s)", bytes.TrimSpace(header.Bytes()))
		case number > 1:
			var result StudyResult
			if err := json.Unmarshal(line, &result); err != nil {
				return nil, 0, fmt.Errorf("line %d: %w", number, err)
			}
			results = append(results, result)
		}
		size += int64(len(line))
	}
}

// readLine returns a line with its end, and io.EOF if there is no further whole one.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > maxStudyLine:
			return nil, fmt.Errorf("longer than %d bytes", maxStudyLine)
		}
	}
}

// WriteStudyTable writes results as a table in ascending order of regret.
func WriteStudyTable(w io.Writer, results []StudyResult) error {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b StudyResult) int {
		x, there := a.Regret()
		y, alsoThere := b.Regret()
		switch {
		case there && alsoThere && x != y:
			return map[bool]int{true: -1, false: 1}[x < y]
		case there != alsoThere:
			return map[bool]int{true: -1, false: 1}[there]
		}
		return 0
	})
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%8s %8s %10s %6s %10s\n", "lambda", "rate", "hidden", "plies", "regret")
	for _, r := range sorted {
		regret := "-"
		if x, ok := r.Regret(); ok {
			regret = strconv.FormatFloat(x, 'f', 4, 64)
		}
		fmt.Fprintf(out, "%8g %8g %10s %6d %10s", r.Point.Lambda, r.Point.Rate, r.Point.Hidden, r.Point.Plies, regret)
		if r.Error != "" {
			fmt.Fprintf(out, "  %s", r.Error)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// DrawStudy draws the learning curves of the results.
func DrawStudy(results []StudyResult) []byte {
	curves := regretCurves{Title: "Learning by TD(lambda)", Unit: tdMethod().Unit}
	for _, r := range results {
		if _, ok := r.Regret(); ok {
			curves.Curves = append(curves.Curves, namedCurve{r.Point.String(), r.Curve})
		}
	}
	return curves.SVG()
}
