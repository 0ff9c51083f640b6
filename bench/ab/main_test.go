package ab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// programVariable makes this test binary a program that prints benchmarks: its value is
// the slowdown in percent, and what follows in its arguments what it is to do.
const programVariable = "UR_AB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		runProgram(os.Args[1:])
		return
	}
	sandbox.Main(m)
}

// runProgram prints noisy benchmarks, another sample at each call: a file counts the calls.
func runProgram(args []string) {
	if args[0] == "sleep" {
		fmt.Println("BenchmarkA 1 1 ns/op")
		time.Sleep(time.Hour)
	}
	if args[0] == "fail" {
		fmt.Fprintln(os.Stderr, "no such table")
		os.Exit(3)
	}
	if args[0] == "rubbish" {
		fmt.Println("rubbish")
		return
	}
	percent, err := strconv.ParseFloat(args[0], 64)
	if err != nil {
		panic(err)
	}
	file, seed := args[1], uint64(len(args[1]))
	calls, _ := os.ReadFile(file)
	if err := os.WriteFile(file, append(calls, '.'), 0o600); err != nil {
		panic(err)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(calls))+uint64(percent*1000)))
	noise := func() float64 { return math.Exp(0.005 * rng.NormFloat64()) }
	fmt.Println("goos: linux\npkg: example.com/x/fast")
	fmt.Printf("BenchmarkHash/n=1 \t100\t%.2f ns/op\t16 B/op\t%d allocs/op\n", 1000*(1+percent/100)*noise(),
		1+int(percent/5))
	fmt.Printf("BenchmarkSame \t100\t%.2f ns/op\t%.2f MB/s\t7 widgets\n", 500*noise(), 10*noise())
	if strings.Contains(file, "gone") && percent > 0 {
		return
	}
	fmt.Printf("BenchmarkRate 1 %.2f games/s\n", 2000/(1+percent/100)*noise())
}
