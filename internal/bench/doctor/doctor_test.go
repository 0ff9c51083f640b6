package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// files makes a tree of files.
func files(texts map[string]string) fstest.MapFS {
	tree := make(fstest.MapFS)
	for name, text := range texts {
		tree[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return tree
}

// host is a machine with a good clock and these files.
func host(texts map[string]string) Host {
	ticks := time.Duration(0)
	return Host{
		FS: files(texts), OS: "linux", Arch: "amd64",
		CPU: CPU{Name: "Example 9000", Features: []cpu.Feature{cpu.AVX2}, Level: 3, Logical: 8, L1D: 32 << 10, L2: 1 << 20, L3: 32 << 20, Line: 64},
		Now: func() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) },
		Clock: func() time.Duration {
			ticks += 25 * time.Nanosecond
			return ticks
		},
	}
}

// subject is an engine whose samples spread by the noise. The findings are made up,
// so that what users read does not change with the rule of the gate.
func subject(noise float64) Against {
	return Against{
		Engine: "array8/example", Level: "game", Count: 20, BenchTime: 25 * time.Millisecond, Seed: 1, MaxRegress: 0.03,
		Pair: func(_ context.Context, _ int, _ float64, sideBySide bool) (stat.Pair, error) {
			pair := stat.Pair{Paired: sideBySide, Better: -1}
			for i := range 20 {
				pair.Old = append(pair.Old, 10+noise*float64(i))
				pair.New = append(pair.New, 10+noise*float64(19-i))
			}
			return pair, nil
		},
		Judge: func(pair stat.Pair) compare.Finding {
			f := compare.Finding{Delta: noise / 10, Lo: -noise / 3, Hi: noise / 2, Detectable: noise}
			if !pair.Paired {
				f.Detectable *= 2
			}
			if f.Detectable > 0.03 {
				f.Needed = int(20 * f.Detectable * f.Detectable / (0.03 * 0.03))
			}
			return f
		},
	}
}

// The rule of the gate gives what a report needs.
func TestNoiseByTheRule(t *testing.T) {
	self := subject(0.01)
	rng := rand.New(rand.NewPCG(1, 2))
	self.Pair = func(_ context.Context, _ int, _ float64, sideBySide bool) (stat.Pair, error) {
		pair := stat.Pair{Paired: sideBySide, Better: -1}
		for range 20 {
			pair.Old = append(pair.Old, 10*math.Exp(0.01*rng.NormFloat64()))
			pair.New = append(pair.New, 10*math.Exp(0.01*rng.NormFloat64()))
		}
		return pair, nil
	}
	self.Judge = func(pair stat.Pair) compare.Finding {
		return compare.DefaultRule().Judge([]stat.Pair{pair})[0]
	}
	n, err := self.measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	one, two := n.SideBySide, n.OneAfterTheOther
	if one.Lo > 0 || one.Hi < 0 || one.Detectable < 0.005 || one.Detectable > 0.03 || two.Detectable < one.Detectable || n.Spread < 0.005 || n.Spread > 0.03 {
		t.Errorf("noise of 1 %% is %+v", n)
	}
}

