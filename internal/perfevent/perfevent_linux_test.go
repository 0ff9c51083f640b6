package perfevent

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const childVariable = "UR_TEST_PERFEVENT"

// TestMain lets the test binary be its own child: it touches as many pages as asked.
func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		os.Exit(m.Run())
	case "many":
		memory, err := syscall.Mmap(-1, 0, pages*os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err != nil {
			os.Exit(1)
		}
		for at := 0; at < len(memory); at += os.Getpagesize() {
			memory[at] = 1
		}
	}
}

const pages = 20_000

// Software events take the same way through the kernel as those of the processor. A child that
// touches more pages has more page faults, by about as many.
func TestCountsOfAChild(t *testing.T) {
	faults := Event{"page faults", 1, 2}
	count := func(work string) float64 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+work)
		c, err := Start(cmd.Start, faults)
		if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		counts, err := c.Read()
		if err != nil || len(counts) != 1 {
			t.Fatalf("counts %v, error %v; want one count", counts, err)
		}
		return counts[0]
	}
	few, many := count("few"), count("many")
	if few <= 0 || many <= few {
		t.Errorf("%v page faults of a child, %v of one that touches %d pages", few, many, pages)
	}
}

func TestErrorGivesTheReason(t *testing.T) {
	for err, want := range map[error]string{syscall.EACCES: "not allowed", syscall.ENOENT: "virtual machines", syscall.ENOSYS: "no perf events", syscall.EINVAL: "invalid argument"} {
		if got := Error("instructions", err); !strings.Contains(got.Error(), want) || !errors.Is(got, err) {
			t.Errorf("%v: want %q", got, want)
		}
	}
}
