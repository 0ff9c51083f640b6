package cli

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"array16/scalar", "array8/scalar", "bits/table"}
	for typed, want := range map[string]string{
		"array8/scaler": "array8/scalar", "bit/table": "bits/table", "bit/tabel": "bits/table", "bits/table": "", "abacus": "", "": "",
	} {
		if got := Nearest(typed, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", typed, got, want)
		}
	}
}
