package doctor_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-09dcdc84/ur/bench/doctor"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// machine returns a host with files.
func machine(cores int, files map[string]string) doctor.Host {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return doctor.Host{FS: m, OS: "linux", CPU: "Example 9000", Cores: cores}
}

// pair is a run of a benchmark against itself, the second by some part slower.
func pair(part float64) *sample.Run {
	times := []float64{100, 101, 99, 100.5, 99.5, 100, 101, 99}
	a := sample.Series{Benchmark: sample.Benchmark{Engine: "x/y"}, Times: times}
	b := sample.Series{}
	for i, x := range times {
		b.Times = append(b.Times, x*(1+part+0.001*float64(i%3)))
	}
	return &sample.Run{Options: sample.Options{BenchTime: 25 * time.Millisecond}, Series: []sample.Series{a, b}}
}

func TestExamine(t *testing.T) {
	const cpus = "sys/devices/system/cpu/"
	const quiet = "proc/loadavg=0.01 0.02 0.03 1/200 4242\nproc/self/cgroup=0::/user/a\n" +
		"sys/fs/cgroup/user/cpu.max=max 100000\nproc/stat=cpu  10 0 10 1000 0 0 0 0 0 0\n" +
		cpus + "cpu0/cpufreq/scaling_governor=performance\n" + cpus + "intel_pstate/no_turbo=1\n"
	for name, test := range map[string]struct {
		change string // FILE=TEXT, one a line
		part   float64
		grade  doctor.Grade
		want   string
	}{
		"quiet": {"", 0, doctor.OK, "ok       governor: performance on 1 of 1 cores\n"},
		"powersave": {cpus + "cpu1/cpufreq/scaling_governor=powersave", 0, doctor.Warn,
			"warn     governor: performance on 1, powersave on 1 of 2 cores\n"},
		"turbo":       {cpus + "intel_pstate/no_turbo=0", 0, doctor.Warn, "warn     turbo: on\n"},
		"no governor": {cpus + "cpu0/cpufreq/scaling_governor=", 0, doctor.Warn, "governor"},
		"loaded": {"proc/loadavg=3.5 3 3 4/200 4242", 0, doctor.Bad,
			"bad      load: 3.5 3 3 over 1, 5 and 15 minutes, on 4 cores\n"},
		"some load": {"proc/loadavg=1.5 3 3 4/200 4242", 0, doctor.Warn, "warn     load"},
		"quota": {"sys/fs/cgroup/user/cpu.max=50000 100000", 0, doctor.Bad,
			"bad      CPU quota: 0.50 cores (/sys/fs/cgroup/user)\n"},
		"quota 2": {"proc/self/cgroup=3:cpu,cpuacct:/a\nsys/fs/cgroup/cpu/a/cpu.cfs_quota_us=200000\n" +
			"sys/fs/cgroup/cpu/a/cpu.cfs_period_us=100000", 0, doctor.Warn,
			"warn     CPU quota: 2.00 cores (/sys/fs/cgroup/cpu/a)\n"},
		"noise":      {"", 0.2, doctor.Bad, "bad      noise: x/y against itself, 8 samples of 25ms: +20."},
		"some noise": {"", 0.02, doctor.Warn, "warn     noise: x/y against itself, 8 samples of 25ms: +2."},
	} {
		files := map[string]string{}
		for line := range strings.Lines(quiet + test.change) {
			file, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			files[file] = text
		}
		h := machine(4, files)
		r, err := h.Examine(func() (*sample.Run, error) {
			h.FS.(fstest.MapFS)["proc/stat"] = &fstest.MapFile{Data: []byte("cpu  20 0 10 2000 0 0 0 0 0 0\n")}
			return pair(test.part), nil
		})
		var out bytes.Buffer
		testkit.Equal(t, errors.Join(err, r.WriteText(&out)), nil, "%s: error", name)
		testkit.Equal(t, r.Verdict, test.grade, "%s", name)
		testkit.WantText(t, name+":\n"+out.String(), test.want)
	}
}

// The hypervisor's share of the time counts while measuring.
func TestSteal(t *testing.T) {
	for stolen, want := range map[string]doctor.Grade{"0": doctor.OK, "5": doctor.Warn, "50": doctor.Bad} {
		h := machine(2, map[string]string{"proc/stat": "cpu  0 0 0 0 0 0 0 0 0 0"})
		r, err := h.Examine(func() (*sample.Run, error) {
			h.FS.(fstest.MapFS)["proc/stat"] = &fstest.MapFile{Data: []byte("cpu  500 0 0 500 0 0 0 " +
				stolen + " 0 0\n")}
			return pair(0), nil
		})
		f := r.Findings[4]
		testkit.ErrorIf(t, err != nil || f.What != "stolen time" || f.Verdict != want,
			"%s of 1000 ticks: %+v, want %s (%v)", stolen, f, want, err)
	}
}

// Of another system, or of files that are missing or odd, nothing is known, which is no finding.
func TestUnknown(t *testing.T) {
	other := machine(4, nil)
	other.OS = "plan9"
	for _, h := range []doctor.Host{machine(4, nil), other,
		machine(4, map[string]string{"proc/loadavg": "much of it all", "proc/stat": "cpu a b c d e f g h"})} {
		r, err := h.Examine(func() (*sample.Run, error) { return pair(0), nil })
		testkit.NoError(t, err)
		testkit.Equal(t, r.Verdict, doctor.OK, "%+v", r)
		for _, f := range r.Findings[:5] {
			testkit.Equal(t, f.Verdict, doctor.Unknown, "%+v", f)
		}
	}
	failed := errors.New("failed")
	r, err := machine(1, nil).Examine(func() (*sample.Run, error) { return nil, failed })
	testkit.ErrorIf(t, !errors.Is(err, failed) || len(r.Findings) != 4, "%+v, %v", r, err)
}

func Example() {
	files := fstest.MapFS{"proc/loadavg": {Data: []byte("3.5 3 3 4/200 4242\n")}}
	host := doctor.Host{FS: files, OS: "linux", CPU: "Example 9000", Cores: 4}
	report, err := host.Examine(func() (*sample.Run, error) { return nil, errors.New("not measured") })
	for _, f := range report.Findings {
		if f.Verdict == doctor.Bad {
			fmt.Printf("%s: %s\n", f.What, f.Measured)
		}
	}
	fmt.Println(report.Verdict, err)
	// Output:
	// load: 3.5 3 3 over 1, 5 and 15 minutes, on 4 cores
	// bad not measured
}
