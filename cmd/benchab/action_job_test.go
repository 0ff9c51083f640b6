package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// job runs steps of the action as a runner does: their commands and their variables come from
// action.yml, and the expressions there are looked up in values.
type job struct {
	dir, temp string            // checkout, and RUNNER_TEMP
	values    map[string]string // by expression, as in "inputs.base"
	env       []string          // further variables, as in "GITHUB_EVENT_NAME=push"
	path      string            // a folder before the others of PATH
}

// newJob returns a job of a push with the inputs' defaults, in a checkout.
func newJob(t *testing.T, dir string) *job {
	t.Helper()
	for _, program := range []string{"bash", "git", "xargs", "cksum"} {
		testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath(program)))
	}
	readIfThere(t, "action.sh") // go test runs again when files change that the test itself reads
	j := &job{dir: dir, temp: t.TempDir(), path: t.TempDir(), values: map[string]string{"toJSON(matrix)": "null"}}
	for name, input := range blocks(actionFile(t, "inputs:", "outputs:"), "  ") {
		value := fields(input)["default"]
		j.values["inputs."+name] = strings.Trim(value, `"`)
	}
	j.set("GITHUB_EVENT_NAME=push", "GITHUB_JOB=compare", "GITHUB_WORKFLOW=ci", "GITHUB_REPOSITORY=o/r",
		"GITHUB_REF=refs/heads/main")
	return j
}

func (j *job) set(env ...string) { j.env = append(j.env, env...) }

// write writes a file of the job, a program if it is in the folder of programs.
func (j *job) write(t *testing.T, name, text string) {
	t.Helper()
	testkit.NoError(t, os.WriteFile(name, []byte(text), 0o777))
}

// run runs a step, and returns its output and exit code. Outputs become values.
func (j *job) run(t *testing.T, step string) (string, int) {
	t.Helper()
	action := testkit.Must(filepath.Abs("."))(t)
	block := blocks(actionFile(t, "  steps:", ""), "    - name: ")[step]
	testkit.FatalIf(t, block == "", "the action has no step %q", step)
	cmd := exec.Command("bash", "-e", "-c", fields(block)["run"])
	cmd.Dir = j.dir
	output := filepath.Join(j.temp, "output")
	cmd.Env = append(os.Environ(), "PATH="+j.path+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+j.temp,
		"GITHUB_ACTION_PATH="+action, "GITHUB_OUTPUT="+output,
		"GITHUB_STEP_SUMMARY="+filepath.Join(j.temp, "summary.md"), "TMPDIR="+t.TempDir())
	for name, value := range fields(block) {
		if name == strings.ToUpper(name) {
			cmd.Env = append(cmd.Env, name+"="+expression.ReplaceAllStringFunc(value, func(found string) string {
				return j.values[expression.FindStringSubmatch(found)[1]]
			}))
		}
	}
	cmd.Env = append(cmd.Env, j.env...)
	out, err := cmd.CombinedOutput()
	testkit.FatalIf(t, err != nil && cmd.ProcessState == nil, "%v", err)
	id := fields(block)["id"]
	for line := range strings.Lines(readIfThere(t, output)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.values["steps."+id+".outputs."+name] = value
	}
	os.Remove(output)
	return string(out), cmd.ProcessState.ExitCode()
}

// mustRun runs a step that must succeed, and returns its output.
func (j *job) mustRun(t *testing.T, step string) string {
	t.Helper()
	out, code := j.run(t, step)
	testkit.FatalIf(t, code != 0, "%s: exit code %d: %s", step, code, out)
	return out
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// actionFile returns the lines of action.yml between two others.
func actionFile(t *testing.T, from, to string) string {
	t.Helper()
	_, text, found := strings.Cut(readIfThere(t, "action.yml"), "\n"+from+"\n")
	testkit.FatalIf(t, !found, "action.yml has no line %q", from)
	if to != "" {
		text, _, _ = strings.Cut(text, "\n"+to)
	}
	return text
}

// blocks splits a text at the lines that begin with exactly the prefix, by the rest of these lines.
func blocks(text, prefix string) map[string]string {
	found, name := make(map[string]string), ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, prefix); ok && rest[0] != ' ' {
			name = strings.TrimSuffix(strings.TrimSpace(rest), ":")
		}
		found[name] += line
	}
	return found
}

// fields returns the values of a block that stand on the line of their names.
func fields(block string) map[string]string {
	found := make(map[string]string)
	for line := range strings.Lines(block) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			found[name] = value
		}
	}
	return found
}

func readIfThere(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	testkit.FatalIf(t, err != nil && !os.IsNotExist(err), "%v", err)
	return string(text)
}
