package ab

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A key is a part of a name, wherever it is and whatever its value looks like; the rest is the group.
func TestSplitNames(t *testing.T) {
	for _, test := range []struct {
		key, name          string
		value, rest, keyed string // "" without the key
	}{
		{"eval", "Value/board=array16/eval=avx2", "avx2", "Value/board=array16", "Value/board=array16/eval=avx2"},
		{"/board", "Value/board=array16/eval=avx2", "array16", "Value/eval=avx2", "Value/board=array16/eval=avx2"},
		{"eval", "Value/evaluator=x", "", "", ""},
		{"n", "Fill-8/n=1=2/dash-16", "1=2", "Fill-8/dash-16", "Fill-8/n=1=2/dash-16"},
		{"n", "Fill/n=", "", "Fill", "Fill/n="},
		{"/1", "Log/Zap", "Zap", "Log", "Log/1=Zap"},
		{"2", "Log/small/Zap.Check-2", "Zap.Check-2", "Log/small", "Log/small/2=Zap.Check-2"},
		{"/2", "Log/small", "", "", ""},
	} {
		key, err := parseKey(test.key)
		testkit.NoError(t, err)
		value, rest, keyed, ok := key.split(test.name)
		testkit.Equal(t, ok, test.rest != "", "%s of %s", test.key, test.name)
		if ok {
			testkit.Equal(t, [3]string{value, rest, keyed}, [3]string{test.value, test.rest, test.keyed}, "%s of %s", test.key, test.name)
		}
	}
	value, rest, keyed, ok := nameKey{position: 1}.splitLong("Log/rs/zerolog")
	testkit.Equal(t, []any{value, rest, keyed, ok}, []any{"rs/zerolog", "Log", "Log/1=rs_zerolog", true}, "a value with a slash")
	for key, want := range map[string]string{"": "invalid key", "/": "invalid key", "a,b": "several keys", "a b": "several keys", "a/b": "several keys",
		"/0": "invalid key", "-1": "invalid key", "a=b": "invalid key"} {
		testkit.WantError(t, CheckKey(key), want, "%q", key)
	}
	testkit.Equal(t, listKeys([]string{"F/a=1/x", "F/a=2"}), "the names have /1 (a=1, a=2), /2 (x), /a (1, 2)", "keys")
}
