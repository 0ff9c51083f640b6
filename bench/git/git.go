// Package git runs git for programs that compare, check out or record commits. Neither the hook that started the program nor the settings of the
// user change what git answers: other repositories of the environment, hooks, filters, monitors, pagers and signatures
// are left out, and only what names credentials stays.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// settings are git's configuration in every run. The owner of a folder does not matter, because nothing of its
// configuration runs.
var settings = []string{"core.hooksPath=" + os.DevNull, "core.fsmonitor=", "core.safecrlf=false", "core.pager=cat",
	"color.ui=false", "status.showUntrackedFiles=normal", "commit.gpgSign=false", "tag.gpgSign=false", "gc.auto=0", "maintenance.auto=false",
	"safe.directory=*"}

// kept matches the variables of git with credentials, or with the files of settings for them.
var kept = regexp.MustCompile(`^GIT_(SSH\w*|ASKPASS|TERMINAL_PROMPT|SSL_\w+|HTTP_\w+|PROXY_\w+|ALLOW_PROTOCOL|` +
	`CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))=`)

// Environ returns this process's environment without the variables set by a hook or a user for another run of git,
// such as GIT_DIR.
func Environ() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GIT_") && !kept.MatchString(variable)
	})
}

// Git runs git in a folder.
type Git struct {
	Dir      string   // "" is the current folder
	Env      []string // variables added to [Environ]
	Settings []string // configuration as NAME=VALUE, after that of every run
}

