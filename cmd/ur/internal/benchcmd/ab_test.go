package benchcmd

import (
	"context"
	"strings"
	"testing"
)

// A limit that is none is told with what would be one, and so is any other flag.
func TestBenchABRefusesFlags(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--limit foo", `--limit: invalid limit "foo" (want a part above 0, as in 3% or 'Parse=10%')`},
		{"--layouts foo", "--layouts: "},
		{"--nothing", "bench ab has no flag --nothing"},
	} {
		var out, messages strings.Builder
		err := program.Run(context.Background(), append([]string{"bench", "ab"}, strings.Fields(test.args)...), strings.NewReader(""), &out, &messages)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}
