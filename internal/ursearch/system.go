package ursearch

// system is a symmetric system of linear equations.
type system struct {
	a [][]float64 // the upper triangle is filled in
	b []float64
}

func newSystem(n int) *system {
	s := &system{a: make([][]float64, n), b: make([]float64, n)}
	for i := range s.a {
		s.a[i] = make([]float64, n)
	}
	return s
}

// add adds weight * x * x to the matrix, and weight * x * y to the right side.
func (s *system) add(x []float64, weight, y float64) {
	for i, xi := range x {
		if xi == 0 {
			continue
		}
		xi *= weight
		row := s.a[i]
		for j := i; j < len(x); j++ {
			row[j] += float64(xi * x[j])
		}
		s.b[i] += float64(xi * y)
	}
}

// solve solves the system by elimination. A thousandth more on the diagonal keeps unimportant
// constants near zero, and irrelevant ones at zero.
func (s *system) solve() []float64 {
	const more, tiny = 1e-3, 1e-9
	n := len(s.b)
	for i := range s.a {
		for j := range i {
			s.a[i][j] = s.a[j][i]
		}
		s.a[i][i] += float64(more*s.a[i][i]) + tiny
	}
	for i := range s.a {
		for r := i + 1; r < n; r++ {
			by := s.a[r][i] / s.a[i][i]
			for c := i; c < n; c++ {
				s.a[r][c] -= float64(by * s.a[i][c])
			}
			s.b[r] -= float64(by * s.b[i])
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = s.b[i]
		for c := i + 1; c < n; c++ {
			x[i] -= float64(s.a[i][c] * x[c])
		}
		x[i] /= s.a[i][i]
	}
	return x
}
