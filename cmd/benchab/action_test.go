package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// foreign are settings of Go for other machines and folders.
var foreign = []string{"GOTOOLCHAIN=nosuch", "GOFLAGS=-mod=vendor", "GOOS=windows", "GOARCH=arm64", "GOWORK=nosuch",
	"GO111MODULE=off", "GOEXPERIMENT=nosuch", "GOROOT=nosuch"}

// newerModule is a user's module for a later Go.
const newerModule = "module m\n\ngo 1.99\n"

// The action builds a program for this machine, whatever settings of Go the job has and however old
// its Go is.
func TestActionBuilds(t *testing.T) {
	t.Parallel()
	testkit.NeedLong(t, "builds programs; TestAction has one for all settings")
	builds := map[string]func(j *job){
		"settings": func(j *job) { j.set(foreign...) },
		"go env -w": func(j *job) {
			j.write(t, filepath.Join(j.temp, "env"), strings.Join(foreign[:4], "\n"))
			j.set("GOENV=" + filepath.Join(j.temp, "env"))
		},
		"go 1.16": func(j *job) { oldGo(t, j) },
	}
	for name, prepare := range builds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, t.TempDir())
			j.write(t, filepath.Join(j.dir, "go.mod"), newerModule)
			prepare(j)
			j.mustRun(t, "Prepare benchab")
			program := filepath.Join(j.temp, "benchab")
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			help := testkit.Must(exec.Command(program, "--help").Output())(t)
			testkit.WantText(t, string(help), "benchab HEAD~1")
		})
	}
}

// oldGo gives a job a go command from before toolchains: it downloads only modules, without modes.
func oldGo(t *testing.T, j *job) {
	t.Helper()
	real := testkit.Must(exec.LookPath("go"))(t)
	j.write(t, filepath.Join(j.path, "go"), `#!/usr/bin/env bash
set -e
version=$(sed -n 's/^go //p' "$GITHUB_ACTION_PATH/../../go.mod")
dir=$RUNNER_TEMP/mod/golang.org/toolchain@v0.0.1-go$version.`+runtime.GOOS+"-"+runtime.GOARCH+`
case "$1 $2" in
"env GOTOOLCHAIN") echo ;;
"env GOMODCACHE") echo "$RUNNER_TEMP/mod" ;;
"env "*) `+real+` "$@" ;;
"mod download")
	[ "$RUNNER_TEMP/mod/$3" = "$dir" ]
	mkdir -p "$dir/bin" "$dir/pkg/tool/x" "$dir/src/cmd"
	touch "$dir/pkg/tool/x/compile" "$dir/src/_go.mod" "$dir/src/cmd/_go.mod"
	printf '#!/bin/sh\n[ -x '"'%s/pkg/tool/x/compile' -a -e '%s/src/cmd/go.mod' ] && exec `+real+` \"\$@\"\n" "$dir" "$dir" >"$dir/bin/go"
	chmod 555 "$dir/src" "$dir/src/cmd"
	;;
*) exit 1 ;;
esac
`)
}

// history is a repository: main has the commits 1 to 9, of which 5 has the tag v1; the branch
// change, with the commits a and b, leaves main at 8; pull merges the branch into main.
type history struct{ origin string }

// made is the history of all tests, which change only clones of it.
var made struct {
	sync.Once
	history
}

func theHistory(t *testing.T) history {
	t.Helper()
	made.Do(func() {
		made.origin = testkit.Must(os.MkdirTemp("", "history-"))(t)
		made.fill(t)
	})
	return made.history
}

func (h history) fill(t *testing.T) {
	t.Helper()
	h.git(t, "init", "-q", "-b", "main")
	commit := func(names ...string) {
		for _, name := range names {
			h.git(t, "commit", "-q", "--allow-empty", "-m", name)
		}
	}
	commit("1", "2", "3", "4", "5")
	h.git(t, "tag", "-a", "-m", "one", "v1")
	commit("6", "7", "8")
	h.git(t, "checkout", "-q", "-b", "change")
	commit("a", "b")
	h.git(t, "checkout", "-q", "main")
	commit("9")
	h.git(t, "checkout", "-q", "-b", "pull")
	h.git(t, "merge", "-q", "--no-ff", "-m", "merge", "change")
}

