package work

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
)

// studySpec are the settings shared by all points of a study. Studies of other values share the
// results of common points.
type studySpec struct {
	Features string `json:"features"`
	Pieces   int    `json:"pieces"`
	Updates  string `json:"updates"`
	Plain    bool   `json:"sequential"`
	Moves    int64  `json:"moves"`
	Seed     uint64 `json:"seed"`
	Table    string `json:"table"` // as it travels
}

// Study learns with the points of a study on a fleet.
type Study struct {
	session *fleet.Session
	local   *train.Study
}

// NewStudy returns a study computed by a fleet. table is the file of the exact solution, or ""
// for the cached one; small games need none. It must be closed.
func NewStudy(ctx context.Context, conn *fleet.Conn, s *train.Study, table string) (*Study, error) {
	spec := studySpec{Features: s.Features, Pieces: s.Pieces, Updates: s.Updates, Plain: s.Plain, Moves: s.Moves, Seed: s.Seed}
	var files []string
	var err error
	if spec.Table, files, err = shipTable(ctx, conn, nil, table, s.Pieces); err != nil {
		return nil, err
	}
	data, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	e := fleet.Experiment{Kind: studyKind{}.Name(), Code: CodeVersion(), Spec: data, Files: files}
	session, err := conn.Open(ctx, e, checkStudy)
	if err != nil {
		return nil, err
	}
	return &Study{session, s}, nil
}

// Verify makes this process learn with a share of the points, 0 to 1, a second time. It is
// called before the first point.
func (s *Study) Verify(share float64) {
	s.session.Verify(share, func() (fleet.Runner, error) {
		one := *s.local
		one.Parallel = 1
		return studyRunner{&one}, nil
	})
}

// Learn waits for the result of a point. It equals that of [train.Study.Learn] except for the
// seconds.
func (s *Study) Learn(ctx context.Context, p train.StudyPoint) (train.StudyResult, error) {
	task, err := taskOfPoint(p)
	if err != nil {
		return train.StudyResult{}, err
	}
	output, err := s.session.Do(ctx, task, p)
	if err != nil {
		return train.StudyResult{}, err
	}
	var result train.StudyResult
	if err := json.Unmarshal(output, &result); err != nil {
		return train.StudyResult{}, err
	}
	if result.Point != p {
		return train.StudyResult{}, fmt.Errorf("the fleet has another point under number %d", task)
	}
	return result, nil
}

// Close removes waiting points from the queue, and closes the session. Results of running
// points stay in the fleet's store for later requests.
func (s *Study) Close(ctx context.Context) error {
	return errors.Join(s.session.Withdraw(ctx), s.session.Close())
}

// taskOfPoint returns the number of a point: the first 64 bits of its SHA-256.
func taskOfPoint(p train.StudyPoint) (uint64, error) {
	data, err := json.Marshal(p)
	sum := sha256.Sum256(data)
	return binary.BigEndian.Uint64(sum[:]), err
}

// checkStudy returns an error for an impossible result.
func checkStudy(task uint64, output json.RawMessage) error {
	var r train.StudyResult
	if err := json.Unmarshal(output, &r); err != nil {
		return err
	}
	number, err := taskOfPoint(r.Point)
	switch {
	case err != nil || number != task:
		return fmt.Errorf("result of another point, %s", r.Point)
	case r.Error == "" && len(r.Curve) == 0:
		return errors.New("no curve and no error")
	}
	for i := 1; i < len(r.Curve); i++ {
		if r.Curve[i].Games <= r.Curve[i-1].Games {
			return errors.New("the learning curve is not in ascending order")
		}
	}
	return nil
}

// studyKind learns with points of studies.
type studyKind struct{}

func (studyKind) Name() string { return "study" }

// LimitFactor allows for the long time of training.
func (studyKind) LimitFactor() int { return 24 }

// Open gets the exact solution.
func (studyKind) Open(ctx context.Context, spec json.RawMessage, file func(string) (string, error)) (fleet.Runner, error) {
	var s studySpec
	if err := json.Unmarshal(spec, &s); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	r := studyRunner{&train.Study{Features: s.Features, Pieces: s.Pieces, Updates: s.Updates, Plain: s.Plain, Moves: s.Moves, Seed: s.Seed, Parallel: 1}}
	table, err := seatTable(ctx, nil, s.Table, s.Pieces, file)
	if err != nil {
		return nil, err
	}
	r.study.Table = table.(solve.Table) // under Finkel's rules
	return r, nil
}

type studyRunner struct{ study *train.Study }

// Equal compares two results, but not the times they took.
func (studyRunner) Equal(a, b json.RawMessage) bool {
	var results [2]train.StudyResult
	for i, data := range []json.RawMessage{a, b} {
		if json.Unmarshal(data, &results[i]) != nil {
			return false
		}
		for j := range results[i].Curve {
			results[i].Curve[j].Seconds = 0
		}
	}
	return reflect.DeepEqual(results[0], results[1])
}

func (r studyRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	var p train.StudyPoint
	if err := json.Unmarshal(work, &p); err != nil {
		return nil, &fleet.Failure{Message: fmt.Sprintf("point %d of a study: %v", task, err)}
	}
	if number, err := taskOfPoint(p); err != nil || number != task {
		return nil, &fleet.Failure{Message: fmt.Sprintf("point %d of a study is asked for as %s", task, p)}
	}
	one := *r.study
	one.Lambda, one.Rate, one.Hidden, one.Plies = []float64{p.Lambda}, []float64{p.Rate}, []string{p.Hidden}, []int{p.Plies}
	if _, err := one.Points(); err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	return one.Learn(ctx, p, nil)
}
