package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// importKinds makes a repository whose branches old-N and new-N are the sides of the kinds.
func importKinds(t *testing.T, all []kind) string {
	t.Helper()
	dir := t.TempDir()
	var in bytes.Buffer
	for i, k := range all {
		for side, content := range map[string]files{"old": k.old, "new": k.new} {
			fmt.Fprintf(&in, "commit refs/heads/%s-%d\ncommitter a <a@example.com> %d +0000\ndata 0\n", side, i, i)
			content = files{"go.mod": "module example.com/kinds\n\ngo 1.21\n"}.with(content)
			for _, name := range slices.Sorted(maps.Keys(content)) {
				text, mode := content[name], "100644"
				if target, ok := strings.CutPrefix(text, "-> "); ok {
					text, mode = target, "120000"
				}
				fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, name, len(text), text)
			}
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}} {
		cmd := exec.Command("git", args...)
		if cmd.Dir = dir; args[0] == "fast-import" {
			cmd.Stdin = &in
		}
		sandbox.Run(t, cmd)
	}
	return dir
}

// A slowdown by a third is found with every release of Go, also one that lies in the module cache.
func TestToolchains(t *testing.T) {
	testkit.NeedLong(t, "measures, and loads toolchains")
	third := kind{name: "third"}.change(files{"p/p_test.go": header + loop("F", "F()")}, files{"p/p.go": spin(3000)},
		files{"p/p.go": spin(4000)})
	dir := importKinds(t, []kind{third})
	for version, want := range map[string]struct {
		code int
		text string
	}{
		"go1.18.10": {badUsage, "go1.18.10 is too old (want Go 1.19 or later)"},
		"go1.22.12": {slower, "go1.22.12"},
		"go1.23.12": {slower, "go1.23.12"},
		"go1.27.4":  {slower, "go1.27.4"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", version)
			t.Setenv("GOFLAGS", "")
			if out, err := exec.Command("go", "version").CombinedOutput(); err != nil ||
				!strings.Contains(string(out), version) {
				t.Skipf("%s cannot be loaded: %v\n%s", version, err, out)
			}
			code, text, messages := runProgram(program(dir, t.TempDir(), "--seed", "1", "--time", "30s", "old-0", "new-0"))
			testkit.ErrorIf(t, code != want.code || !strings.Contains(text+messages, want.text),
				"exit code %d (want %d), no %q\n%s%s", code, want.code, want.text, text, messages)
		})
	}
}

// answer is the part of the JSON object that the kinds check.
type answer struct {
	Schema     string
	Verdict    string
	Benchmarks struct {
		Reached, Judged int
		NotJudged       []struct{ Name, Reason string } `json:"not_judged"`
	}
}

// Every kind of change has its exit code: nothing passes that was not judged.
func TestKinds(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	all := kinds()
	passing := together(all, done)
	if !testkit.Long() { // all that run measure little, or differences that no load hides
		t.Parallel()
		passing.args += " --judge time" // a failure is counted among those of another exit code
	}
	all = append(all, passing, together(all, undecided), unseen(all))
	dir := importKinds(t, all)
	for i, k := range all {
		t.Run(k.name, func(t *testing.T) {
			if !testkit.Long() && (k.long || k.unseen || k.isTurn() && !k.quick || k.judged > 0 && !k.quick) ||
				k.code == slower && testing.Short() {
				t.Skip("measures")
			}
			if !testkit.Long() {
				t.Parallel()
			}
			out, temporary := t.TempDir(), t.TempDir()
			args := append(strings.Fields("--seed 1 --time 60s --save "+out+" "+k.args), fmt.Sprint("old-", i),
				fmt.Sprint("new-", i))
			cmd := program(dir, temporary, args...)
			cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GOWORK=",
				"GOFLAGS=-toolexec=env") // a tool around the linker keeps benchab from linking in each round
			code, text, messages := runProgram(cmd)
			testkit.ErrorIf(t, code != k.code, "exit code %d (want %d)\n%s%s", code, k.code, text, messages)
			testkit.WantText(t, strings.Join(strings.Fields(text+messages), " "), strings.Split(k.says, "|")...)
			if k.code != badUsage {
				k.check(t, filepath.Join(out, "report.json"))
			}
			checkNothingLeft(t, temporary)
		})
	}
}

// check checks the JSON object of a kind.
func (k *kind) check(t *testing.T, file string) {
	t.Helper()
	var got answer
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, file)), &got))
	verdicts := map[int][]string{done: {"pass"}, slower: {"slower"}, undecided: {"undecided", "nothing"}}
	b := got.Benchmarks
	testkit.Equal(t, got.Schema, "ur.ab/3", "schema")
	testkit.ErrorIf(t, !slices.Contains(verdicts[k.code], got.Verdict), "verdict %s", got.Verdict)
	testkit.ErrorIf(t, b.Reached != k.reached || b.Judged != k.judged || len(b.NotJudged) != b.Reached-b.Judged,
		"%+v (want %d reached, %d judged)", b, k.reached, k.judged)
	for reason := range strings.SplitSeq(k.reason, "|") {
		found := slices.ContainsFunc(b.NotJudged, func(n struct{ Name, Reason string }) bool {
			return n.Name != "" && strings.Contains(n.Reason, reason)
		})
		testkit.ErrorIf(t, k.reached > k.judged && !found, "not judged: %+v (want one with %q)", b.NotJudged, reason)
	}
}

// runProgram runs a program to its end.
func runProgram(cmd *exec.Cmd) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	_ = cmd.Run() // the code says so
	return cmd.ProcessState.ExitCode(), out.String(), messages.String()
}
