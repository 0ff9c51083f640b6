package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-09dcdc84/ur/web"
)

// A server is an http.Handler: mount it anywhere.
func ExampleNew() {
	s := web.New(web.Config{Version: "example"})
	defer s.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/api/about", nil)
	s.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 200 application/json
}
