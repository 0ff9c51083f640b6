package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

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
		out, exit := j.run(t, "Comment")
		if exit != 0 {
			t.Errorf("exit code %d: %s", exit, out)
		}
		folder := j.values["steps.prepare.outputs.folder"]
		if err := os.CopyFS(filepath.Join(artifacts, filepath.Base(folder)), os.DirFS(folder)); err != nil &&
			!os.IsExist(err) {
			t.Fatal(err)
		}
		return out
	}
	has := func(want ...string) {
		t.Helper()
		files, err := os.ReadDir(comments)
		if err != nil || len(files) != len(want) {
			t.Fatalf("%d comments, %v, want %d", len(files), err, len(want))
		}
		for i, want := range want {
			if text := readIfThere(t, filepath.Join(comments, fmt.Sprint(i))); !strings.Contains(text, want) {
				t.Errorf("comment %d is %s, want %s", i, text, want)
			}
		}
	}
	run("1.25", "0", "")
	run("1.26", "0", "")
	run("1.26", "3", "")
	has("(go: 1.25)\n\n**Verdict: 0 @someone", "(go: 1.26)\n\n**Verdict: 3 @someone")
	if out := run("1.26", "0", "yes"); !strings.Contains(out, "::warning title=benchab::") {
		t.Errorf("forbidden: %s", out)
	}
	has("Verdict: 0", "Verdict: 3")

	// Another workflow comments for forks. It finds the comments of the jobs.
	evil := filepath.Join(artifacts, "benchab-evil")
	testkit.NoError(t, os.Mkdir(evil, 0o777))
	fork := func() (string, int) {
		j := newJob(t, t.TempDir())
		maps.Copy(j.values, map[string]string{"github.event.workflow_run.id": "5",
			"github.event.workflow_run.head_sha":    "commit",
			"github.event.workflow_run.head_branch": "x/y", "github.event.workflow_run.head_repository.owner.login": "fork"})
		j.set("COMMENTS="+comments, "ARTIFACTS="+artifacts)
		j.write(t, filepath.Join(j.path, "gh"), fakeGH)
		return j.run(t, "Comment on a pull request from a fork")
	}
	if out, code := fork(); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	has("0 @<!-- -->someone", "0 @<!-- -->someone")
	if query := readIfThere(t, comments+".fields"); query != "state=open\nhead=fork:x/y\n" {
		t.Errorf("query %q", query)
	}
	testkit.NoError(t, os.WriteFile(filepath.Join(evil, "comment.md"), []byte("<!-- other -->\n"), 0o666))
	if out, code := fork(); code == 0 {
		t.Errorf("a comment with another marker: %s", out)
	}
}
