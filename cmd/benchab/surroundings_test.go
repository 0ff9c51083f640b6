package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// surroundings are a repository, the user's settings and environment. The value of package p is 1 in the first commit and
// 2 in the second one, which its benchmark rejects. The benchmark also looks for its repository and for variables of git,
// and reads the files that need.txt names.
type surroundings struct {
	name          string
	before, after string   // commands of a shell in the repository, before the first commit and after the second one
	folder        string   // where benchab runs, relative to the repository
	env           []string // $R is the repository
	args          string   // several runs with "|" between them
	code          int
	says          string // parts of the output with "|" between them; "" is the failure of the new side, of an undecided run
	quick         bool   // runs without UR_LONG
	root          bool   // needs root
}

const rejecting = `package p

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkA(b *testing.B) {
	needed, _ := os.ReadFile("need.txt")
	for _, name := range strings.Fields(string(needed)) {
		if _, err := os.ReadFile(name); err != nil {
			b.Fatal(err)
		}
	}
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, "GIT_") && !strings.HasPrefix(variable, "GIT_CONFIG_") {
			b.Fatal(variable)
		}
	}
	here, _ := os.Getwd()
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if _, missing := os.Stat("../.git"); err != nil || missing != nil || strings.TrimSpace(string(root)) != filepath.Dir(here) {
		b.Fatal("root ", string(root), err, missing)
	}
	for i := 0; i < b.N; i++ {
		if Value == 2 {
			fail(b, "seen")
		}
	}
}
`

// sees is what a run prints that has measured the second value.
const sees = "fails on the new side: seen"

// module is the first commit.
var module = files{"go.mod": "module example.com/m\n\ngo 1.21\n", "p/p.go": "package p\n\nvar Value = 1\n", "p/p_test.go": rejecting,
	"p/kit_test.go": "package p\n\nimport \"testing\"\n\nfunc fail(b *testing.B, why string) { b.Fatal(why) }\n"}

// The parts of a repository that have everything.
const (
	pointerFile     = "echo '*.bin filter=lfs' > .gitattributes; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 3\\n' 7 > p/a.bin; "
	lfsSettings     = "for x in smudge clean process; do git config filter.lfs.$x false; done; git config filter.lfs.required true; "
	submodule       = "git init -q -b main ../sub; echo 1 > ../sub/in.txt; git -C ../sub add .; git -C ../sub commit -qm sub; git -c protocol.file.allow=always submodule add -q ../sub p/testdata/sub; echo testdata/sub/in.txt >> p/need.txt; "
	codeOfSubmodule = "git init -q -b main ../code; printf 'package code\\n\\nvar Value = 1\\n' > ../code/code.go; git -C ../code add .; git -C ../code commit -qm sub; git -c protocol.file.allow=always submodule add -q ../code code; printf 'package p\\n\\nimport \"example.com/m/code\"\\n\\n// 1\\nvar Value = code.Value\\n' > p/p.go; "
	generated       = "printf '*_gen.go\\nignored.txt\\nnode_modules\\n' > .gitignore; printf 'package p\\n\\nvar _ = Generated\\n' > p/uses.go; echo ignored.txt >> p/need.txt; "
	generate        = "printf 'package p\\n\\nvar Generated = 1\\n' > p/x_gen.go; echo 1 > p/ignored.txt; "
	library         = "mkdir ../lib; printf 'module example.com/lib\\n\\ngo 1.21\\n' > ../lib/go.mod; printf 'package lib\\n\\nvar X = 1\\n' > ../lib/lib.go; printf 'package p\\n\\nimport _ \"example.com/lib\"\\n' > p/uses_lib.go; printf '\\nrequire example.com/lib v1.0.0\\n' >> go.mod; "
	inside          = "mkdir lib; printf 'module example.com/lib\\n\\ngo 1.21\\n' > lib/go.mod; printf 'package lib\\n\\nvar X = 1\\n' > lib/p.go; printf 'package p\\n\\nimport \"example.com/lib\"\\n\\n// 1\\nvar Value = lib.X\\n' > p/p.go; printf '\\nrequire example.com/lib v0.0.0\\n' >> go.mod; "
	workspace       = "printf 'go 1.21\\n\\nuse ./repo\\nuse ./lib\\n' > ../go.work; "
	nested          = "git init -q nested; echo 1 > nested/x; "
	oddNames        = "echo 1 > \"$(printf 'a\\nb.txt')\"; echo 1 > \"$(printf '\\377.txt')\"; echo 1 > '\"q\" .txt'; "
	oddSettings     = "git config status.showUntrackedFiles no; git config core.hooksPath hooks; git config core.fsmonitor hooks/fail; git config core.autocrlf true; git config core.safecrlf true; mkdir -p hooks; printf '#!/bin/sh\\nexit 1\\n' > hooks/post-checkout; cp hooks/post-checkout hooks/fail; chmod +x hooks/*; "
	backToFirst     = "git checkout -q HEAD~1; "
	changedValue    = "printf 'package p\\n\\nfunc init() { Value = 2 }\\n' > p/init.go; "
	commits         = "HEAD~1|HEAD~1 HEAD"
	otherGit        = "GIT_DIR=$R/../other/.git GIT_WORK_TREE=$R/../other GIT_INDEX_FILE=$R/../other/index GIT_OBJECT_DIRECTORY=$R/nosuch GIT_CEILING_DIRECTORIES=$R/.. GIT_CONFIG_PARAMETERS='core.bare=true' GIT_TRACE=1"
)

