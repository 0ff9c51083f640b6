package record

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/seed-09dcdc84/ur/bench/git"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"golang.org/x/mod/modfile"
)

// Environment is a figure's provenance: the machine and the program that measured it.
type Environment struct {
	CPU      string        `json:"cpu"`
	Vendor   string        `json:"vendor,omitempty"`
	Family   int           `json:"family"`
	Model    int           `json:"model"`
	Stepping int           `json:"stepping"`
	Features []cpu.Feature `json:"features"` // CPU features a kernel could use

	Cores    int    `json:"cores"` // available to this process
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Kernel   string `json:"kernel,omitempty"`
	Load     string `json:"load,omitempty"` // average of 1, 5 and 15 minutes, before measuring
	Go       string `json:"go"`
	Commit   string `json:"commit"`             // "+dirty" behind it when files were changed
	Build    string `json:"build,omitempty"`    // flags of the build, such as "-tags=purego"
	Disabled string `json:"disabled,omitempty"` // UR_DISABLE
	Date     string `json:"date"`               // start, RFC 3339, UTC
	Command  string `json:"command"`            // the measuring command, with its arguments

	Pinning *Pinning `json:"pinning,omitempty"` // nil when it is not known
}

// Pinning is a run's core.
type Pinning struct {
	Core   *int   `json:"core,omitempty"`   // the thread's core
	Reason string `json:"reason,omitempty"` // why it was not kept anywhere
}

// ReadEnvironment reads the environment from the CPU, the operating system, the build and, for
// the commit, git. Unknown fields stay empty.
func ReadEnvironment() Environment {
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // empty except on Linux
	e := Environment{
		CPU:      report.CPUName(),
		Vendor:   cpuid.CPU.VendorString,
		Family:   cpuid.CPU.Family,
		Model:    cpuid.CPU.Model,
		Stepping: cpuid.CPU.Stepping,
		Features: append([]cpu.Feature{}, cpu.Detected()...),
		Cores:    runtime.NumCPU(),
		OS:       runtime.GOOS,
		Arch:     runtime.GOARCH,
		Kernel:   strings.TrimSpace(string(kernel)),
		Load:     strings.Trim(fmt.Sprint(report.LoadAverages()), "[]"),
		Go:       runtime.Version(),
		Disabled: os.Getenv("UR_DISABLE"),
		Date:     time.Now().UTC().Format(time.RFC3339),
	}
	e.Command = strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")
	e.Commit, e.Build = ReadBuild()
	if e.Commit == "" {
		e.Commit = gitCommit()
	}
	return e
}

// slug names the kind of processor, for a folder: its name and, since clouds give
// many processors the same name, its family and model.
func (e Environment) slug() string {
	words := strings.FieldsFunc(strings.ToLower(e.CPU), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if e.Family != 0 || e.Model != 0 {
		words = append(words, fmt.Sprintf("family%d", e.Family), fmt.Sprintf("model%d", e.Model))
	}
	return strings.Join(append(words, e.Arch), "-")
}

// Processor names the processor, with its family and model where they are known.
func (e Environment) Processor() string {
	if e.Family == 0 && e.Model == 0 {
		return e.CPU
	}
	return fmt.Sprintf("%s (family %d, model %d)", e.CPU, e.Family, e.Model)
}

// ReadBuild returns the commit of the program's build, if recorded, and the build flags that
// change its speed.
func ReadBuild() (commit, flags string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	var set []string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value + commit
		case "vcs.modified":
			if s.Value == "true" {
				commit += dirty
			}
		case "-tags", "-gcflags", "-race", "GOAMD64", "GOARM64", "GOEXPERIMENT":
			set = append(set, s.Key+"="+s.Value)
		}
	}
	return commit, strings.Join(set, " ")
}

// built names the program's build: "go1.26.0, commit 1234", with 12 digits of the commit where it
// is known.
func (e Environment) built() string {
	commit, _, changed := strings.Cut(e.Commit, dirty)
	if commit == "" {
		return e.Go
	}
	commit = commit[:min(12, len(commit))]
	if changed {
		commit += dirty
	}
	return e.Go + ", commit " + commit
}

// dirty marks a commit with changed files.
const dirty = "+dirty"

// ModulePath is this program's module path, as its go.mod has it, or "" when the build did
// not record it.
func ModulePath() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
}

// gitCommit returns git's commit of the working directory, which "go run" does not record in
// the program. It is "" outside a checkout of the program's module. Changed records do not make
// it dirty, since they do not change the program.
func gitCommit() string {
	run := func(args ...string) (string, error) { return git.Git{}.Run(context.Background(), args...) }
	top, _ := run("rev-parse", "--show-toplevel")
	module, _ := os.ReadFile(filepath.Join(top, "go.mod"))
	commit, err := run("rev-parse", "HEAD")
	if err != nil || modfile.ModulePath(module) != ModulePath() {
		return ""
	}
	changed, err := run("status", "--porcelain", "--", top, ":(top,exclude)results")
	if err != nil || changed != "" {
		return commit + dirty
	}
	return commit
}
