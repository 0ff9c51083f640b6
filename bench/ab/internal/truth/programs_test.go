package truth

import (
	"slices"
	"testing"
)

// What programs call slower is read off what they print.
func TestPrograms(t *testing.T) {
	const former = `pkg=1/1 iter=2/2 example.com/shop/mix -

name                old time/op    new time/op    delta
Hash/rounds=1000-2    1.01µs ± 1%    1.06µs ± 2%  +5.08%  (p=0.000 n=10+10)
Sum-2                 1.20µs ± 3%    1.21µs ± 4%     ~     (p=0.579 n=10+10)
Join-2                30.1µs ± 3%    29.1µs ± 4%  -3.30%  (p=0.011 n=10+9)

name                old alloc/op   new alloc/op   delta
Fill-2                4.10kB ± 0%    4.20kB ± 0%  +2.40%  (p=0.000 n=10+10)
`
	const today = `goos: linux
pkg: example.com/shop/mix
                   │    base     │                head                │
                   │   sec/op    │   sec/op     vs base               │
Hash/rounds=1000-2   1.010µ ± 1%   1.061µ ± 2%  +5.05% (p=0.002 n=6)
Sum-2                1.200µ ± 3%   1.210µ ± 4%       ~ (p=0.589 n=6)
Sort                 1.200µ ± 3%   1.250µ ± 4%  +4.17% (p=0.041 n=6)
geomean              1.100µ        1.120µ       +1.52%

                   │    base    │                 head                 │
                   │    B/op    │     B/op       vs base               │
Fill-2               4.0Ki ± 0%    4.1Ki ± 0%  +2.50% (p=0.002 n=6)
`
	const report = `{"rounds":14,"rows":[{"name":"mix.Hash/rounds=1000","verdict":"slower"},{"name":"mix.Sum","verdict":"undecided"}]}`
	for _, c := range []struct {
		program int
		out     string
		slower  []string
		rounds  int
	}{
		{0, report, []string{"mix.Hash/rounds=1000"}, 14},
		{1, former, []string{"Hash/rounds=1000"}, 0},
		{2, former, []string{"Hash/rounds=1000"}, 0},
		{3, today, []string{"Hash/rounds=1000", "Sort"}, 0},
	} {
		p := Programs[c.program]
		slower, rounds, err := p.read([]byte(c.out))
		if err != nil || rounds != c.rounds || !slices.Equal(slower, c.slower) {
			t.Errorf("%s: %v after %d rounds, %v", p.Name, slower, rounds, err)
		}
		if _, _, err := p.read([]byte(`{"rows":[]}`)); err == nil {
			t.Errorf("%s: nothing that was compared is no error", p.Name)
		}
	}
}
