package safefile

import "testing"

// Different contents have different hashes, and the same contents the same one.
func TestHash(t *testing.T) {
	hashes := map[string]string{}
	for name, fill := range map[string]func(*Hash){
		"nothing":    func(*Hash) {},
		"empty":      func(h *Hash) { h.Text("") },
		"a, b":       func(h *Hash) { h.Text("a"); h.Text("b") },
		"ab, empty":  func(h *Hash) { h.Text("ab"); h.Text("") },
		"number":     func(h *Hash) { h.Number(1) },
		"map":        func(h *Hash) { h.Map(map[string]string{"a": "b", "c": "d"}) },
		"other map":  func(h *Hash) { h.Map(map[string]string{"a": "d", "c": "b"}) },
		"no map":     func(h *Hash) { h.Map(nil); h.Number(0) },
		"not UTF-8":  func(h *Hash) { h.Text("\xff\xfe") },
		"other kind": func(h *Hash) { *h = *NewHash("other") },
	} {
		h := NewHash("kind")
		fill(h)
		if len(h.String()) != 16 {
			t.Errorf("%s: hash %q", name, h)
		}
		if same, ok := hashes[h.String()]; ok {
			t.Errorf("%s has the hash of %s", name, same)
		}
		hashes[h.String()] = name
	}
	x, y := NewHash("kind"), NewHash("kind")
	x.Text("\xff\xfe")
	y.Text("\ufffd\ufffd")
	if x.String() != y.String() {
		t.Error("bytes that are not UTF-8 have another hash than JSON writes them with")
	}
}