func (h history) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", h.origin}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com")
	return strings.TrimSpace(testkit.Run(t, cmd))
}

func (h history) hash(t *testing.T, rev string) string { return h.git(t, "rev-parse", rev+"^{commit}") }

// checkout returns a job in a clone of a branch, as actions/checkout makes it; a depth of 0 has
// all commits. Tests that want the same clone get copies.
func (h history) checkout(t *testing.T, branch string, depth int) *job {
	t.Helper()
	made, _ := clones.LoadOrStore(fmt.Sprint(h.origin, branch, depth), sync.OnceValue(func() string {
		dir := filepath.Join(h.origin, ".git", "clones", fmt.Sprint(branch, depth))
		args := []string{"clone", "-q", "--template=", "--no-tags", "--single-branch", "-b", branch,
			"file://" + h.origin, dir}
		if depth > 0 {
			args = slices.Insert(args, 1, fmt.Sprintf("--depth=%d", depth))
		}
		testkit.Run(t, exec.Command("git", args...))
		return dir
	}))
	dir := t.TempDir()
	testkit.NoError(t, os.CopyFS(dir, os.DirFS(made.(func() string)())))
	return newJob(t, dir)
}

// clones are functions that make the clones of repositories.
var clones sync.Map

// fakeBenchab writes its arguments, one a line, and a report, and exits with a code.
const fakeBenchab = `#!/usr/bin/env bash
printf '%s\n' "$@" >"$RUNNER_TEMP/args"
while [ "$1" != --save ]; do shift; done
[ -n "$NO_REPORT" ] || {
	mkdir -p "$2"
	echo "**Verdict: ${CODE:-0} @someone.**" >"$2/report.md"
	echo '{"rows":[{"name":"\"verdict\":\"faster\"","verdict":"not-slower"},{"verdict":"'"${ROW:-slower}"'"}],"verdict":"'"${VERDICT:-pass}"'"}' >"$2/report.json"
	echo '::error::annotation' >"$2/annotations.txt"
}
exit "${CODE:-0}"
`

// measure runs the steps up to the measuring one, with a fake benchab. A job that has a folder for the report is
// prepared.
func (j *job) measure(t *testing.T) (string, int) {
	t.Helper()
	if j.values["steps.prepare.outputs.folder"] == "" {
		j.write(t, filepath.Join(j.path, "go"), "#!/bin/sh\n[ \"$1\" = env ] && echo linux\nexit 0\n")
		j.mustRun(t, "Prepare benchab")
	}
	j.write(t, filepath.Join(j.temp, "benchab"), fakeBenchab)
	return j.run(t, "Measure")
}

