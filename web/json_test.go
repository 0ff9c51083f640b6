package web_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/web"
)

// keys adds the names of all fields of a value, but for those of the schemas of others that
// it holds.
func keys(to map[string]bool, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			to[key] = true
			if key != "tournament" && key != "fleet" && key != "view" {
				keys(to, v)
			}
		}
	case []any:
		for _, v := range value {
			keys(to, v)
		}
	}
}

// Every field that the server answers with stands in docs/json.md under its schema.
func TestJSONIsDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := newPage(t, web.Config{Records: records(t)})
	begun := ask(s, "POST", "/api/game/new", `{"light":"greedy","dark":"human","seed":2}`, nil).Body.String()
	game := regexp.MustCompile(`"game":"([^"]*)"`).FindStringSubmatch(begun)[1]
	question := `{"game":"` + game + `","form":"text"}`
	match := ask(s, "POST", "/api/runs", `{"players":["greedy","random"],"games":2}`, nil).Body.String()
	waitFor(t, s, "match-0001", "done")
	friend := ask(s, "POST", "/api/friends", `{"side":"light","token":"0123456789abcdef"}`, nil).Body.String()
	answers := []string{begun, match, friend}
	for _, verb := range []string{"go", "hints", "record", "puzzles"} {
		answers = append(answers, ask(s, "POST", "/api/game/"+verb, question, nil).Body.String())
	}
	for _, path := range []string{"about", "runs", "ladder"} {
		answers = append(answers, ask(s, "GET", "/api/"+path, "", nil).Body.String())
	}
	for _, answer := range answers {
		var value map[string]any
		if err := json.Unmarshal([]byte(answer), &value); err != nil {
			t.Fatal(err)
		}
		schema, _ := value["schema"].(string)
		_, section, found := strings.Cut(string(text), "\n## "+schema+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if schema == "" || !found {
			t.Errorf("docs/json.md has no section %q for %.200s", schema, answer)
			continue
		}
		fields := map[string]bool{}
		keys(fields, value)
		for field := range fields {
			if field != "schema" && !strings.Contains(section, "."+field+"`") && !strings.Contains(section, "`"+field+"`") {
				t.Errorf("section %s does not describe %q", schema, field)
			}
		}
	}
}
