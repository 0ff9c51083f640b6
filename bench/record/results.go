package record

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Results are the figures of one or several runs: the JSON object of "ur bench run
// --json".
type Results struct {
	Schema     string `json:"schema"` // [ResultsSchema]
	Provenance        // provenance of all rows
	Rows       []Row  `json:"rows"` // one for each benchmark and unit

	Seconds     float64   `json:"seconds"` // duration of the runs
	Interrupted bool      `json:"interrupted,omitempty"`
	Skipped     []Skipped `json:"skipped,omitempty"` // engines that were not measured
	Counter     string    `json:"counter,omitempty"` // counter of instructions, with its version
	NotCounted  []Skipped `json:"not_counted,omitempty"`

	// Work is the work of each suite: its size and the version of its data.
	Work   map[string]map[string]string `json:"work,omitempty"`
	Others float64                      `json:"others,omitempty"` // part of CPU time taken by other programs
}

// ResultsSchema is the schema of [Results].
const ResultsSchema = "ur.bench/2"

// Provenance is where figures come from.
type Provenance struct {
	Environment
	Took float64 `json:"took,omitempty"` // run time in seconds
	Seed uint64  `json:"seed"`           // seed for the measuring order and the intervals, or the command's
}

// SetTook sets the run time of a measurement that ends now.
func (p *Provenance) SetTook() {
	if begin, err := time.Parse(time.RFC3339, p.Date); err == nil {
		p.Took = math.Round(time.Since(begin).Seconds())
	}
}

// Row summarizes the samples of one benchmark. Figures have five significant digits: no
// machine holds still for more.
type Row struct {
	Suite string            `json:"suite,omitempty"` // name of the suite
	Name  string            `json:"name"`            // the benchmark's name: "Value/board=array16/eval=avx2"
	Keys  map[string]string `json:"keys,omitempty"`  // parts of the name

	// Engine and Level belong to suites of engines; Level is a column of their table.
	Engine string `json:"engine,omitempty"`
	Level  string `json:"level,omitempty"`

	Unit      string  `json:"unit"`
	Clock     string  `json:"clock,omitempty"`     // cpu or wall; "" of a figure that is no time
	BenchTime string  `json:"benchtime,omitempty"` // that a sample should take; "" of a figure that is no time
	Samples   int     `json:"samples"`
	Median    float64 `json:"median"` // median of the samples
	Lo        float64 `json:"lo"`     // ends of the 95 % interval of the median
	Hi        float64 `json:"hi"`

	Times []float64 `json:"times,omitempty"` // the samples in the order taken: sample k of every row is of round k

	// Ratio is the median of the figures over those of Baseline in the same rounds: of times, below 1 is faster.
	// Its interval has a confidence of 95 %.
	Baseline string  `json:"baseline,omitempty"` // "" when there is none, and no ratio
	Ratio    float64 `json:"ratio,omitempty"`
	RatioLo  float64 `json:"ratio_lo,omitempty"`
	RatioHi  float64 `json:"ratio_hi,omitempty"`

	NsPerCandidate float64 `json:"ns_per_candidate,omitempty"` // nanoseconds at the level turn

	// Metrics are medians of other figures by their unit, as in games/s, or numbers of a report by their paths.
	Metrics map[string]float64 `json:"metrics,omitempty"`

	Signature string `json:"signature,omitempty"` // signature of the work: figures on other work must not be compared
	Note      string `json:"note,omitempty"`      // source of a figure not measured here, or a remark

	Stale bool `json:"-"` // its code has changed since

	// Provenance is the provenance of the run of the row in a record; nil in [Results], which have
	// one for all.
	Provenance *Provenance `json:"-"`
}

// Instructions is the first part of the units of counts: "instructions/eval", "instructions/game".
const Instructions = "instructions/"

// Skipped is a part of a suite that was not measured.
type Skipped struct {
	Engine string `json:"engine"`
	Reason string `json:"reason"` // why it was not measured
}

// NewResults returns results without rows.
func NewResults(e Environment, seed uint64) Results {
	return Results{Schema: ResultsSchema, Provenance: Provenance{Environment: e, Seed: seed}, Rows: []Row{}}
}

// SetRatio compares the samples of a row with those of its baseline in the same rounds. Of fewer
// than 6 the interval is the range of the ratios.
func (r *Row) SetRatio(base, samples []float64) {
	ratio, lo, hi := verdict.Ratio(base, samples)
	if math.IsInf(hi, 1) || lo == 0 {
		lo, hi = math.Inf(1), 0
		for k, x := range samples {
			lo, hi = min(lo, x/base[k]), max(hi, x/base[k])
		}
	}
	r.Ratio, r.RatioLo, r.RatioHi = report.Significant(ratio), report.Significant(lo), report.Significant(hi)
}

// SetMetric adds another figure.
func (r *Row) SetMetric(unit string, x float64) {
	if r.Metrics == nil {
		r.Metrics = make(map[string]float64)
	}
	r.Metrics[unit] = report.Significant(x)
}

// Fields for [text.Groups].
func (r Row) suite() string { return r.Suite }
func (r Row) name() string  { return r.Name }

// distinct returns the values of a field of rows, each once, in the order of the rows,
// without "".
func distinct(rows []Row, field func(Row) string) []string {
	values := text.List(text.Groups(rows, field), func(g []Row) string { return field(g[0]) })
	return slices.DeleteFunc(values, func(value string) bool { return value == "" })
}

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
	top, _ := git("rev-parse", "--show-toplevel")
	module, _ := os.ReadFile(filepath.Join(top, "go.mod"))
	commit, err := git("rev-parse", "HEAD")
	if err != nil || !strings.HasPrefix(string(module), "module "+ModulePath()+"\n") {
		return ""
	}
	changed, err := git("status", "--porcelain", "--", top, ":(top,exclude)results")
	if err != nil || changed != "" {
		return commit + dirty
	}
	return commit
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	return strings.TrimSpace(string(out)), err
}
