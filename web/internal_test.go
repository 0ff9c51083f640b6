package web

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// LimitAnswers sets how long an answer may take to be written, for tests that cannot wait
// for what the server allows.
func (s *Server) LimitAnswers(d time.Duration) { s.writeTime = d }

// An export that did not end leaves a folder that a second one may replace.
func TestBrokenExport(t *testing.T) {
	folder := t.TempDir()
	testkit.NoError(t, os.WriteFile(filepath.Join(folder, "blocked"), nil, 0o666))
	files := map[string][]byte{engineFile: nil, "a": nil, "blocked/file": nil, "z": nil}
	if err := writeFiles(folder, files); err == nil {
		t.Fatal("wrote below a file")
	}
	if err := checkFolder(folder, true); err != nil {
		t.Error(err)
	}
	if err := checkFolder(folder, false); !errors.Is(err, ErrExported) {
		t.Errorf("error %v", err)
	}
}

// A client is its address, or its network of 64 bits; only a proxy on this machine names another.
func TestAddressOf(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.7:1234", "", "192.0.2.7/32"},
		{"192.0.2.7:1234", "198.51.100.1", "192.0.2.7/32"},
		{"[2001:db8::1:2:3]:80", "", "2001:db8::/64"},
		{"[::ffff:192.0.2.7]:80", "", "192.0.2.7/32"},
		{"127.0.0.1:80", "203.0.113.5, 198.51.100.1", "198.51.100.1/32"},
		{"127.0.0.1:80", "nonsense", "127.0.0.1/32"},
		{"@", "", "@"},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		if r.RemoteAddr = c.remote; c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := addressOf(r); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}