// places are the surroundings in which benchab runs.
func places() []surroundings {
	return []surroundings{
		{name: "everything", quick: true, before: pointerFile + submodule + generated + library + oddNames, env: strings.Fields(otherGit),
			after: "git init -q ../other; " + lfsSettings + generate + workspace + nested + oddSettings},
		{name: "hook of a linked work tree", args: commits, after: "git worktree add -q ../linked HEAD; ", folder: "../linked",
			env: []string{"GIT_DIR=$R/.git/worktrees/linked", "GIT_INDEX_FILE=$R/.git/worktrees/linked/index", "GIT_PREFIX="}},
		{name: "another repository in the environment", after: "git init -q ../other; ", env: strings.Fields(otherGit), args: commits},
		{name: "no repository but one in the environment", after: "mkdir ../empty", folder: "../empty", env: []string{"GIT_DIR=$R/.git"},
			code: badUsage, says: "GIT_DIR and GIT_WORK_TREE are not used"},
		{name: "commands", args: "--old BENCH --new BENCH", env: []string{"GIT_DIR=$R/.git"}, code: failure, says: "no GIT_DIR"},
		{name: "pointers of Git LFS", before: pointerFile, after: lfsSettings, args: commits, code: undecided, says: sees + "|p/a.bin: the content is not here"},
		{name: "contents of Git LFS", before: pointerFile + "cp p/a.bin p/pointer; printf 'if cmp -s p/a.bin p/pointer; then exit 1; fi' > check.sh",
			after: lfsSettings + "mkdir -p .git/lfs/objects/00/00; printf abc > .git/lfs/objects/00/00/$(printf %064d 7); printf abc > p/a.bin", args: "HEAD~1 --prepare 'sh check.sh'|HEAD~1 HEAD --prepare 'sh check.sh'"},
		{name: "nested repositories", after: nested + "git init -q other; git -C other commit -q --allow-empty -m x", args: commits},
		{name: "a submodule", before: submodule, args: commits},
		{name: "a submodule that is not checked out", before: submodule, after: "rm -rf p/testdata/sub; git submodule deinit -q --all", args: commits, code: undecided, says: "git submodule update --init p/testdata/sub|fails on both sides: open testdata/sub/in.txt"},
		{name: "code of a submodule that differs", before: codeOfSubmodule, after: "cd code; sed -i s/1/2/ code.go; git commit -qam x", args: "HEAD|HEAD~1"},
		{name: "commits of a submodule", before: codeOfSubmodule, after: "cd code; sed -i s/1/2/ code.go; git commit -qam x; cd ..; git commit -qam x", args: commits},
		{name: "a commit that a submodule lacks", before: codeOfSubmodule, after: "cd code; sed -i s/1/2/ code.go; git commit -qa --amend -m x; cd ..; git commit -qam x; cd code; git reflog expire --expire=now --all; git remote remove origin; git gc -q --prune=now",
			args: commits, code: done, says: "the submodule code lacks commit|of the old side, which uses its current files"},
		{name: "filters of the user", after: "touch -r p/a.bin .git/index", before: "git config filter.x.clean 'sed s/abc/ptr/'; git config filter.x.smudge 'sed s/ptr/abc/'; echo '*.bin filter=x' > .gitattributes; echo abc > p/a.bin; ", args: " |HEAD~1 --prepare 'grep abc p/a.bin'"},
		{name: "generated code that git ignores", before: generated, after: generate, args: commits, code: undecided, says: sees + "|p/x_gen.go: both sides use the current files"},
		{name: "a folder vendor that git ignores", before: library + "echo vendor > .gitignore; ", after: "mkdir -p vendor/example.com; cp -r ../lib vendor/example.com; rm vendor/example.com/lib/go.mod; printf '# example.com/lib v1.0.0\\n## explicit; go 1.21\\nexample.com/lib\\n' > vendor/modules.txt",
			args: commits, code: undecided, says: sees + "|no commit has vendor"},
		{name: "generated by a command", before: generated + "rm p/need.txt; ", args: "HEAD~1 --prepare 'echo \"package p; var Generated = 1\" > p/x_gen.go'|HEAD~1 HEAD --prepare 'echo \"package p; var Generated = 1\" > p/x_gen.go'"},
		{name: "a command that fails", args: "HEAD~1 --prepare 'echo no generator >&2; exit 1'", code: badUsage, says: "--prepare: |no generator"},
		{name: "a workspace above", before: library, after: workspace, args: commits, code: undecided, says: sees + "|lib."},
		{name: "a workspace of the environment", before: library, after: "mkdir ../w; printf 'go 1.21\\n\\nuse ../repo\\nuse ../lib\\n' > ../w/go.work", env: []string{"GOWORK=$R/../w/go.work"}, args: commits, code: undecided, says: sees + "|lib."},
		{name: "a workspace that is not there", quick: true, env: []string{"GOWORK=$R/../w/go.work"}, args: commits, code: badUsage, says: "workspace: open |w/go.work: no such file"},
		{name: "a workspace above that is none", quick: true, after: "echo 'use (' > ../go.work", code: badUsage, says: "workspace: |/go.work:2: syntax error|GOWORK=off"},
		{name: "a workspace of the repository in the environment", before: "mkdir dev; printf 'go 1.21\\n\\nuse ..\\n' > dev/go.work; ", env: []string{"GOWORK=$R/dev/go.work"}, args: commits},
		{name: "a workspace above, with the module of one side", before: library + "rm go.mod; ", after: workspace + "cp ../lib/go.mod go.mod; sed -i s/lib/m/ go.mod", code: badUsage, says: "no go.mod in this folder or above on the old side"},
		{name: "a folder of the repository by its absolute path", before: inside + "printf '\nreplace example.com/lib => %s/lib\n' $PWD >> go.mod; ", args: commits},
		{name: "a workspace that leads around", before: inside + "printf 'go 1.21\n\nuse .\nuse ../repo/lib\n' > go.work; ", args: commits},
		{name: "a clone without files", after: "git clone -q -n . ../clone", folder: "../clone", code: badUsage, says: "no files are checked out (want git checkout"},
		{name: "commits of a clone without files", after: "git clone -q -n . ../clone", folder: "../clone", args: "HEAD~1 HEAD"},
		{name: "one commit", after: "rm -rf .git; git init -q -b main; git add .; git commit -qm x", args: " |HEAD~1", code: badUsage, says: "HEAD has fewer commits behind it"},
		{name: "untracked code that the settings hide", after: backToFirst + changedValue + oddSettings, args: "HEAD"},
		{name: "a change that git does not look at", after: backToFirst + "git update-index --assume-unchanged p/p.go; sed -i s/1/2/ p/p.go", args: "HEAD"},
		{name: "a change within the second of the index", after: backToFirst + "touch -d '1 minute ago' p/p.go; git update-index --refresh -q; sed -i s/1/2/ p/p.go; touch -d '1 minute ago' p/p.go; touch -d '1 minute ago' .git/index", args: "HEAD"},
		{name: "files that cannot be read", after: "echo 1 > x.txt; chmod 0 x.txt; mkdir y; echo 1 > y/y.txt; chmod 0 y"},
		{name: "names of all kinds", before: oddNames, after: "mkdir z; cd z; " + oddNames, args: commits},
		{name: "a pipe in the work tree", after: "mkfifo p/pipe; rm p/kit_test.go; mkfifo p/kit_test.go", says: "undefined: fail", code: badUsage},
		{name: "a work tree elsewhere", after: "mkdir ../work; cp -r . ../work; git config core.worktree $PWD/../work", code: badUsage, says: "by core.worktree (want a folder in it)"},
		{name: "a work tree around", after: "mkdir ../outer; mv .git ../outer/git; printf 'gitdir: ../outer/git\\n' > .git; git config core.worktree $PWD", args: commits},
		{name: "another owner", after: "chown -R 1234 .", args: commits, root: true},
		{name: "a sparse checkout", before: "mkdir q; echo 1 > q/q.txt; ", after: "git sparse-checkout set p 2> /dev/null", args: commits},
		{name: "a partial clone", after: "git config uploadpack.allowFilter true; git clone -q --filter=blob:none file://$PWD ../clone", folder: "../clone", args: commits},
		{name: "a shallow clone", after: "git clone -q --depth 1 file://$PWD ../clone; cd ../clone; sed -i s/2/1/ p/p.go; git commit -qam x; sed -i s/1/2/ p/p.go", folder: "../clone", args: "HEAD"},
		{name: "objects elsewhere", after: "git clone -q --shared . ../clone", folder: "../clone", args: commits},
		{name: "objects by SHA-256", after: "rm -rf .git; git init -q --object-format=sha256; sed -i s/2/1/ p/p.go; git add .; git commit -qm x; sed -i s/1/2/ p/p.go; git commit -qam y", args: commits},
		{name: "attributes", before: "printf '* text=auto eol=crlf\\np/p.go ident\\np/p_test.go export-ignore\\n*.utf16 working-tree-encoding=UTF-16\\n' > .gitattributes; ", args: commits},
		{name: "symbolic links as files", before: "ln -s p/p.go link; ", after: "git config core.symlinks false; rm link; git checkout -q link", args: commits},
		{name: "settings by a condition", after: "printf '[status]\\n\\tshowUntrackedFiles = no\\n[diff]\\n\\texternal = false\\n\\torderFile = nosuch\\n[core]\\n\\tpager = false\\n' > ../settings; git config includeIf.gitdir:$PWD/.path $PWD/../settings; " + backToFirst + changedValue, args: "HEAD"},
		{name: "conflicts of a rebase", after: "git checkout -q -b topic HEAD~1; sed -i s/1/3/ p/p.go; git commit -qam x; git rebase main > /dev/null 2>&1 || true", code: badUsage, says: "p/p.go: unresolved merge conflicts"},
		{name: "commits during a rebase", after: "git checkout -q -b topic HEAD~1; sed -i s/1/3/ p/p.go; git commit -qam x; git rebase main > /dev/null 2>&1 || true", args: "HEAD~1 HEAD"},
		{name: "flags of tests", before: "sed -i 's/Value == 2/Value == 2 \\&\\& testing.Short() \\&\\& os.Args[len(os.Args)-1] == \"-x\"/' p/p_test.go; ", args: "HEAD~1 --args '-short -args -- -x'|HEAD~1 HEAD --args '--short -args -- -x'"},
		{name: "flags of tests in GOFLAGS", before: "sed -i 's/Value == 2/Value == 2 \\&\\& testing.Short()/' p/p_test.go; ", env: []string{"GOFLAGS=-short -json -toolexec=env"}},
		{name: "flags that tests do not have", args: "HEAD~1 --args -nosuch", code: undecided, says: "fails on both sides: flag provided but not defined: -nosuch"},
		{name: "flags of the build", args: "HEAD~1 --args -race", code: badUsage, says: "want GOFLAGS=-race"},
		{name: "benchmarks with a tag", before: "sed -i '1s/^/\\/\\/go:build bench\\n\\n/' p/p_test.go; ", args: commits, code: badUsage, says: "--tags: no benchmarks on either side in ./... without those of p/p_test.go (want bench)"},
		{name: "bisection", args: "--bisect HEAD~1|--bisect @^|--bisect HEAD", code: endBisect, says: "moves along with HEAD"},
		{name: "an undecided bisection", after: "git tag one HEAD~1", args: "--bisect one", code: skipCommit, says: sees},
		{name: "a temporary folder without programs", after: "mkdir ../noexec; mount -t tmpfs -o noexec none ../noexec", env: []string{"TMPDIR=$R/../noexec"}, root: true, code: badUsage, says: "TMPDIR: programs cannot run in "},
	}
}