// machines that are not there.
var machines = map[string]func() (Host, Against){
	"intel-laptop": func() (Host, Against) {
		return host(map[string]string{
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":             "powersave",
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver":               "intel_pstate",
			"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor":             "powersave",
			"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor":             "performance",
			"sys/devices/system/cpu/intel_pstate/no_turbo":                     "0",
			"sys/devices/system/cpu/smt/active":                                "1",
			"sys/devices/system/cpu/cpu0/topology/thread_siblings_list":        "0,4",
			"sys/devices/system/cpu/online":                                    "0-7",
			"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "3",
			"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": "4",
			"sys/devices/system/clocksource/clocksource0/current_clocksource":  "tsc",
			"sys/class/thermal/thermal_zone0/temp":                             "45000",
			"sys/class/thermal/thermal_zone1/temp":                             "93500",
			"sys/class/dmi/id/sys_vendor":                                      "LENOVO",
			"sys/class/dmi/id/product_name":                                    "20XW",
			"proc/loadavg":                                                     "2.10 1.00 0.50 1/900 12345",
			"proc/self/status":                                                 "Name:\tur\nCpus_allowed_list:\t0-7",
			"proc/self/cgroup":                                                 "0::/user.slice/session.scope",
			"proc/stat":                                                        "cpu 100 0 50 1000 0 0 0 0 0 0",
			"proc/cpuinfo":                                                     "flags\t\t: fpu avx2",
		}), subject(0.002)
	},
	"amd-guest": func() (Host, Against) {
		h := host(map[string]string{
			"sys/devices/system/cpu/smt/active":                               "0",
			"sys/devices/system/cpu/cpu0/topology/thread_siblings_list":       "0",
			"sys/devices/system/cpu/online":                                   "0-7",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet",
			"sys/class/dmi/id/sys_vendor":                                     "QEMU",
			"sys/class/dmi/id/product_name":                                   "Standard PC",
			"proc/loadavg":                                                    "0.05 0.03 0.01 1/90 123",
			"proc/self/status":                                                "Cpus_allowed_list:\t5",
			"proc/self/cgroup":                                                "0::/",
		})
		h.FS = &stealing{FS: h.FS}
		return h, subject(0.03)
	},
	"container": func() (Host, Against) {
		h := host(map[string]string{
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":            "performance",
			"sys/devices/system/cpu/cpufreq/boost":                            "0",
			"sys/devices/system/cpu/smt/active":                               "0",
			"sys/devices/system/cpu/online":                                   "0-7",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
			"sys/fs/cgroup/kubepods/cpu.max":                                  "50000 100000",
			"sys/fs/cgroup/kubepods/pod1/cpu.max":                             "max 100000",
			"proc/1/cgroup":                                                   "0::/kubepods/pod1",
			"proc/loadavg":                                                    "7.90 6.00 5.00 1/90 123",
			"proc/self/status":                                                "Cpus_allowed_list:\t0-3",
			"proc/self/cgroup":                                                "0::/kubepods/pod1",
			"proc/stat":                                                       "cpu 100 0 50 1000 0 0 0 0 0 0",
		})
		h.CPU.L2 = 256 << 10
		return h, subject(0.3)
	},
	"windows": func() (Host, Against) {
		h := host(nil)
		h.OS = "windows"
		h.CPU.Virtual = true
		now, reads := time.Duration(0), 0
		h.Clock = func() time.Duration { // steps of half a millisecond
			if reads++; reads%1000 == 0 {
				now += 500 * time.Microsecond
			}
			return now
		}
		return h, subject(0.002)
	},
	"quiet-server": func() (Host, Against) {
		return host(map[string]string{
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":             "performance",
			"sys/devices/system/cpu/intel_pstate/no_turbo":                     "1",
			"sys/devices/system/cpu/smt/active":                                "0",
			"sys/devices/system/cpu/cpu0/topology/thread_siblings_list":        "0",
			"sys/devices/system/cpu/online":                                    "0-7",
			"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "0",
			"sys/devices/system/clocksource/clocksource0/current_clocksource":  "tsc",
			"sys/class/thermal/thermal_zone0/temp":                             "45000",
			"proc/loadavg":                                                     "0.05 0.03 0.01 1/90 123",
			"proc/self/status":                                                 "Cpus_allowed_list:\t0-7",
			"proc/self/cgroup":                                                 "4:cpu,cpuacct:/\n0::/",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":                       "-1",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us":                      "100000",
			"proc/cpuinfo": "flags\t\t: fpu avx2",
		}), subject(0.001)
	},
}

// stealing is a tree in which ten ticks of time pass, and one is stolen, whenever
// somebody looks.
type stealing struct {
	fs.FS
	looks int
}