// The action finds the right base for every event and input, in checkouts of any depth.
func TestActionBase(t *testing.T) {
	t.Parallel()
	h := theHistory(t)
	const zero = "0000000000000000000000000000000000000000"
	type base struct {
		name, branch string
		depth        int
		env          string            // without one, the name is the input "base"
		values       map[string]string // github.event, by expression
		want         string            // revision, none, or error
	}
	tests := []base{
		{"pull request", "pull", 1, "EVENT_NAME=pull_request",
			map[string]string{"pull_request.head.sha": "change"}, "main"},
		{"branch of a pull request", "change", 1, "EVENT_NAME=pull_request",
			map[string]string{"pull_request.head.sha": "change", "pull_request.base.sha": "main"}, "main~1"},
		{"merge queue", "pull", 1, "EVENT_NAME=merge_group",
			map[string]string{"merge_group.base_sha": "main~2"}, "main~2"},
		{"push", "main", 1, "EVENT_NAME=push", map[string]string{"before": "main~4"}, "main~4"},
		{"forced push", "main", 1, "EVENT_NAME=push", map[string]string{"before": "1" + zero[1:]}, "main~1"},
		{"new branch", "change", 1, "REF=refs/heads/change",
			map[string]string{"before": zero, "repository.default_branch": "main"}, "main~1"},
		{"new default branch", "main", 1, "REF=refs/heads/main",
			map[string]string{"before": zero, "repository.default_branch": "main"}, "main~1"},
		{"new tag", "v1", 1, "REF=refs/tags/v1",
			map[string]string{"before": zero, "repository.default_branch": "main"}, "v1~1"},
		{"by hand", "main", 1, "EVENT_NAME=workflow_dispatch", nil, "main~1"},
		{"HEAD~3", "main", 2, "", nil, "main~3"},
		{"HEAD~9", "main", 1, "", nil, "error"},
		{"v1", "main", 1, "", nil, "v1"},
		{"main", "change", 1, "", nil, "main"},
		{"origin/main~2", "change", 0, "", nil, "main~2"},
		{h.hash(t, "v1"), "change", 1, "", nil, "v1"},
		{h.hash(t, "v1")[:10], "change", 1, "", nil, "v1"},
		{"nosuch", "main", 1, "", nil, "error"},
	}
	if testkit.Long() { // another checkout has the same answers
		tests = append(tests, []base{
			{"pull request, all commits", "pull", 0, "EVENT_NAME=pull_request",
				map[string]string{"pull_request.head.sha": "change"}, "main"},
			{"HEAD~8", "main", 1, "", nil, "main~8"},
			{"v1~2", "main", 1, "", nil, "v1~2"},
			{h.hash(t, "v1")[:10], "change", 0, "", nil, "v1"},
			{"nosuch", "main", 0, "", nil, "error"},
		}...)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := h.checkout(t, test.branch, test.depth)
			j.values["steps.prepare.outputs.folder"] = t.TempDir() // the base does not depend on it
			if test.env != "" {
				j.set("GITHUB_" + test.env)
			} else {
				j.values["inputs.base"] = test.name
			}
			for name, value := range test.values {
				if regexp.MustCompile(`^[a-z]+(~\d)?$`).MatchString(value) && name != "repository.default_branch" {
					value = h.hash(t, value)
				}
				j.values["github.event."+name] = value
			}
			out, code := j.measure(t)
			args := strings.Fields(readIfThere(t, filepath.Join(j.temp, "args")))
			if test.want == "error" {
				testkit.ErrorIf(t, code != 2 || len(args) > 0 || !strings.Contains(out,
					"::error title=benchab::base "+test.name+": unknown commit (want"),
					"exit code %d, %q: %s", code, args, out)
				return
			}
			want := h.hash(t, test.want)
			testkit.ErrorIf(t, code != 0 || len(args) < 2 || args[0] != want || args[1] != "HEAD",
				"exit code %d, arguments %q, want %s: %s", code, args, want, out)
		})
	}
}

// A first commit passes, and a folder without a checkout is an error.
func TestActionWithoutBase(t *testing.T) {
	t.Parallel()
	h := history{t.TempDir()}
	h.git(t, "init", "-q", "-b", "main")
	out, code := newJob(t, h.origin).measure(t)
	testkit.ErrorIf(t, code != 2 || !strings.Contains(out, "want actions/checkout before"),
		"without a commit: exit code %d: %s", code, out)
	h.git(t, "commit", "-q", "--allow-empty", "-m", "1")
	j := h.checkout(t, "main", 1)
	out, code = j.measure(t)
	testkit.Equal(t, j.values["steps.compare.outputs.verdict"], "nothing", "verdict of a first commit")
	testkit.ErrorIf(t, code != 0 || !strings.Contains(out, "::notice"), "first commit: exit code %d: %s", code, out)
}

