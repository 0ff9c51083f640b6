// Package benchcmd holds the commands "ur bench".
package benchcmd

import (
	"context"
	"os"
	"runtime"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/doctor"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const benchLong = `Bench measures engines, searches, nets and Reversi.

"ur bench run" measures suites of benchmarks in one process, interleaved. "go test
-bench" runs the same benchmarks under the same names, and "go tool benchstat" compares
files of either. "benchab OLD.txt NEW.txt" judges such files, and benchab compares commits.`

// Command returns "ur bench" with its sub-commands.
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("bench", "Measure and compare", benchLong,
		(&benchRun{env: env, size: bench.DefaultSize()}).newCommand(),
		newBenchDoctorCommand(env),
	)
}

const benchDoctorLong = `Doctor checks whether this machine measures reliably. It reads the frequency settings
of the processor, its load and its quota, and measures the fastest engine against itself. Each
finding has advice and a grade: ok, warn, bad or, if it cannot be read, unknown. The exit
code is 0 for all findings.`

// newBenchDoctorCommand returns "ur bench doctor".
func newBenchDoctorCommand(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check whether this machine measures reliably",
		Long:    benchDoctorLong,
		Example: "  ur bench doctor",
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := bench.NewWorkload(bench.DefaultSize(), bench.Value)
			if err != nil {
				return err
			}
			b, err := w.Benchmark(engine.Fastest(), bench.Value)
			if err != nil {
				return err
			}
			host := doctor.Host{FS: os.DirFS("/"), OS: runtime.GOOS, CPU: report.CPUName(), Cores: runtime.NumCPU()}
			found, err := host.Examine(func() (*sample.Run, error) { return againstItself(cmd.Context(), b) })
			if err != nil {
				return explainError(err)
			}
			return found.WriteText(env.Stdout)
		},
	}
}

// againstItself measures a benchmark twice in every round.
func againstItself(ctx context.Context, b sample.Benchmark) (*sample.Run, error) {
	again := b
	again.Name += "/side=again"
	return sample.Measure(ctx, sample.Options{Benchmarks: []sample.Benchmark{b, again}, Count: sample.DefaultCount,
		BenchTime: sample.DefaultBenchTime, Seed: 1})
}