func (s *stealing) Open(name string) (fs.File, error) {
	if name != "proc/stat" {
		return s.FS.Open(name)
	}
	s.looks++
	return files(map[string]string{name: fmt.Sprintf("cpu %d 0 0 0 0 0 0 %d 0 0\ncpu0 1 2 3", 9*s.looks, s.looks)}).Open(name)
}

// What users read of each machine.
func TestExamine(t *testing.T) {
	want := map[string]Grade{"intel-laptop": Warn, "amd-guest": Bad, "container": Bad, "windows": Warn, "quiet-server": OK}
	for name, machine := range machines {
		h, self := machine()
		report, err := Examine(t.Context(), h, self)
		if err != nil {
			t.Fatal(err)
		}
		if report.Verdict != want[name] {
			t.Errorf("%s: verdict %s, want %s", name, report.Verdict, want[name])
		}
		var text bytes.Buffer
		report.WriteText(&text)
		checkGolden(t, name+".txt", text.Bytes())
		if name == "container" {
			out, err := json.MarshalIndent(report, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name+".json", append(out, '\n'))
		}
	}
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s\n(\"go test ./internal/bench/doctor -update\" accepts it)", file, got, want)
	}
}

// On every system, whatever cannot be read is said, and nothing is asked of files
// that only Linux has.
func TestOtherSystemsSayWhatCannotBeRead(t *testing.T) {
	h, self := machines["windows"]()
	h.FS = forbidden{t}
	report, err := Examine(t.Context(), h, self)
	if err != nil {
		t.Fatal(err)
	}
	unread := 0
	for _, f := range report.Findings {
		if f.Verdict == Unknown {
			unread++
			if !strings.Contains(f.Measured, "cannot be read on windows") {
				t.Errorf("%s: %q does not say why", f.What, f.Measured)
			}
		}
	}
	if unread < 8 {
		t.Errorf("only %d findings are unknown", unread)
	}
}

// forbidden is a tree that nobody may read, but for what tells a virtual machine.
type forbidden struct{ t *testing.T }

func (f forbidden) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "proc/self") || strings.HasPrefix(name, "sys/devices") {
		f.t.Errorf("%s is read", name)
	}
	return nil, fs.ErrNotExist
}

// A Linux of which nothing can be read is examined all the same.
func TestExamineWithoutFiles(t *testing.T) {
	h := host(nil)
	h.CPU = CPU{Name: "unknown", Logical: 1}
	report, err := Examine(t.Context(), h, subject(0.001))
	if err != nil || report.Verdict != Warn { // of the single core
		t.Errorf("verdict %s, %v", report.Verdict, err)
	}
}

func TestOddFilesAreUnknown(t *testing.T) {
	h := host(map[string]string{
		"proc/loadavg":                                 "much more than usual",
		"proc/self/status":                             "Cpus_allowed_list:\t7-3",
		"proc/self/cgroup":                             "nonsense\n0::/a/b\n1:cpu:/",
		"sys/fs/cgroup/a/b/cpu.max":                    "-5 0",
		"sys/devices/system/cpu/online":                "all",
		"sys/devices/system/cpu/intel_pstate/no_turbo": "perhaps",
		"sys/devices/system/cpu/smt/active":            "?",
		"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "-",
		"sys/class/thermal/thermal_zone0/temp":                             "hot",
		"proc/stat":                                                        "cpu a b c",
	})
	for _, examine := range []func(Host) Finding{load, affinity, turbo, smt, temperature} {
		if f := examine(h); f.Verdict != Unknown {
			t.Errorf("%+v, want unknown", f)
		}
	}
	if f := quota(h); f.Measured != "none" {
		t.Errorf("%+v, want none", f)
	}
	c := h.counters()
	for _, f := range []Finding{steal(h, c, c), others(h, c, c), throttling(h, c, c)} {
		if f.Verdict != Unknown {
			t.Errorf("%+v, want unknown", f)
		}
	}
}