// Inputs are split into words as in a shell, and nothing in them is expanded.
func TestActionArguments(t *testing.T) {
	t.Parallel()
	j := theHistory(t).checkout(t, "main", 2)
	for args, want := range map[string]string{
		"": "",
		"--time 1m\n--json --limit 'Parse=10%' --bench \"A B\" 'C\"D' A\\ B * $HOME --tags '' `id` $(id)": "--time 1m " +
			"--json --limit Parse=10% --bench A_B C\"D A_B * $HOME --tags  `id` $(id)",
		"--bench 'A": "error",
	} {
		j.values["inputs.packages"], j.values["inputs.args"] = "./a './b c'", args
		out, code := j.measure(t)
		if want == "error" {
			testkit.ErrorIf(t, code != 2 || !strings.Contains(out, "unmatched quote in ./a './b c' "+args),
				"%s: exit code %d: %s", args, code, out)
			continue
		}
		got := strings.Split(strings.TrimSuffix(readIfThere(t, filepath.Join(j.temp, "args")), "\n"), "\n")
		folder := j.values["steps.prepare.outputs.folder"]
		full := strings.ReplaceAll(strings.Join(got[2:], "\n"), " ", "_")
		want = strings.ReplaceAll(strings.TrimSpace("./a ./b_c "+want), " ", "\n") + "\n--save\n" + folder + "\n--force"
		testkit.Equal(t, full, want, "%s: arguments", args)
	}
}

// The exit code of benchab is that of the job, but 4 is a warning unless the workflow wants otherwise.
func TestActionReports(t *testing.T) {
	t.Parallel()
	j := theHistory(t).checkout(t, "main", 2)
	j.values["toJSON(matrix)"] = "{\n  \"go\": \"1.26\",\n  \"os\": \"linux\"\n}"
	for _, test := range []struct {
		code, verdict, fail, noReport string
		want                          int
		out                           string
	}{
		{"0", "pass", "false", "", 0, ""},
		{"3", "more-work", "false", "", 3, ""},
		{"4", "undecided", "false", "", 0, "::warning title=benchab cannot answer::Verdict: 4 @someone.\n"},
		{"4", "undecided", "false", "1", 0, "::warning title=benchab cannot answer::The log has the reason.\n"},
		{"4", "undecided", "true", "", 4, ""},
		{"2", "", "false", "1", 2, ""},
	} {
		delete(j.values, "steps.compare.outputs.verdict")
		testkit.NoError(t, errors.Join(os.RemoveAll(j.values["steps.prepare.outputs.folder"]),
			os.RemoveAll(filepath.Join(j.temp, "summary.md"))))
		j.values["inputs.fail-undecided"] = test.fail
		j.set("CODE="+test.code, "VERDICT="+test.verdict, "NO_REPORT="+test.noReport)
		out, code := j.measure(t)
		if test.noReport == "" {
			test.out = "::error::annotation\n" + test.out
		}
		testkit.ErrorIf(t, code != test.want || out != test.out, "%+v: exit code %d: %s", test, code, out)
		summary, comment := readIfThere(t, filepath.Join(j.temp, "summary.md")), readIfThere(t,
			filepath.Join(j.values["steps.prepare.outputs.folder"], "comment.md"))
		if test.noReport != "" {
			testkit.ErrorIf(t, summary+comment != "", "%+v: %s%s", test, summary, comment)
			continue
		}
		title := "### benchab: compare (go: 1.26, os: linux)\n\n**Verdict"
		testkit.Equal(t, j.values["steps.compare.outputs.verdict"], test.verdict, "%+v: verdict", test)
		testkit.ErrorIf(t, !strings.HasPrefix(summary, title), "%+v: summary %s", test, summary)
		testkit.WantText(t, comment, title)
	}
}

