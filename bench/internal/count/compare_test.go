package count

import (
	"fmt"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

func TestCompare(t *testing.T) {
	for name, test := range map[string]struct {
		before, after []Function
		want          []string
	}{
		"more calls": {
			[]Function{{"parse.skipSpace", "parse.Parse", 100, 8}, {"parse.Parse", "", 50, 1}},
			[]Function{{"parse.skipSpace", "parse.Parse", 141, 12}, {"parse.Parse", "", 50.01, 1}},
			[]string{"parse.skipSpace +41, 8 to 12 calls"}},
		"fewer instructions": {
			[]Function{{"a.F", "", 100, 1}}, []Function{{"a.F", "", 60, 1}},
			[]string{"a.F -40, 1 to 1 calls"}},
		"once": {
			[]Function{{"a.F", "", 100, 0.25}}, []Function{{"a.F", "", 400, 1}},
			[]string{"a.F +300, 0.25 to 1 calls"}},
		"new and gone": {
			[]Function{{"a.F", "", 100, 1}, {"b.Old", "a.F", 10, 1}},
			[]Function{{"a.F", "", 100, 1}, {"a.New", "a.F", 30, 2}},
			[]string{"a.New +30, 0 to 2 calls", "b.Old -10, 1 to 0 calls"}},
		"renamed": {
			[]Function{{"a.(*T).old", "a.F", 100, 3}}, []Function{{"a.(*T).new", "a.F", 101, 3}},
			[]string{"a.(*T).new +1, 3 to 3 calls"}},
		"not renamed: another package": {
			[]Function{{"example.com/a.f", "", 100, 3}}, []Function{{"example.com/b.f", "", 100, 3}},
			[]string{"example.com/b.f +100, 0 to 3 calls",
				"example.com/a.f -100, 3 to 0 calls"}},
		"closures numbered anew": {
			[]Function{{"a.F.func1", "a.F", 100, 3}, {"a.F.func2.1", "a.F.func2", 7, 1}, {"a.F", "", 10, 1},
				{"a.G[...]", "", 5, 1}},
			[]Function{{"a.F.func2", "a.F", 100, 3}, {"a.F.func3.1", "a.F.func3", 7, 1}, {"a.F", "", 10, 1},
				{"a.G[go.shape.int]", "", 9, 1}},
			[]string{"a.G +4, 1 to 1 calls"}},
		"inlined": {
			[]Function{{"a.small", "a.F", 60, 10}, {"a.F", "", 100, 1}}, []Function{{"a.F", "", 140, 1}},
			[]string{"a.F -20, 1 to 1 calls"}},
		"no longer inlined": {
			[]Function{{"a.F", "", 140, 1}}, []Function{{"a.small", "a.F", 60, 10}, {"a.F", "", 100, 1}},
			[]string{"a.F +20, 1 to 1 calls"}},
		"new work of an unchanged caller": {
			[]Function{{"a.F", "", 140, 1}}, []Function{{"a.extra", "a.F", 60, 10}, {"a.F", "", 150, 1}},
			[]string{"a.extra +60, 0 to 10 calls", "a.F +10, 1 to 1 calls"}},
	} {
		got := text.List(Compare(test.before, test.after), func(f report.Function) string {
			return fmt.Sprintf("%s %+.4g, %g to %g calls", f.Name, f.More, f.Calls[0], f.Calls[1])
		})
		testkit.Equal(t, got, test.want, "%s", name)
	}
}
