package cli

import "testing"

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 275_740_194: "276 MB", 1_470_000_000: "1.47 GB",
	} {
		if got := Size(bytes); got != want {
			t.Errorf("size(%d) = %q, want %q", bytes, got, want)
		}
	}
}
