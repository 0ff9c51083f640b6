package docs

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"go.yaml.in/yaml/v4"
)

// action is the action as workflows of other repositories name it.
const action = "seed-09dcdc84/ur/cmd/benchab@main"

// lintWorkflow reports errors in a workflow of GitHub, also in the inputs of our action.
func lintWorkflow(t *testing.T, name, text string) {
	t.Helper()
	lint := exec.Command("go", "tool", "actionlint", "-no-color", "-shellcheck=", "-pyflakes=", "-stdin-filename", name, "-")
	lint.Dir, lint.Stdin = root, strings.NewReader(strings.ReplaceAll(text, action, "./cmd/benchab"))
	testkit.Run(t, lint)
}

// workflowOf returns a workflow with the given steps.
func workflowOf(steps, inputs string) string {
	return "on: {workflow_call: {inputs: {" + inputs + "}}}\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n" +
		"      " + strings.ReplaceAll(strings.TrimSpace(steps), "\n", "\n      ") + "\n"
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// Workflows of the pages and of this repository, and the steps of the action, are those that GitHub reads.
func TestWorkflows(t *testing.T) {
	testkit.NeedLong(t, "compiles actionlint")
	found := 0
	for _, page := range pages(t) {
		for _, block := range yamlBlock.FindAllStringSubmatch(readPage(t, page), -1) {
			switch text := block[1]; {
			case strings.HasPrefix(text, "# .gitlab-ci.yml\n"):
			case strings.HasPrefix(text, "- "):
				lintWorkflow(t, page, workflowOf(text, ""))
			default:
				lintWorkflow(t, page, text)
				found++
			}
		}
	}
	testkit.ErrorIf(t, found < 2, "the pages have %d workflows", found)
	for name, text := range tracked(t, ".github/workflows") {
		lintWorkflow(t, name, text)
	}
	var file struct {
		Inputs map[string]any
		Runs   struct {
			Steps []any `yaml:"steps"`
		}
	}
	testkit.NoError(t, yaml.Unmarshal([]byte(readPage(t, "cmd/benchab/action.yml")), &file))
	steps := testkit.Must(yaml.Marshal(file.Runs.Steps))(t)
	var inputs []string
	for name := range file.Inputs {
		inputs = append(inputs, name+": {type: string}")
	}
	lintWorkflow(t, "action.yml", workflowOf(string(steps), strings.Join(inputs, ", ")))
}

// Actions of others that this repository runs are pinned by commit.
func TestActionsArePinned(t *testing.T) {
	uses, pinned := regexp.MustCompile(`(?m)uses: (.*)$`), regexp.MustCompile(`^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	found := 0
	for name, text := range tracked(t, ".github/workflows", "cmd/benchab/action.yml") {
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			found++
			testkit.ErrorIf(t, !pinned.MatchString(use[1]) && !strings.HasPrefix(use[1], "./"),
				"%s: %s is not pinned by commit", name, use[1])
		}
	}
	testkit.ErrorIf(t, found == 0, "no action is used")
}

// fakes are programs that write their arguments to the file $CALLS; go installs another fake.
const fakes = `apt-get benchab bash gh go npm sudo tar`

// runSteps runs a script in a clone of a repository, with fakes instead of the programs it calls, and
// returns the calls.
func runSteps(t *testing.T, script string, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	origin, clone := filepath.Join(dir, "origin"), filepath.Join(dir, "clone")
	programs, calls := filepath.Join(dir, "bin"), filepath.Join(dir, "calls")
	for _, name := range strings.Fields(fakes) {
		testkit.WriteText(t, filepath.Join(programs, name), "#!/bin/sh\necho \"${0##*/} $*\" >>\"$CALLS\"\n")
		testkit.NoError(t, os.Chmod(filepath.Join(programs, name), 0o777))
	}
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	real, err := exec.LookPath("bash")
	testkit.SkipOn(t, err)
	run := func(script string, env ...string) {
		t.Helper()
		cmd := exec.Command(real, "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@example.com", "CALLS="+calls, "HOME="+dir)
		cmd.Env = append(cmd.Env, env...)
		testkit.Run(t, cmd)
	}
	run(`git init -q -b main origin && cd origin && git commit -q --allow-empty -m 1 && git commit -q --allow-empty -m 2 && git checkout -q -b change &&
		git commit -q --allow-empty -m 3 && git commit -q --allow-empty -m 4 && cd .. && git clone -q --depth 3 --no-single-branch "file://` + origin + `" clone`)
	path := "PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH")
	run("cd '"+clone+"'\n"+script, append([]string{path}, env...)...)
	text, err := os.ReadFile(calls)
	testkit.FatalIf(t, err != nil && !os.IsNotExist(err), "%v", err)
	base := testkit.Run(t, exec.Command("git", "-C", origin, "rev-parse", "main"))
	settings, _ := os.ReadFile(filepath.Join(dir, ".gitconfig"))
	return strings.ReplaceAll(string(text)+string(settings), strings.TrimSpace(base), "BASE")
}

// The scripts of the page do what it says.
func TestScriptsOfCI(t *testing.T) {
	page := readPage(t, "docs/ab-ci.md")
	_, gitlab, found := strings.Cut(page, "# .gitlab-ci.yml\n")
	gitlab, _, _ = strings.Cut(gitlab, "```")
	var pipeline struct {
		Benchab struct {
			Image        string
			Script       []string
			Variables    map[string]string
			AllowFailure struct {
				ExitCodes int `yaml:"exit_codes"`
			} `yaml:"allow_failure"`
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(gitlab))
	testkit.NoError(t, decoder.Decode(&pipeline))
	testkit.FatalIf(t, !found || pipeline.Benchab.AllowFailure.ExitCodes != 4 ||
		pipeline.Benchab.Variables["GIT_DEPTH"] != "0", "%+v", pipeline)
	script, install := strings.Join(pipeline.Benchab.Script, "\n"), "go install github.com/seed-09dcdc84/ur/cmd/benchab@latest\n"
	want := "apt-get -qq update\napt-get -qq -y install valgrind\n" + install + "benchab FROM HEAD --save results\n"
	for _, env := range [][]string{{"CI_MERGE_REQUEST_DIFF_BASE_SHA=FROM"}, {"CI_MERGE_REQUEST_DIFF_BASE_SHA=x", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=FROM"}} {
		testkit.Equal(t, runSteps(t, script, env...), want, "calls of GitLab")
	}
	other := regexp.MustCompile("(?s)## Other systems\n\n```text\n(.*?)```").FindStringSubmatch(page)
	testkit.Equal(t, runSteps(t, other[1]), install+"benchab BASE HEAD --save results\n", "calls of other systems")
	step := regexp.MustCompile(`(?m)^- run: (git config.*)$`).FindStringSubmatch(page)
	testkit.WantText(t, runSteps(t, step[1], "TOKEN=secret"), `[url "https://x-access-token:secret@github.com/"]`)
}

// The steps of the workflows call the programs that they should, with the environment of a runner.
func TestStepsOfWorkflows(t *testing.T) {
	want := map[string]string{
		"ci":      "gh run download 7 --dir events\nbash .ci/steps every_test\nbash .ci/steps\nbash .ci/install\nbash .ci/steps race\n",
		"pages":   "go run ./cmd/ur serve --export site\ngo -C tools/prose run . PWD PWD/site\n",
		"release": "bash .ci/release v1.2.3 dist\ngh release create v1.2.3 dist/*.tar.gz dist/checksums.txt --verify-tag --notes-file dist/notes.md\n",
	}
	for name, text := range tracked(t, ".github/workflows") {
		var workflow struct {
			Jobs map[string]struct{ Steps []struct{ Run string } }
		}
		testkit.NoError(t, yaml.Unmarshal([]byte(text), &workflow))
		var scripts []string
		for _, job := range slices.Sorted(maps.Keys(workflow.Jobs)) {
			for _, step := range workflow.Jobs[job].Steps {
				scripts = append(scripts, step.Run)
			}
		}
		calls := runSteps(t, strings.Join(scripts, "\n"), "GITHUB_REF_NAME=v1.2.3", "GITHUB_RUN_ID=7", "GITHUB_OUTPUT=/dev/null",
			"CI_EVENTS=events", "STEP=race")
		calls = regexp.MustCompile(`/\S+/clone\b`).ReplaceAllString(calls, "PWD")
		testkit.Equal(t, calls, want[strings.TrimSuffix(filepath.Base(name), ".yml")], "the calls of %s", name)
	}
}

// The archive for this machine is built as a release builds it; the script runs its programs.
func TestRelease(t *testing.T) {
	testkit.NeedLong(t, "builds all programs without caches")
	folder := t.TempDir()
	cmd := exec.Command("bash", ".ci/release", "v1.2.3", folder, runtime.GOOS+"/"+runtime.GOARCH)
	cmd.Dir = root
	testkit.WantText(t, testkit.Run(t, cmd), "\nur ", "\nreversi ", "\nbenchab ", "<title>")
}

// headers are the first bytes of programs of Linux, Windows and macOS.
var headers = []string{"\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"}

// Git tracks no built program, and no file above 1 MB besides the named ones.
func TestTrackedFiles(t *testing.T) {
	const most = 1_000_000
	large := []string{"reversi/eval/weights.bin"}
	for name, text := range tracked(t) {
		testkit.ErrorIf(t, slices.ContainsFunc(headers, func(h string) bool { return strings.HasPrefix(text, h) }),
			"%s is a program: remove it from git", name)
		testkit.ErrorIf(t, len(text) > most && !slices.Contains(large, name),
			"%s has %d bytes (want at most %d, or its name in this test)", name, len(text), most)
	}
}

// The website has all documents, and their links lead to pages that are there.
func TestSite(t *testing.T) {
	testkit.NeedLong(t, "builds a program: another test checks the links of the documents")
	module := testkit.Must(filepath.Abs(root))(t)
	site := t.TempDir()
	testkit.Run(t, exec.Command("go", "-C", filepath.Join(root, "tools", "prose"), "run", ".", module, site))
	link := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for _, page := range pages(t) {
		name := strings.TrimSuffix(page, ".md") + ".html"
		for _, found := range link.FindAllStringSubmatch(testkit.ReadText(t, filepath.Join(site, name)), -1) {
			target, _, _ := strings.Cut(found[1], "#")
			if target == "" || strings.HasSuffix(target, "./") || strings.Contains(target, "://") {
				continue
			}
			file := filepath.Join(site, filepath.Dir(name), target)
			testkit.Equal(t, testkit.ErrorOf(os.Stat(file)), nil, "%s: a link", name)
		}
	}
}
