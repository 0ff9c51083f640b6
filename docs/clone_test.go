package docs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"mvdan.cc/sh/v3/syntax"
)

// original is the address that the pages clone.
const original = "https://github.com/seed-09dcdc84/ur"

// longest is the time after which a command of a page is ended: many play millions of games, or serve until then.
const longest = 3 * time.Second

// A newcomer has git, Go and a shell, and types what stands in the blocks marked "sh".
type newcomer struct {
	t      *testing.T
	folder string   // current folder
	env    []string // environment of the commands
	limit  time.Duration
}

// The shell blocks of the pages run in clones of a repository without tags and with one commit: those of README to
// their end, other commands until a limit of time. Git reaches files only, so the clone comes from this machine.
func TestShellBlocks(t *testing.T) {
	testkit.NeedLong(t, "builds all programs and runs the commands of all pages")
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	home := t.TempDir()
	origin, bin := filepath.Join(home, "origin"), filepath.Join(home, "bin")
	checkout(t, origin)
	config := "[user]\nname = You\nemail = you@example.com\n[url \"file://" + filepath.ToSlash(origin) + "\"]\ninsteadOf = " + original + "\n"
	testkit.WriteText(t, filepath.Join(home, "gitconfig"), config)
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "GIT_ALLOW_PROTOCOL=file", "NO_COLOR=1",
		"UR_PROGRESS=off", "GOWORK=", "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		// Clones share compiled packages, and "go test ./..." compiles all tests but runs examples only: this test is
		// part of a run of the others.
		"GOFLAGS=-trimpath -short -run=^Example")
	first := &newcomer{t, origin, env, time.Hour}
	first.run("git init -q -b main && git add -A && git commit -qm all")
	unrun := testkit.Rows(t, "testdata/unrun.txt", 2)
	found := make(map[string]bool)
	skip := func(command string) bool {
		i := slices.IndexFunc(unrun, func(row []string) bool { return strings.HasPrefix(command, row[0]) })
		if i >= 0 {
			found[unrun[i][0]] = true
		}
		return i >= 0
	}
	first.folder = home
	first.follow("README.md", skip) // installs the programs
	for _, page := range pages(t) {
		text := readReference(t, page)
		if page == "README.md" || !shellBlock.MatchString(text) {
			continue
		}
		folder := filepath.Join(home, path.Base(page))
		first.run("git clone -q " + original + " '" + folder + "'")
		next := &newcomer{t, folder, env, longest}
		next.follow(page, skip)
	}
	for _, row := range unrun {
		testkit.ErrorIf(t, !found[row[0]], "no page has the command %q of testdata/unrun.txt", row[0])
	}
}

// follow runs the commands of a page.
func (n *newcomer) follow(page string, skip func(command string) bool) {
	for _, block := range shellBlock.FindAllStringSubmatch(readReference(n.t, page), -1) {
		parsed := testkit.Must(syntax.NewParser().Parse(strings.NewReader(block[1]), page))(n.t)
		for _, statement := range parsed.Stmts {
			end := statement.End().Offset()
			for _, part := range statement.Redirs { // a here-document stands behind the statement
				if part.Hdoc != nil {
					end = max(end, part.Hdoc.End().Offset())
				}
			}
			command := block[1][statement.Pos().Offset():end]
			if !skip(command) {
				n.run(command)
			}
		}
	}
}

// run runs a command, which may change the folder and read lines "q". An exit code of a verdict of benchab is no failure.
func (n *newcomer) run(command string) {
	n.t.Helper()
	var out strings.Builder
	where := filepath.Join(n.t.TempDir(), "where")
	ctx, cancel := context.WithTimeout(context.Background(), n.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-ec", command+"\npwd > '"+where+"'")
	cmd.Dir, cmd.Env, cmd.Stdin = n.folder, n.env, strings.NewReader("q\nq\n")
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Second
	process.OwnGroup(cmd)
	begin := time.Now()
	err := cmd.Run()
	n.t.Logf("%6.1f s  %s", time.Since(begin).Seconds(), command)
	if ctx.Err() != nil {
		return
	}
	var exit *exec.ExitError
	verdict := strings.HasPrefix(command, "benchab ") && errors.As(err, &exit) && exit.ExitCode() >= 3
	testkit.FatalIf(n.t, err != nil && !verdict, "%s: %v\n%s", command, err, out.String())
	if folder, err := os.ReadFile(where); err == nil {
		n.folder = strings.TrimSpace(string(folder))
	}
}

// An address of this module names no version: the first release is not tagged, and later ones would make a page stale.
func TestAddressesNameNoVersion(t *testing.T) {
	address, found := regexp.MustCompile(`seed-09dcdc84/ur[\w/.]*@([\w.<-]*)`), 0
	for name, text := range tracked(t) {
		if strings.HasPrefix(name, "results/") {
			continue // commands and modules as they were
		}
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			found++
			testkit.ErrorIf(t, !slices.Contains([]string{"latest", "main", "<40", "("}, m[1]) && !strings.HasSuffix(name, "clone_test.go"),
				"%s: %s (want @latest, or @main for the action)", name, m[0])
		}
	}
	testkit.ErrorIf(t, found < 5, "found %d addresses with a version", found)
}