func TestOtherWork(t *testing.T) {
	stat := func(user, idle, wait int, own string) counters {
		return host(map[string]string{
			"proc/stat":      fmt.Sprintf("cpu %d 0 0 %d %d 0 0 0 0 0", user, idle, wait),
			"proc/self/stat": "1 (a (b) c) R 2 3 4 5 6 7 8 9 10 11 " + own + " 0 0",
		}).counters()
	}
	before := stat(0, 0, 0, "0 0")
	for _, test := range []struct {
		after counters
		want  string
	}{
		{stat(25, 75, 0, "20 5"), "ok 0 %"},
		{stat(30, 60, 10, "20 5"), "ok 5 %"},
		{stat(75, 25, 0, "25 0"), "warn 50 %"},
		{stat(100, 0, 0, "25 0"), "bad 75 %"},
		{stat(100, 0, 0, "99 20"), "ok 0 %"}, // the two do not count at the same moment
		{stat(100, 0, 0, "x 0"), "unknown /proc does not report it"},
		{stat(0, 0, 0, "0 0"), "unknown /proc does not report it"},
	} {
		f := others(host(nil), before, test.after)
		if got := string(f.Verdict) + " " + f.Measured; !strings.HasPrefix(got, test.want) {
			t.Errorf("%+v: %s, want %s", test.after, got, test.want)
		}
	}
}

func TestThrottlingWhileMeasuring(t *testing.T) {
	h := host(nil)
	before, after := counters{throttled: 3, hasThrottled: true}, counters{throttled: 5, hasThrottled: true}
	if f := throttling(h, before, after); f.Verdict != Bad || !strings.HasPrefix(f.Measured, "2 times while measuring, 5 ") {
		t.Errorf("%+v", f)
	}
}

func TestListed(t *testing.T) {
	for list, want := range map[string]int{"0": 1, "0-3": 4, "0-3,8": 5, "1, 3": 2, "0-65535": 65536} {
		if n, ok := listed(list); !ok || n != want {
			t.Errorf("%q: %d, %v; want %d", list, n, ok, want)
		}
	}
	for _, list := range []string{"", "x", "3-1", "-1", "1-", "0-99999999"} {
		if n, ok := listed(list); ok {
			t.Errorf("%q counts %d", list, n)
		}
	}
}

func FuzzListed(f *testing.F) {
	for _, seed := range []string{"0-3,8", "", "65535", "1-2-3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		if n, ok := listed(list); ok && n < 1 {
			t.Errorf("%q counts %d", list, n)
		}
	})
}

// A measurement that is interrupted leaves what was found before.
func TestExamineIsInterrupted(t *testing.T) {
	h, self := machines["quiet-server"]()
	ctx, cancel := context.WithCancel(t.Context())
	measure := self.Pair
	self.Pair = func(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error) {
		pair, _ := measure(ctx, k, planted, sideBySide)
		if k == 1 {
			cancel()
		}
		return pair, ctx.Err()
	}
	report, err := Examine(ctx, h, self)
	if !errors.Is(err, context.Canceled) || !report.Interrupted || len(report.Findings) != 12 || report.Noise != nil || report.Verdict != OK {
		t.Errorf("%+v, %v", report, err)
	}
	var text bytes.Buffer
	report.WriteText(&text)
	if !strings.HasSuffix(text.String(), "The examination was interrupted; this much was found.\n") {
		t.Errorf("text\n%s", text.String())
	}
}

// The machine of this test is examined without complaint.
func TestThisHost(t *testing.T) {
	report, err := Examine(t.Context(), ThisHost(), subject(0.001))
	if err != nil || report.CPU == "" || report.OS == "" || len(report.Findings) < 15 {
		t.Errorf("%+v, %v", report, err)
	}
	for _, f := range report.Findings {
		if f.What == "" || f.Measured == "" || f.Verdict == "" || f.Verdict != OK && f.Verdict != Unknown && f.Advice == "" {
			t.Errorf("%+v has holes", f)
		}
	}
}
