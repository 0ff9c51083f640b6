package train

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/solvetest"
)

// tinyStudy is a study of a small game.
func tinyStudy(t testing.TB) *Study {
	t.Helper()
	solution := solvetest.Values(t, 2)
	return &Study{
		Lambda: []float64{0.3, 0.9}, Rate: []float64{0.1}, Hidden: []string{"4", "6,3"}, Plies: []int{1},
		Features: "squares", Pieces: 2, Updates: SampleUpdates, Plain: true, Moves: 500, Seed: 1, Table: solution,
	}
}

func TestStudyPoints(t *testing.T) {
	s := tinyStudy(t)
	points, err := s.Points()
	if err != nil || len(points) != 4 || points[3] != (StudyPoint{0.9, 0.1, "6,3", 1}) {
		t.Fatalf("the points are %v, %v", points, err)
	}
	s.Random = 2
	drawn, err := s.Points()
	again, _ := s.Points()
	if err != nil || len(drawn) != 2 || drawn[0] == drawn[1] || drawn[0] != again[0] {
		t.Errorf("two points at random are %v, %v", drawn, err)
	}
	for name, change := range map[string]func(*Study){
		"nothing":    func(s *Study) { s.Rate = nil },
		"a bad rate": func(s *Study) { s.Rate = []float64{-1} },
		"no rate":    func(s *Study) { s.Rate = []float64{0.1, 0} },
		"no plies":   func(s *Study) { s.Plies = []int{0} },
		"no table":   func(s *Study) { s.Table = nil },
		"no units":   func(s *Study) { s.Hidden = []string{"4", ""} },
		"no moves":   func(s *Study) { s.Moves = 0 },
		"twice":      func(s *Study) { s.Lambda = []float64{0.5, 0.5} },
		"too much":   func(s *Study) { s.Lambda = make([]float64, maxStudyPoints) },
	} {
		s := tinyStudy(t)
		change(s)
		if _, err := s.Points(); err == nil {
			t.Errorf("a study over %s is taken", name)
		}
	}
}

// TestStudyOfZero holds that a lambda of 0 is TD(0), and not the default.
func TestStudyOfZero(t *testing.T) {
	s := tinyStudy(t)
	s.Lambda, s.Hidden = []float64{0, DefaultLambda}, []string{"4"}
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	var regrets [2]float64
	for i, p := range points {
		result, err := s.Learn(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		regrets[i], _ = result.Regret()
	}
	if regrets[0] == regrets[1] {
		t.Errorf("%v and %v learned the same: their regret is %v", points[0], points[1], regrets[0])
	}
}

// TestStudyResumes reads results back, whole and cut off anywhere.
func TestStudyResumes(t *testing.T) {
	s := tinyStudy(t)
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.WriteHeader(&file); err != nil {
		t.Fatal(err)
	}
	var ends []int
	for _, p := range points[:2] {
		ends = append(ends, file.Len())
		result, err := s.Learn(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if regret, ok := result.Regret(); !ok || math.IsNaN(regret) {
			t.Fatalf("%v has the regret %v, %v", p, regret, ok)
		}
		if err := result.Write(&file); err != nil {
			t.Fatal(err)
		}
	}
	ends = append(ends, file.Len())
	for cut := ends[0]; cut <= file.Len(); cut++ {
		results, size, err := s.ReadResults(bytes.NewReader(file.Bytes()[:cut]))
		if err != nil || int(size) != ends[len(results)] || len(results) < 2 && cut >= ends[len(results)+1] {
			t.Fatalf("of %d bytes, %d results take %d: %v", cut, len(results), size, err)
		}
	}
	other := tinyStudy(t)
	other.Seed = 2
	if _, _, err := other.ReadResults(bytes.NewReader(file.Bytes())); err == nil {
		t.Error("the results of another study are taken")
	}
	var table bytes.Buffer
	results, _, _ := s.ReadResults(bytes.NewReader(file.Bytes()))
	results = append(results, StudyResult{Point: points[3], Error: "too high"})
	if err := WriteStudyTable(&table, results); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(table.String(), "\n"); len(lines) != 5 || !strings.Contains(lines[3], "too high") {
		t.Errorf("the table is\n%s", &table)
	}
	if drawing := string(DrawStudy(results)); !strings.Contains(drawing, "<svg") || !strings.Contains(drawing, points[0].String()) {
		t.Errorf("the drawing is %s", drawing)
	}
}
