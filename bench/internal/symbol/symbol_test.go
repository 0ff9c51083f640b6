package symbol

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The parts of names, as the compiler and the linker of Go 1.26 write them.
func TestNames(t *testing.T) {
	for _, test := range []struct{ name, pkg, short, enclosing, declared string }{
		{"example.com/m.F", "example.com/m", "m.F", "example.com/m.F", "example.com/m.F"},
		{"example.com/v%2ea.F.func1.2", "example.com/v%2ea", "v%2ea.F.func1.2", "example.com/v%2ea.F", "example.com/v%2ea.F"},
		{"m.(*T[...]).M.func1", "m", "m.(*T).M.func1", "m.(*T[...]).M", "m.(*T).M"},
		{"m.F[...].gowrap1", "m", "m.F.gowrap1", "m.F", "m.F"},
		{"m.F[go.shape.struct { a/b.X int }]-range1", "m", "m.F-range1", "m.F", "m.F"},
		{"m.T.M-fm", "m", "m.T.M-fm", "m.T.M", "m.T.M"},
	} {
		testkit.Equal(t, Package(test.name), test.pkg, "package of %s", test.name)
		testkit.Equal(t, Short(test.name), test.short, "short name of %s", test.name)
		testkit.Equal(t, Enclosing(test.name), test.enclosing, "function around %s", test.name)
		testkit.Equal(t, Declared(test.name), test.declared, "source of %s", test.name)
	}
	testkit.Equal(t, Path("example.com/v.a"), "example.com/v%2ea", "path in symbols")
	for name, want := range map[string]bool{"m.init": true, "m.init.0": true, "m_test.TestMain": true, "m.map.init.0": true,
		"m.initial": false, "m.F": false} {
		testkit.Equal(t, IsInitializer(name), want, "%s runs before tests", name)
	}
	for name, want := range map[string]bool{"m..stmp_7": true, "m.F..arraylit": true, "m.glob..func3": true, "m.F.func1": false} {
		testkit.Equal(t, IsNumbered(name), want, "%s is numbered", name)
	}
}
