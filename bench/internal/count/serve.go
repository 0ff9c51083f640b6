package count

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// Assembly holds the files request_GOARCH.s. Package testing gets the one of its processor as well.
//
//go:embed request_*.s
var Assembly embed.FS

// zeroRequest zeroes the counts of callgrind, dumpRequest writes them to a file, and startRequest starts the
// instrumentation, as in valgrind/callgrind.h.
const (
	zeroRequest  = 0x43540001
	dumpRequest  = 0x43540003
	startRequest = 0x43540004
)

// Serve does the work of a [Job] if a [Counter] runs this process, otherwise it returns false. The
// function prepare returns the pass of a benchmark: only passes are counted. The error of a
// benchmark does not end the others.
func Serve(prepare func(name string) (pass func() error, err error)) (served bool, err error) {
	path := os.Getenv("UR_AB_COUNT")
	if path == "" {
		return false, nil
	}
	work, err := os.ReadFile(os.Getenv("UR_AB_WORK"))
	if err != nil {
		return true, err
	}
	progress, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return true, err
	}
	defer progress.Close()
	runtime.MemProfileRate = 0 // samples are taken at random
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	urRequest(&[6]uintptr{startRequest})
	line := 0
	for text := range strings.Lines(string(work)) {
		line++
		fields := strings.SplitN(strings.TrimSpace(text), " ", 3)
		n, _ := strconv.Atoi(strings.TrimSuffix(fields[0], "x"))
		fmt.Fprintln(progress, "run", line)
		pass, err := prepare(fields[len(fields)-1])
		counted := ""
		if err == nil {
			counted, err = countPasses(line, n, pass)
		}
		if err != nil {
			fmt.Fprintln(progress, "fail", line, err)
			continue
		}
		fmt.Fprintln(progress, "done", line, counted)
	}
	return true, nil
}

// countPasses runs n passes between the requests to valgrind and the readings of perf events. It
// returns the instructions of perf events, or "".
func countPasses(line, n int, pass func() error) (counted string, err error) {
	const run, section = 0, 1
	text := fmt.Appendf(nil, "ur %d %d %d\x00", line, run, section)
	zero, dump := [6]uintptr{zeroRequest}, [6]uintptr{dumpRequest, uintptr(unsafe.Pointer(&text[0]))}
	var perf *perfEvent
	if event := os.Getenv("UR_AB_PERF"); event != "" {
		if perf, err = openPerf(event); err != nil {
			return "", err
		}
		defer perf.close()
	}
	before := perf.read()
	urRequest(&zero)
	for range n {
		err = errors.Join(err, pass())
	}
	urRequest(&dump)
	after := perf.read()
	runtime.KeepAlive(text)
	if perf != nil {
		counted = fmt.Sprint(after - before)
	}
	return counted, err
}
