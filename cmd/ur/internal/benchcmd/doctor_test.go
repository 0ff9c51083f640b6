package benchcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/doctor"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/trials"
)

// runDoctor runs "ur bench doctor" with little work.
func runDoctor(ctx context.Context, args ...string) (stdout string, err error) {
	var out, messages bytes.Buffer
	b := &benchDoctor{
		env:  &cli.Env{Stdout: &out, Stderr: &messages},
		size: bench.Size{Positions: 16, TurnGames: 1, Games: 1, FirstGames: 1},
		host: doctor.ThisHost(),
	}
	cmd := b.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--benchtime", "10us", "--count", "4"}, args...))
	err = cmd.ExecuteContext(ctx)
	return out.String(), err
}

// Ctrl-C in the middle of the experiments prints what they have.
func TestBenchDoctorIsInterrupted(t *testing.T) {
	var report doctor.Report
	for wait := 250 * time.Millisecond; wait < time.Minute; wait *= 2 {
		stdout, err := runDoctor(clitest.CancelAfter(t, wait), "--aa", "1000000000", "--json")
		if cli.ExitCode(err) != cli.Interrupted {
			t.Fatalf("%v, exit code %d; want 130", err, cli.ExitCode(err))
		}
		if stdout == "" {
			continue // before the first experiment
		}
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatalf("%v in %q", err, stdout)
		}
		if len(report.Trials) > 0 && report.Trials[0].Trials > 0 {
			break
		}
	}
	if !report.Interrupted || len(report.Findings) < 15 || len(report.Trials) != 1 || report.Trials[0].Trials < 1 {
		t.Errorf("report %+v", report)
	}
}

func TestBenchDoctorIsInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if stdout, err := runDoctor(ctx); cli.ExitCode(err) != cli.Interrupted || stdout != "" {
		t.Errorf("exit code %d, output %q; want 130 and none", cli.ExitCode(err), stdout)
	}
}

// The gate fails the examination only when chance does not explain a rate.
func TestBenchDoctorOutcome(t *testing.T) {
	for _, test := range []struct {
		rates trials.Rates
		want  string
	}{
		{trials.Rates{Trials: 200, Fired: 2, Rate: 0.01, Lo: 0.003, Hi: 0.04}, ""},
		{trials.Rates{Trials: 10, Fired: 1, Rate: 0.1, Lo: 0.02, Hi: 0.4}, ""},
		{trials.Rates{Name: "x", Trials: 200, Fired: 40, Rate: 0.2, Lo: 0.15, Hi: 0.26}, "x: the gate fires on 20.0 % of pairs that are the same, more than 5 %"},
		{trials.Rates{Planted: 0.05, Trials: 200, Fired: 195, Rate: 0.975, Lo: 0.94, Hi: 0.99}, ""},
		{trials.Rates{Name: "x", Planted: 0.05, Trials: 200, Fired: 100, Rate: 0.5, Lo: 0.43, Hi: 0.57}, "x: the gate finds 50.0 % of the planted slowdowns of 5 %, fewer than 90 %"},
	} {
		err := (&benchDoctor{}).outcome(doctor.Report{Trials: []trials.Rates{test.rates}})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%+v: %v", test.rates, err)
		case test.want != "" && (cli.ExitCode(err) != cli.FailedVerification || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%+v: %v, exit code %d; want %q", test.rates, err, cli.ExitCode(err), test.want)
		}
	}
}
