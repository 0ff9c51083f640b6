// Package work says how the work of this module is cut into the tasks of a fleet: what
// travels, what a worker does with it, and what of an answer can be believed.
//
// [Kinds] are what a worker computes. A client has a type for each question: [Backend] and
// [Reversi] for matches and tournaments, [Duels] for generations of an evolution, [Study] for the points
// of a study. All give what the same question gives on one machine.
package work

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/fleet"
)

// Kinds are the kinds of tasks that workers compute, on an engine. A new one is a file,
// and a line here.
func Kinds(e ur.Engine) []fleet.Kind {
	return []fleet.Kind{
		matchKind{e},
		reversiKind{},
		duelKind{e},
		studyKind{},
		measureKind{},
	}
}

// MachineKind names the kind of processor that this process runs on, as the folders of
// records do.
func MachineKind() string { return experiment.ReadEnvironment().Slug() }

// CodeVersion names the code of this program, so that only equal code works together:
// the commit that it was built from, where nothing else was in the tree, and else the
// SHA-256 of the program file.
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
	sum, err := sumOfProgram()
	if err != nil {
		return "unknown"
	}
	return "program-" + sum[:40]
})

// sumOfProgram returns the SHA-256 of the file that this process runs.
func sumOfProgram() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