// The whole action, with the real benchab, in a checkout of depth 1. It is built despite settings and an old Go.
func TestAction(t *testing.T) {
	t.Parallel()
	testkit.SkipIf(t, testing.Short(), "builds programs")
	h := history{t.TempDir()}
	commit := func(name, text string) {
		testkit.WriteText(t, filepath.Join(h.origin, name), text)
		h.git(t, "add", "-A")
		h.git(t, "commit", "-q", "-m", name)
	}
	h.git(t, "init", "-q", "-b", "main")
	commit("go.mod", "module example.com/m\n\ngo 1.21\n")
	commit("m_test.go", "package m\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n")
	h.git(t, "checkout", "-q", "-b", "change")
	commit("m.go", "// Package m is.\npackage m\n")
	h.git(t, "checkout", "-q", "main")
	h.git(t, "merge", "-q", "--no-ff", "-m", "merge", "change")
	j := h.checkout(t, "main", 1)
	j.values["github.event.pull_request.head.sha"] = h.hash(t, "change")
	j.set("GITHUB_EVENT_NAME=pull_request")
	users := *j
	j.dir, j.path = t.TempDir(), t.TempDir()
	j.set(foreign...)
	j.write(t, filepath.Join(j.dir, "go.mod"), newerModule)
	oldGo(t, j)
	for _, step := range []string{"Prepare benchab", "Measure"} {
		j.mustRun(t, step)
		j.dir, j.path, j.env = users.dir, users.path, users.env
	}
	var report struct{ Base, Verdict string }
	folder := j.values["steps.prepare.outputs.folder"]
	testkit.NoError(t, json.Unmarshal([]byte(readIfThere(t, filepath.Join(folder, "report.json"))), &report))
	testkit.Equal(t, report.Base, h.hash(t, "main~1"), "base of the report")
	testkit.Equal(t, report.Verdict, j.values["steps.compare.outputs.verdict"], "verdict of the report")
	summary := readIfThere(t, filepath.Join(j.temp, "summary.md"))
	testkit.ErrorIf(t, !strings.HasPrefix(summary, "### benchab: compare\n\n**Pass"), "summary %s", summary)
}

// Every variable of the script is the runner's, or of a step.
func TestActionVariables(t *testing.T) {
	action, script := readIfThere(t, "action.yml"), readIfThere(t, "action.sh")
	for _, found := range regexp.MustCompile(`\$\{?([A-Z_]+)`).FindAllStringSubmatch(script, -1) {
		name := found[1]
		runners := strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "RUNNER_") || name == "PWD"
		testkit.ErrorIf(t, !runners && !strings.Contains(action, " "+name+": "),
			"action.sh reads %s, which no step sets", name)
	}
}

// fakeGH keeps comments in the folder COMMENTS, one a file.
const fakeGH = `#!/usr/bin/env bash
set -e
args=("$@")
while (($# > 0)); do
	case $1 in
	--method) method=$2 ;;
	--jq) query=$2 ;;
	--field) case $2 in body=@*) body=${2#body=@} ;; *) echo "$2" >>"$COMMENTS.fields" ;; esac ;;
	--dir) folder=$2 ;;
	repos/*) url=$1 ;;
	esac
	shift
done
[ -z "$FORBIDDEN" ] || { echo 'gh: Resource not accessible (HTTP 403)' >&2; exit 1; }
case "$method $url" in
"POST repos/o/r/issues/7/comments") cp "$body" "$COMMENTS/$(ls "$COMMENTS" | wc -l | tr -d ' ')" ;;
"PATCH repos/o/r/issues/comments/"*) cp "$body" "$COMMENTS/${url##*/}" ;;
"GET repos/o/r/pulls") echo '[{"number": 6, "head": {"sha": "other"}}, {"number": 7, "head": {"sha": "commit"}}]' | jq -r "$query" ;;
" repos/o/r/issues/7/comments") for file in "$COMMENTS"/*; do [ ! -e "$file" ] || jq -Rs --argjson id "${file##*/}" '{id: $id, body: .}' "$file"; done | jq -rs "$query" ;;
" ") [ "${args[*]}" = "run download 5 --repo o/r --pattern benchab-* --dir $folder" ] && mkdir -p "$folder" && cp -r "$ARTIFACTS"/* "$folder" ;;
*) exit 1 ;;
esac
`

