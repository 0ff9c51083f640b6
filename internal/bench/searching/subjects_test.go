package searching

import (
	"strings"
	"testing"
)

func TestSubjectsAgreeWithTheirOracle(t *testing.T) {
	subjects, err := Subjects(3)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range subjects {
		if strings.Contains(s.Name(), "tictactoe") && strings.Contains(s.Name(), "without=all") && testing.Short() {
			continue
		}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		if units, err := s.Pass(); err != nil || units < 1 || s.nodes < 2 {
			t.Errorf("%s: %v units, %v nodes, error %v", s.Name(), units, s.nodes, err)
		}
		if seen[s.Name()] {
			t.Errorf("%s is there twice", s.Name())
		}
		seen[s.Name()] = true
	}
	s := subjects[len(subjects)-3]
	s.variant.Options.Algorithm = "wrong"
	s.search = subjects[0].search
	if err := s.Check(); err == nil {
		t.Error("a subject that searches another game agrees with the oracle")
	}
}

// Nothing that is measured allocates after its first pass.
func TestSubjectsDoNotAllocate(t *testing.T) {
	subjects, err := Subjects(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		if strings.Contains(s.Name(), "tictactoe") && strings.Contains(s.Name(), "without=all") && testing.Short() {
			continue
		}
		pass := func() {
			if _, err := s.Pass(); err != nil {
				t.Fatal(err)
			}
		}
		pass()
		if n := testing.AllocsPerRun(2, pass); n != 0 {
			t.Errorf("%s: a pass allocates %v times", s.Name(), n)
		}
	}
}
