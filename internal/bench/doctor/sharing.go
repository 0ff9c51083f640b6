package doctor

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// virtualNames are parts of the names of virtual machines.
var virtualNames = []string{
	"QEMU", "KVM", "VMware", "Xen", "VirtualBox", "Amazon EC2", "Google Compute Engine", "Microsoft Corporation Virtual", "Parallels", "DigitalOcean", "OpenStack",
}

// virtual names the hypervisor of the machine, or is "" without a sign of one.
func (h Host) virtual() string {
	if vendor, ok := h.read("sys/class/dmi/id/sys_vendor"); ok {
		product, _ := h.read("sys/class/dmi/id/product_name")
		name := strings.TrimSpace(vendor + " " + product)
		if slices.ContainsFunc(virtualNames, func(known string) bool { return strings.Contains(name, known) }) {
			return name
		}
	}
	if kind, ok := h.read("sys/hypervisor/type"); ok && kind != "" {
		return kind
	}
	cpuinfo, _ := h.read("proc/cpuinfo")
	if flags, ok := field(cpuinfo, "flags"); ok && strings.Contains(" "+flags+" ", " hypervisor ") || h.CPU.Virtual {
		return "an unnamed hypervisor"
	}
	return ""
}

// virtualisation reports whether other machines may share the processor.
func virtualisation(h Host) Finding {
	const what = "virtualisation"
	if by := h.virtual(); by != "" {
		return Finding{What: what, Measured: "virtual machine: " + by, Verdict: Warn,
			Advice: "Neighbours share caches, memory and clock, and absolute times move by tens of percent from day to day. " +
				"Believe ratios of figures measured side by side."}
	}
	if !h.linux() && h.Arch != "amd64" && h.Arch != "386" {
		return notLinux(what, h)
	}
	return Finding{What: what, Measured: "none is shown", Verdict: OK}
}

// container reports whether the process runs in a container.
func container(h Host) Finding {
	const what = "container"
	if !h.linux() {
		return notLinux(what, h)
	}
	cgroups, _ := h.read("proc/1/cgroup")
	for _, mark := range []string{"docker", "kubepods", "containerd", "libpod", "lxc"} {
		if strings.Contains(cgroups, mark) {
			return inContainer(what, mark)
		}
	}
	switch {
	case h.exists(".dockerenv"):
		return inContainer(what, "docker")
	case h.exists("run/.containerenv"):
		return inContainer(what, "podman")
	}
	return Finding{What: what, Measured: "none is shown", Verdict: OK}
}

func inContainer(what, kind string) Finding {
	return Finding{What: what, Measured: "yes: " + kind, Verdict: OK, Advice: "Others may run on the same cores: mind load and quota."}
}

// affinity reports the number of cores available to the process.
func affinity(h Host) Finding {
	const what = "affinity"
	if !h.linux() {
		return notLinux(what, h)
	}
	status, _ := h.read("proc/self/status")
	allowed, ok := field(status, "Cpus_allowed_list")
	if !ok {
		return unknown(what, "/proc/self/status does not report it")
	}
	n, ok := listed(allowed)
	if !ok {
		return unknown(what, "/proc/self/status has an odd list: %q", allowed)
	}
	online, _ := h.read("sys/devices/system/cpu/online")
	all, ok := listed(online)
	if !ok {
		return Finding{What: what, Measured: fmt.Sprintf("%d cores: %s", n, allowed), Verdict: OK}
	}
	f := Finding{What: what, Measured: fmt.Sprintf("%d of %d cores: %s", n, all, allowed), Verdict: OK}
	if n == 1 && all > 1 {
		f.Verdict = Warn
		f.Advice = "The runtime of Go shares the one core with the measurement. Allow a second one."
	}
	return f
}

// quota reads how much of the processor the control group of the process, or one
// above it, may use: "cpu.max" of version 2, "cpu.cfs_quota_us" of version 1.
func quota(h Host) Finding {
	const what = "CPU quota"
	if !h.linux() {
		return notLinux(what, h)
	}
	cores, where := h.quota()
	switch {
	case math.IsInf(cores, 1):
		return Finding{What: what, Measured: "none", Verdict: OK}
	case cores < 1:
		return Finding{What: what, Measured: fmt.Sprintf("%.2f cores (%s)", cores, where), Verdict: Bad,
			Advice: "The process is stopped in every period in which it has had its share: samples of one core have holes in them. Raise the quota to a core at least."}
	}
	f := Finding{What: what, Measured: fmt.Sprintf("%.2f cores (%s)", cores, where), Verdict: OK}
	if cores < float64(h.CPU.Logical) {
		f.Verdict = Warn
		f.Advice = "Fewer than the cores shown: measurements of one core fit in, but \"ur bench run --suite scaling\" will run into it."
	}
	return f
}

// quota returns the smallest quota, in cores, and its file; infinite when none is
// set.
func (h Host) quota() (cores float64, where string) {
	cores = math.Inf(1)
	text, _ := h.read("proc/self/cgroup")
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root, ok := h.cgroupRoot(parts[0], parts[1])
		if !ok {
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			folder := path.Join(root, group)
			if n, ok := h.groupQuota(folder); ok && n < cores {
				cores, where = n, "/"+folder
			}
			if group == "/" {
				break
			}
		}
	}
	return cores, where
}

// cgroupRoot is where the control groups of a line "id:controllers:path" are, if they
// may limit the processor: version 2 has id 0 and no controllers.
func (h Host) cgroupRoot(id, controllers string) (root string, ok bool) {
	switch {
	case id == "0":
		return "sys/fs/cgroup", true
	case !slices.Contains(strings.Split(controllers, ","), "cpu"):
		return "", false
	case h.exists("sys/fs/cgroup/cpu"):
		return "sys/fs/cgroup/cpu", true
	}
	return "sys/fs/cgroup/" + controllers, true
}

// groupQuota reads the quota of one control group.
func (h Host) groupQuota(folder string) (cores float64, ok bool) {
	if text, ok := h.read(path.Join(folder, "cpu.max")); ok {
		quota, period, _ := strings.Cut(text, " ")
		q, errQuota := strconv.ParseFloat(quota, 64)
		p, errPeriod := strconv.ParseFloat(period, 64)
		return q / p, errQuota == nil && errPeriod == nil && q > 0 && p > 0 // "max 100000" is none
	}
	q, okQuota := h.number(path.Join(folder, "cpu.cfs_quota_us"))
	p, okPeriod := h.number(path.Join(folder, "cpu.cfs_period_us"))
	return float64(q) / float64(p), okQuota && okPeriod && q > 0 && p > 0 // -1 is none
}

// load reads the other load of the machine.
func load(h Host) Finding {
	const what = "load"
	if !h.linux() {
		return notLinux(what, h)
	}
	text, _ := h.read("proc/loadavg")
	words := strings.Fields(text)
	if len(words) < 3 {
		return unknown(what, "/proc/loadavg does not report it")
	}
	now, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return unknown(what, "/proc/loadavg says %q", text)
	}
	cores := float64(max(1, h.CPU.Logical))
	f := Finding{What: what, Measured: fmt.Sprintf("%s over 1, 5 and 15 minutes, on %d cores", strings.Join(words[:3], " "), h.CPU.Logical), Verdict: OK}
	switch {
	case now > 0.75*cores:
		f.Verdict = Bad
		f.Advice = "All cores are busy with something else. Close it, or wait until it is done."
	case now > 0.2*cores:
		f.Verdict = Warn
		f.Advice = "Something else runs. It is better to wait until it is done."
	}
	return f
}