// Each job of a matrix keeps one comment up to date, and a missing permission is a warning.
func TestActionComments(t *testing.T) {
	t.Parallel()
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("jq")))
	h, comments, artifacts := theHistory(t), t.TempDir(), t.TempDir()
	run := func(goVersion, code, forbidden string) string {
		j := h.checkout(t, "main", 2)
		j.values["toJSON(matrix)"] = fmt.Sprintf("{\n  \"go\": %q\n}", goVersion)
		j.values["github.event.pull_request.number"] = "7"
		j.set("CODE="+code, "COMMENTS="+comments, "FORBIDDEN="+forbidden)
		j.write(t, filepath.Join(j.path, "gh"), fakeGH)
		j.measure(t)
		out := j.mustRun(t, "Comment")
		folder := j.values["steps.prepare.outputs.folder"]
		err := os.CopyFS(filepath.Join(artifacts, filepath.Base(folder)), os.DirFS(folder))
		testkit.FatalIf(t, err != nil && !os.IsExist(err), "%v", err)
		return out
	}
	has := func(want ...string) {
		t.Helper()
		testkit.MustEqual(t, len(testkit.Must(os.ReadDir(comments))(t)), len(want), "comments")
		for i, want := range want {
			testkit.WantText(t, readIfThere(t, filepath.Join(comments, fmt.Sprint(i))), want)
		}
	}
	run("1.25", "0", "")
	run("1.26", "0", "")
	run("1.26", "3", "")
	has("(go: 1.25)\n\n**Verdict: 0 @someone", "(go: 1.26)\n\n**Verdict: 3 @someone")
	testkit.WantText(t, run("1.26", "0", "yes"), "::warning title=benchab::") // forbidden
	has("Verdict: 0", "Verdict: 3")

	// Another workflow comments for forks. It finds the comments of the jobs.
	evil := filepath.Join(artifacts, "benchab-evil")
	testkit.NoError(t, os.Mkdir(evil, 0o777))
	fork := func() (string, int) {
		j := newJob(t, t.TempDir())
		const event = "github.event.workflow_run."
		maps.Copy(j.values, map[string]string{event + "id": "5", event + "head_sha": "commit",
			event + "head_branch": "x/y", event + "head_repository.owner.login": "fork"})
		j.set("COMMENTS="+comments, "ARTIFACTS="+artifacts)
		j.write(t, filepath.Join(j.path, "gh"), fakeGH)
		return j.run(t, "Comment on a pull request from a fork")
	}
	out, code := fork()
	testkit.ErrorIf(t, code != 0, "exit code %d: %s", code, out)
	has("0 @<!-- -->someone", "0 @<!-- -->someone")
	testkit.Equal(t, readIfThere(t, comments+".fields"), "state=open\nhead=fork:x/y\n", "query")
	testkit.WriteText(t, filepath.Join(evil, "comment.md"), "<!-- other -->\n")
	out, code = fork()
	testkit.ErrorIf(t, code == 0, "a comment with another marker: %s", out)
}

// With "changes", a report without a change adds no comment, but keeps one up to date; "never" skips the steps.
func TestActionCommentsOnChanges(t *testing.T) {
	t.Parallel()
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("jq")))
	h, comments := theHistory(t), t.TempDir()
	for i, test := range []struct{ row, verdict, comment string }{
		{"not-slower", "pass", ""}, {"slower", "slower", "Verdict: 1 "}, {"not-slower", "pass", "Verdict: 2 "}} {
		j := h.checkout(t, "main", 2)
		j.values["inputs.comment"], j.values["github.event.pull_request.number"] = "changes", "7"
		j.set("COMMENTS="+comments, "FORBIDDEN=", "ROW="+test.row, "VERDICT="+test.verdict, fmt.Sprintf("CODE=%d", i))
		j.write(t, filepath.Join(j.path, "gh"), fakeGH)
		j.measure(t)
		j.mustRun(t, "Comment")
		got := readIfThere(t, filepath.Join(comments, "0"))
		testkit.ErrorIf(t, test.comment == "" && got != "" || !strings.Contains(got, test.comment), "%+v: %s", test, got)
	}
	for name, step := range blocks(actionFile(t, "  steps:", ""), "    - name: ") {
		comment := strings.HasPrefix(name, "Comment")
		testkit.Equal(t, strings.Contains(step, "inputs.comment != 'never' && inputs.comment != 'false'"), comment, "condition of %s", name)
	}
	j := h.checkout(t, "main", 2)
	j.values["inputs.comment"] = "sometimes"
	out, code := j.measure(t)
	testkit.ErrorIf(t, code != 2 || !strings.Contains(out, "want always, changes or never"), "exit code %d: %s", code, out)
}

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
