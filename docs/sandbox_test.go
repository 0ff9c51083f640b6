package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// outside matches code that reads the user's folders or starts programs.
var outside = regexp.MustCompile(`"os/exec"|os\.User(Home|Cache|Config)Dir`)

// sandboxMain matches a TestMain whose tests have a home of their own.
var sandboxMain = regexp.MustCompile(`sandbox\.(Main|Wrap)\(`)

// Every package whose tests could see the user's files runs them in a sandbox.
func TestSandboxes(t *testing.T) {
	list := exec.Command("go", "list", "-test", "-f",
		`{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}|{{join .Deps " "}}`, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Skip(err)
	}
	matches := func(pattern *regexp.Regexp, dir, files string) bool {
		return slices.ContainsFunc(strings.Fields(files), func(name string) bool {
			text := testkit.Must(os.ReadFile(filepath.Join(dir, name)))(t)
			return pattern.Match(text)
		})
	}
	const self = "github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	reaching, sandboxed, links := make(map[string]bool), make(map[string]bool), make(map[string]string)
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		name, dir, files, tests := part[0], part[1], part[2], part[3]
		switch {
		case strings.HasSuffix(name, ".test"):
			links[strings.TrimSuffix(name, ".test")] = part[4]
		case !strings.Contains(name, " "): // otherwise it is built for the tests of a package
			reaching[name] = name != self && matches(outside, dir, files)
			sandboxed[name] = name == self || matches(sandboxMain, dir, tests)
			reaching[name+".test"] = matches(outside, dir, tests)
		}
	}
	if len(links) < 50 {
		t.Errorf("%d packages have tests", len(links))
	}
	for name, linked := range links {
		linked := append(strings.Fields(linked), name, name+".test")
		if i := slices.IndexFunc(linked, func(dep string) bool { return reaching[dep] }); i >= 0 && !sandboxed[name] {
			t.Errorf("the tests of %s link %s and want func TestMain(m *testing.M) { sandbox.Main(m) }", name,
				linked[i])
		}
	}
}
