// Package git runs git for all programs of the module. Neither the hook that started the program nor the settings of the
// user change what git answers: other repositories of the environment, hooks, filters, monitors, pagers and signatures
// are left out, and only what names credentials stays.
package git

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
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
