package web

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// policy limits the page to resources of this server and to WebAssembly.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard rejects requests not meant for this server and sets the page's security headers.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !s.knowsHost(r.Host):
			fail(w, http.StatusMisdirectedRequest,
				"unknown host %q (want an address, localhost or a configured host name)", clip(r.Host))
		case !fromHere(r):
			fail(w, http.StatusForbidden, "a page of another site asks, from %q: only pages of this server may", clip(r.Header.Get("Origin")))
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// knowsHost reports whether a Host header names this server. This prevents DNS rebinding: a
// page of another site whose name was made to resolve to this server has that name as its host.
// An address cannot be rebound.
func (s *Server) knowsHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	host = strings.ToLower(host)
	return host == "localhost" || net.ParseIP(host) != nil || slices.Contains(s.config.Hosts, host)
}

// fromHere reports whether a request comes from a page of this server, or from no page.
func fromHere(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		// A user may open the page by a link from another site.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && !strings.HasPrefix(r.URL.Path, "/api/")
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// clip shortens foreign text to keep an error readable.
func clip(s string) string { return text.Clip(s) }
