package ab

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestLimits(t *testing.T) {
	o := DefaultOptions()
	for _, text := range []string{"5%", "Parse=10%", "Parse/size=1=0.2", "=8=30%"} {
		testkit.NoError(t, o.ParseLimit(text))
	}
	rules := o.rules()
	for name, want := range map[string]float64{"a.Hash": 0.05, "a.Parse": 0.1, "a.Parse/size=1": 0.2, "a.Hash/n=8": 0.3} {
		testkit.Equal(t, rules.LimitOf(name), want, "limit of %s", name)
	}
	for _, text := range []string{"", "0", "-3%", "x", "NaN", "inf%", "(=3%", "a=", "=90%"} {
		testkit.WantError(t, o.ParseLimit(text), "", "%q is taken for a limit", text)
	}
}

func TestOptionsCheck(t *testing.T) {
	good := DefaultOptions()
	testkit.NoError(t, good.Check())
	for _, change := range []func(*Options){
		func(o *Options) { o.Limit = 0 },
		func(o *Options) { o.Time = 0 },
		func(o *Options) { o.Old = "x" },
		func(o *Options) { o.Old, o.New, o.Base = "x", "y", "HEAD" },
		func(o *Options) { o.Bench = "(" },
		func(o *Options) { o.CPU = "1,x" },
	} {
		o := DefaultOptions()
		change(&o)
		testkit.WantError(t, o.Check(), "", "%+v are taken for options", o)
	}
	good.Ignore = []string{"pkg"}
	testkit.WantError(t, testkit.ErrorOf(Run(t.Context(), good)), "commits have no settings", "a setting to leave out of commits")
}
