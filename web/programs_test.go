package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// No request runs a program: not a new game, not a link or a record with the name of such a player,
// and not a game by a link.
func TestRequestsRunNoProgram(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	spec := "exec:touch " + marker
	s := newPage(t, web.Config{})
	link := "2/1.0/" + url.PathEscape(spec) + "/human"
	record := `// The Royal Game of Ur\nlight ` + spec + `\ndark greedy\npieces 2\nseed 1\ngame 0\nresult unfinished\n`
	questions := map[string]string{"new": fmt.Sprintf(`{"light":%q,"dark":"human"}`, spec), "read": `{"text":"` + record + `"}`}
	refused := map[string]bool{"new": true, "go": true}
	for _, verb := range game.Verbs() {
		question, own := questions[verb]
		if !own {
			question = fmt.Sprintf(`{"game":%q,"from":0,"form":"jsonl"}`, link)
		}
		w := ask(s, "POST", "/api/game/"+verb, question, nil)
		if refused[verb] && (w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "no player")) {
			t.Errorf("%s: code %d, %s", verb, w.Code, w.Body)
		}
	}
	w := ask(s, "POST", "/api/friends", fmt.Sprintf(`{"token":"0123456789abcdef","side":"light","hash":"00","light":%q}`, spec), nil)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "unknown field") {
		t.Errorf("a game by a link: code %d, %s", w.Code, w.Body)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the program ran")
	}
}