// A run measures what "go test" measures in the folder, whatever surrounds it, or one line has the way out.
func TestSurroundings(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	t.Parallel()
	for _, s := range places() {
		t.Run(s.name, func(t *testing.T) {
			testkit.SkipIf(t, !s.quick && !testkit.Long(), "builds what another builds as well")
			testkit.SkipIf(t, s.root && os.Getuid() != 0, "needs root")
			t.Parallel()
			s.run(t)
		})
	}
}

// run makes the surroundings, and runs benchab in them.
func (s surroundings) run(t *testing.T) {
	t.Helper()
	around := t.TempDir()
	root := filepath.Join(testkit.Must(filepath.EvalSymlinks(around))(t), "repo")
	for name, text := range module {
		testkit.WriteText(t, filepath.Join(root, name), text)
	}
	t.Cleanup(func() { _ = exec.Command("sh", "-c", "umount $0/noexec; chmod -R u+rwx $0", around).Run() })
	script := "set -e; git init -q -b main; " + s.before + "\ngit add .; git commit -qm one; sed -i s/1/2/ p/p.go; if [ -e lib/p.go ]; then sed -i s/1/2/ lib/p.go; fi; git commit -qam two; " + s.after
	setUp := exec.Command("sh", "-c", script)
	setUp.Dir, setUp.Env = root, append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := setUp.CombinedOutput(); err != nil && s.root {
		t.Skipf("%v: %s", err, out)
	} else if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	if s.says == "" {
		s.code, s.says = undecided, sees
	}
	for args := range strings.SplitSeq(cmp.Or(s.args, "HEAD~1"), "|") {
		temporary := t.TempDir()
		bench := filepath.Join(around, "bench.sh")
		testkit.NoError(t, os.WriteFile(bench, []byte("#!/bin/sh\necho ${GIT_DIR-no GIT_DIR}; echo FAIL; exit 1\n"), 0o700))
		line := "exec \"$0\" --judge time --time 60s --horizon 100ms " + strings.ReplaceAll(args, "BENCH", bench)
		cmd := program(filepath.Join(root, s.folder), temporary)
		cmd.Path, cmd.Args = testkit.Must(exec.LookPath("sh"))(t), []string{"sh", "-c", line, os.Args[0]}
		cmd.Env = append(cmd.Env, "UR_PROGRESS=off", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GOWORK=",
			"GOFLAGS=-toolexec=env", "GOPROXY=off")
		for _, variable := range s.env {
			cmd.Env = append(cmd.Env, strings.ReplaceAll(variable, "$R", root))
		}
		code, text, messages := runProgram(cmd)
		all := strings.Join(strings.Fields(text+messages), " ")
		testkit.ErrorIf(t, code != s.code, "%s: exit code %d (want %d)\n%s%s", args, code, s.code, text, messages)
		testkit.WantText(t, all, strings.Split(s.says, "|")...)
		testkit.ErrorIf(t, s.code == badUsage && strings.Count(messages, "\n") > 2, "more than one line:\n%s", messages)
		checkNothingLeft(t, temporary)
	}
}
