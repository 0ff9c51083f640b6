package ur

import "testing"

// Brains have different hashes when any weight differs, and the same on every machine.
func TestBrainHash(t *testing.T) {
	b := ClassicBrain()
	seen := map[string]int{b.Hash(): -1}
	for i := range b {
		b[i]++
		hash := b.Hash()
		b[i]--
		if before, ok := seen[hash]; ok || len(hash) != 16 {
			t.Errorf("weights %d and %d: both have the hash %q", before, i, hash)
		}
		seen[hash] = i
	}
	if got, want := new(Brain).Hash(), "033eeac8e125a5ef"; got != want {
		t.Errorf("the hash of no weights is %s, want %s", got, want)
	}
}