// Run runs git and returns its output without the final newline. The context's end kills it.
func (g Git) Run(ctx context.Context, args ...string) (string, error) {
	var all []string
	for _, setting := range slices.Concat(settings, g.Settings) {
		all = append(all, "-c", setting)
	}
	cmd := exec.CommandContext(ctx, "git", append(all, args...)...)
	cmd.Dir, cmd.WaitDelay = g.Dir, time.Second
	// An index is not written as a side effect, and git crosses borders of file systems, as Go does.
	cmd.Env = append(append(Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_DISCOVERY_ACROSS_FILESYSTEM=1", "LC_ALL=C"), g.Env...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	process.OwnGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err != nil:
		err = &Error{args[0], err, text.LastLine(messages.String())}
	}
	return strings.TrimRight(out.String(), "\r\n"), err
}

// Error is a failed run of git.
type Error struct {
	Verb    string
	Err     error  // of the process
	Message string // last line of stderr
}

func (e *Error) Error() string {
	if e.Message == "" {
		return "git " + e.Verb + ": " + e.Err.Error()
	}
	return "git " + e.Verb + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Repository is the work tree of a repository. Its git runs in the root, without the filters of the configuration.
type Repository struct {
	Git
	Filters []string // names of the filters, such as lfs
	Index   string   // path of the index

	objects, shallow, sparse string // other paths
	format                   string // hash of objects
	settings                 [][2]string
}

// inherited matches the settings read by [Open]: filters, and what copies of the repository need to fetch missing
// objects and to check out the same part of the files. Git writes their names in lower case.
const inherited = `^(filter\..*\.(clean|smudge|process|required)|remote\..*|url\..*|http\..*|credential\..*|` +
	`core\.(sshcommand|askpass|sparsecheckout(cone)?))$`

// Open returns the repository of a folder.
func Open(ctx context.Context, dir string) (*Repository, error) {
	r := &Repository{Git: Git{Dir: dir}}
	found, err := r.Run(ctx, "rev-parse", "--absolute-git-dir", "--show-toplevel")
	folder, root, _ := strings.Cut(found, "\n")
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, err
	}
	r.Dir, r.Env = root, []string{"GIT_DIR=" + folder, "GIT_WORK_TREE=" + root} // core.worktree may be anywhere
	found, err = r.Run(ctx, "rev-parse", "--show-object-format", "--git-path", "index", "--git-path", "objects",
		"--git-path", "shallow", "--git-path", "info/sparse-checkout")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(found, "\n")
	const format = 1
	paths := []*string{&r.Index, &r.objects, &r.shallow, &r.sparse}
	if len(lines) != format+len(paths) {
		return nil, fmt.Errorf("git rev-parse: %d lines (want %d)", len(lines), format+len(paths))
	}
	r.format = lines[0]
	for i, path := range paths {
		if *path = lines[format+i]; !filepath.IsAbs(*path) {
			*path = filepath.Join(r.Dir, *path)
		}
	}
	return r, r.readSettings(ctx)
}

// readSettings reads the inherited settings.
func (r *Repository) readSettings(ctx context.Context) error {
	values, err := r.Run(ctx, "config", "-z", "--get-regexp", inherited)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 { // there are none
		return nil
	}
	for setting := range strings.SplitSeq(strings.TrimSuffix(values, "\x00"), "\x00") {
		key, value, hasValue := strings.Cut(setting, "\n")
		last := strings.LastIndexByte(key, '.')
		switch filter, ok := strings.CutPrefix(key[:max(0, last)], "filter."); {
		case ok && key[last:] == ".required":
			r.Settings = append(r.Settings, key+"=false")
		case ok:
			r.Settings = append(r.Settings, key+"=")
			if !slices.Contains(r.Filters, filter) {
				r.Filters = append(r.Filters, filter)
			}
		case hasValue:
			r.settings = append(r.settings, [2]string{key, value})
		}
	}
	return err
}

// Common returns the folder shared by all work trees of the repository.
func (r *Repository) Common() string { return filepath.Dir(r.objects) }

// CheckOut writes the files of a commit to a folder, which becomes a repository of its own at this commit: a program that
// looks for the root of its repository finds the folder. No filter runs, and ends of lines stay as they are. Objects stay
// where they are, and the repository is not written to.
func (r *Repository) CheckOut(ctx context.Context, commit, dir string) error {
	own := Git{Dir: dir, Settings: slices.Concat(r.Settings, []string{"core.autocrlf=false", "advice.detachedHead=false"})}
	if runtime.GOOS != "windows" {
		own.Settings = append(own.Settings, "core.symlinks=true")
	}
	begin := []string{"init", "-q", "--template="}
	if r.format == "sha256" {
		begin = append(begin, "--object-format=sha256")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if _, err := own.Run(ctx, begin...); err != nil {
		return err
	}
	if err := r.describe(filepath.Join(dir, ".git")); err != nil {
		return err
	}
	if _, err := own.Run(ctx, "update-ref", "--no-deref", "HEAD", commit); err != nil {
		return err
	}
	_, err := own.Run(ctx, "read-tree", "--reset", "-u", commit)
	return err
}

// describe gives a new repository the objects and the inherited settings of this one.
func (r *Repository) describe(folder string) error {
	var config strings.Builder
	isSparse := false
	for _, setting := range r.settings {
		key, value := setting[0], setting[1]
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		section := key[:first]
		if first < last {
			section += " " + quote(key[first+1:last])
		}
		isURL := strings.HasSuffix(key, ".url") && (strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../"))
		if isURL {
			value = filepath.Join(r.Dir, value)
		}
		isSparse = isSparse || key == "core.sparsecheckout" && value == "true"
		fmt.Fprintf(&config, "[%s]\n\t%s = %s\n", section, key[last+1:], quote(value))
	}
	file, err := os.OpenFile(filepath.Join(folder, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(config.String())
	err = errors.Join(err, file.Close(), os.Mkdir(filepath.Join(folder, "info"), 0o700),
		os.WriteFile(filepath.Join(folder, "objects", "info", "alternates"), []byte(r.objects+"\n"), 0o600))
	copied := map[string]string{r.shallow: "shallow"}
	if isSparse {
		copied[r.sparse] = "info/sparse-checkout"
	}
	for from, to := range copied {
		if content, missing := os.ReadFile(from); missing == nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(folder, to), content, 0o600))
		}
	}
	return err
}

// quote writes a value as a file of git's configuration has it.
func quote(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}
