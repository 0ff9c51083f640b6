package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The action and the pages name only flags that exist, and the page names them all.
func TestDocumentedFlags(t *testing.T) {
	known := append(slices.Clone(order), "help", "global", "judge")
	named := make(map[string]bool)
	for _, file := range []string{"../../docs/ab.md", "../../docs/ab-ci.md",
		"../../docs/ab-validation.md", "action.yml"} {
		page := testkit.Must(os.ReadFile(file))(t)
		for line := range strings.Lines(string(page)) {
			if strings.Contains(line, "git fetch") || strings.Contains(line, "git rev-parse") ||
				strings.Contains(line, "gh ") || strings.Contains(line, "bench doctor") ||
				strings.Contains(line, "bench compare") || strings.Contains(line, "maintain/records") {
				continue
			}
			for _, found := range flagWord.FindAllStringSubmatch(line, -1) {
				if named[found[1]] = true; !slices.Contains(known, found[1]) {
					t.Errorf("%s names the flag --%s, which does not exist: %s", file, found[1], line)
				}
			}
		}
	}
	for _, name := range order {
		if !named[name] && name != "o" {
			t.Errorf("docs/ab.md does not name --%s", name)
		}
	}
}

// The settings that the page accepts a slowdown with are settings.
func TestDocumentedSettings(t *testing.T) {
	page := testkit.Must(os.ReadFile("../../docs/ab-ci.md"))(t)
	found := regexp.MustCompile(`(?m)^echo "(.*)" >> \.benchab$`).FindSubmatch(page)
	c := newCommand()
	if found == nil {
		t.Fatal("the page has no line for .benchab")
	}
	if err := parseSettings(c.flags(), string(found[1]), settingsFile); err != nil {
		t.Errorf("%s: %v", found[1], err)
	}
}

var flagWord = regexp.MustCompile("(?:^|[\\s`'\"(])--([a-z][a-z-]+)")
