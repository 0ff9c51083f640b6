// Package work divides the work of this module into a fleet's tasks: the data sent, the
// computation of a worker, and the checks of its answers.
//
// [Kinds] are the computations of workers. A client has a type for each request: [Ur] and
// [Reversi] for matches and tournaments, and [Duels] for generations of an evolution. All give the
// result of a single machine.
package work

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/fleet"
)

// Kinds are the kinds of tasks computed by workers, on an engine. A new one is a file, and a
// line here.
func Kinds(e ur.Engine) []fleet.Kind {
	return []fleet.Kind{
		matchKind{e},
		reversiKind{},
		duelKind{e},
	}
}

// CodeVersion names this program's code, so only equal code works together: the commit of
// a clean build, otherwise the SHA-256 of the program file.
var CodeVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		setting := map[string]string{}
		for _, s := range info.Settings {
			setting[s.Key] = s.Value
		}
		if revision := setting["vcs.revision"]; revision != "" && setting["vcs.modified"] == "false" {
			return "commit-" + revision
		}
	}
	name, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("program-%x", sha256.Sum256(program))[:48]
})
