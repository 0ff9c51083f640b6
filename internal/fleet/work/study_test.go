package work

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
)

// tinyStudy is a study of a small game.
func tinyStudy(t *testing.T) *train.Study {
	t.Helper()
	table, err := new(solve.Library).Table(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	return &train.Study{
		Lambda: []float64{0.3, 0.9}, Rate: []float64{0.1}, Hidden: []string{"4"}, Plies: []int{1},
		Features: "squares", Pieces: 2, Updates: train.SampleUpdates, Plain: true, Moves: 400, Seed: 1, Table: table,
	}
}

// withoutTimes takes out of a result what no two runs have in common.
func withoutTimes(r train.StudyResult) train.StudyResult {
	for i := range r.Curve {
		r.Curve[i].Seconds = 0
	}
	return r
}

// A point on a fleet is learned as on one machine, by a table that travels and by one
// that is solved at once.
func TestStudyIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	s := tinyStudy(t)
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "two.urt")
	if err := solve.WriteTable(t.Context(), file, s.Table, solve.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	conn := newFleet(t, 2)
	for name, table := range map[string]string{"solved at once": "", "from a file": file} {
		local := *s
		if table != "" {
			if local.Table, err = solve.OpenTable(table); err != nil {
				t.Fatal(err)
			}
		}
		study, err := NewStudy(t.Context(), conn, &local, table)
		if err != nil {
			t.Fatal(err)
		}
		defer study.Close(context.Background())
		for _, p := range points {
			got, err := study.Learn(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			want, err := local.Learn(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := withoutTimes(got), withoutTimes(want); !reflect.DeepEqual(got, want) || len(want.Curve) == 0 {
				t.Errorf("%s, %s: on the fleet %+v, alone %+v", name, p, got, want)
			}
		}
	}
	if _, err := NewStudy(t.Context(), conn, s, filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a table that is not there was sent")
	}
}

// A point that is damaged on the way, or asked for under another number, is not learned
// with; a result that does not fit its task is not believed.
func TestStudiesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := tinyStudy(t)
	runner := studyRunner{s}
	good := train.StudyPoint{Lambda: 0.3, Rate: 0.1, Hidden: "4", Plies: 1}
	run := func(p train.StudyPoint, shift uint64) (any, error) {
		task, err := taskOfPoint(p)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return runner.Run(t.Context(), task+shift, data)
	}
	output, err := run(good, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(good, 1); !isFailure(err) {
		t.Errorf("another number: %v, want a failure", err)
	}
	bad := good
	bad.Rate = -1
	if _, err := run(bad, 0); !isFailure(err) {
		t.Errorf("a rate of -1: %v, want a failure", err)
	}
	if _, err := runner.Run(t.Context(), 0, json.RawMessage(`[`)); !isFailure(err) {
		t.Errorf("no point: %v, want a failure", err)
	}
	task, _ := taskOfPoint(good)
	check := func(change func(r *train.StudyResult)) error {
		r := output.(train.StudyResult)
		r.Curve = append(train.Curve(nil), r.Curve...)
		change(&r)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return checkStudy(task, data)
	}
	if err := check(func(*train.StudyResult) {}); err != nil {
		t.Fatalf("a true result is refused: %v", err)
	}
	for name, change := range map[string]func(r *train.StudyResult){
		"another point": func(r *train.StudyResult) { r.Point.Lambda = 0.9 },
		"no curve":      func(r *train.StudyResult) { r.Curve = nil },
		"a curve back":  func(r *train.StudyResult) { r.Curve[len(r.Curve)-1].Games = math.MinInt64 },
	} {
		if check(change) == nil {
			t.Errorf("%s: the result is believed", name)
		}
	}
}

// isFailure reports whether an error belongs to a task.
func isFailure(err error) bool {
	_, ok := err.(*fleet.Failure)
	return ok
}
