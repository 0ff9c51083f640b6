package main

import (
	"cmp"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// programVariable makes this test binary the program benchab.
const programVariable = "BENCHAB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		main()
	}
	_ = flag.Set("test.parallel", "6")
	testkit.Main(m)
}

// program returns the program benchab in a folder, with a temporary folder of its own.
func program(dir, temporary string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), programVariable+"=1", "TMPDIR="+temporary)
	return cmd
}

// programsOf returns a folder with some programs, as a PATH.
func programsOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		testkit.SkipOn(t, err)
		testkit.SkipOn(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

// listFiles lists the files of a repository, with those of git.
func listFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	testkit.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return names
}

// checkNothingLeft checks that a run leaves nothing in its temporary folder.
func checkNothingLeft(t *testing.T, temporary string) {
	t.Helper()
	testkit.Equal(t, len(testkit.Must(os.ReadDir(temporary))(t)), 0, "files left behind in %s", temporary)
}

// Whatever is missing, one line has the way out, and nothing is left behind.
func TestWrongRepositories(t *testing.T) {
	t.Parallel()
	side := func(text string) files {
		return files{"p/p.go": text, "p/p_test.go": header + loop("F", "F()")}
	}
	good := importKinds(t, []kind{{old: side(spin(100)), new: side(spin(200))},
		{old: side("package p\n"), new: side("package p\n\nvar X int\n")},
		{old: files{"q/q.go": "package q\n"}, new: files{"q/q.go": "package q\n\nvar X int\n"}}})
	empty, readOnly, shallow := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "shallow")
	for _, args := range [][]string{{"-C", good, "checkout", "-q", "new-0"},
		{"clone", "-q", "--depth=1", "-b", "new-0", "file://" + good, shallow}} {
		testkit.Run(t, exec.Command("git", args...))
	}
	testkit.NoError(t, os.Chmod(readOnly, 0o500))
	for _, test := range []struct {
		name, args string
		dir, path  string // the repository and the user's PATH, or others
		code       int
		says       string
		long       bool // only with UR_LONG: another builds as well
	}{
		{name: "unknown base", args: "nosuch new-0", code: badUsage, says: `commit "nosuch": unknown in `},
		{name: "unknown head", args: "old-0 new-0~7", code: badUsage, says: "where new-0 has fewer commits behind it"},
		{name: "another benchmark", args: "old-0 new-0 --bench Nosuch", code: badUsage, says: "(there are BenchmarkF)"},
		{name: "no benchmark", args: "old-2 new-2", code: badUsage, says: "no benchmarks on either side in ./..."},
		{name: "unknown package", args: "old-0 new-0 ./nosuch", code: badUsage, says: "no benchmarks in ./nosuch"},
		{name: "package outside of the module", args: "old-0 new-0 ../..", code: badUsage,
			says: "no benchmarks in ../.."},
		{name: "no git", args: "old-0 new-0", path: programsOf(t, "go"), code: badUsage,
			says: `"git": executable file not found in $PATH (want both there)`},
		{name: "no Go", args: "old-0 new-0", path: programsOf(t, "git"), code: badUsage,
			says: `"go": executable file not found in $PATH (want both there)`},
		{name: "no counter", args: "old-0 new-0 --judge count", path: programsOf(t, "git", "go"), long: true, code: badUsage,
			says: "apt-get install valgrind"},
		{name: "empty folder", dir: empty, code: badUsage,
			says: "not in a git work tree (want a folder of a repository"},
		{name: "shallow clone", args: "HEAD~1", dir: shallow, code: badUsage, says: "git fetch --unshallow"},
		{name: "first commit", dir: shallow, code: badUsage, says: "git fetch --unshallow"},
		{name: "broken on the old side", args: "old-1 new-0", long: true, code: badUsage,
			says: "p/p_test.go:7:3: undefined: F"},
		{name: "broken on the new side", args: "old-0 new-1", long: true, code: badUsage,
			says: "p/p_test.go:7:3: undefined: F"},
		{name: "broken on both sides", args: "old-1 new-1", code: badUsage, says: "p/p_test.go:7:3: undefined: F"},
		{name: "no time", args: "old-0 new-0 --time 1ms", code: undecided,
			says: "no time to measure: the builds take longer than 1ms; what is built"},
		{name: "no time, as JSON", args: "old-0 new-0 --time 1ms --json", code: undecided,
			says: `longer than 1ms; what is built stays in the build cache, so another run continues there"],"verdict":"undecided"}`},
		{name: "read-only output", args: "old-0 new-0 -o " + filepath.Join(readOnly, "x"),
			code: badUsage, says: "-o: "},
		{name: "read-only folder", args: "old-0 new-0 --save " + filepath.Join(readOnly, "x"), code: badUsage,
			says: "--save: "},
		{name: "files without benchmarks", args: "go.mod go.mod", code: badUsage,
			says: "go.mod: no benchmarks (want Go's benchmark format"},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.SkipIf(t, strings.Contains(test.args, readOnly) && os.Getuid() == 0, "root may write everywhere")
			testkit.SkipIf(t, test.long && !testkit.Long(), "builds what another builds as well")
			dir, temporary := cmp.Or(test.dir, good), t.TempDir()
			before := listFiles(t, dir)
			cmd := program(dir, temporary, strings.Fields(test.args)...)
			cmd.Env = append(cmd.Env, "UR_PROGRESS=off", "PATH="+cmp.Or(test.path, os.Getenv("PATH")))
			out, _ := cmd.CombinedOutput()
			testkit.Equal(t, cmd.ProcessState.ExitCode(), test.code, "exit code")
			testkit.WantText(t, string(out), test.says)
			testkit.ErrorIf(t, strings.Count(string(out), "\n") > 2, "more than one line:\n%s", out)
			testkit.Equal(t, listFiles(t, dir), before, "files of the repository")
			checkNothingLeft(t, temporary)
		})
	}
}

// A reader that goes, as head does, ends a run quietly and without a trace.
func TestClosedPipes(t *testing.T) {
	t.Parallel()
	repository := importKinds(t, []kind{kind{}.change(files{"p/p.go": spin(100),
		"p/p_test.go": header + loop("F", "F()")}, nil, files{"README.md": "It reaches no benchmark.\n"})})
	for closed, code := range map[string]int{"stdout": closedPipe, "stderr": closedPipe} {
		temporary := t.TempDir()
		cmd := program(repository, temporary, "old-0", "new-0")
		to, err := cmd.StdoutPipe()
		if closed == "stderr" {
			to, err = cmd.StderrPipe()
		}
		if err == nil {
			err = to.Close()
		}
		testkit.NoError(t, err)
		_ = cmd.Run()
		testkit.Equal(t, cmd.ProcessState.ExitCode(), code, "exit code without %s, %v", closed, cmd.ProcessState)
		checkNothingLeft(t, temporary)
	}
}
