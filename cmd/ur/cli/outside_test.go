package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// last is a player as another module has it: it always makes the last legal move.
type last struct{}

func (last) Choose(_ context.Context, t *play.Turn) (int, error) { return len(t.Moves) - 1, nil }

// sleeping is the configuration of a way to learn of another module.
type sleeping struct {
	Seed      uint64      `flag:"seed"`
	DeepSleep int         `flag:"deep-sleep" help:"how deep"`
	Against   play.Player `flag:"against"`
	Ignored   []int
}

var errAsleep = errors.New("asleep")

func (s *sleeping) Learner(context.Context) (train.Learner, error) {
	if s.DeepSleep != 7 || s.Seed != 5 || s.Against.Spec != "fixture" {
		return nil, errors.New("not as the flags set it")
	}
	return nil, errAsleep
}

// inProcess marks the process of TestPartsOfOtherModules that registers: the lists are of the
// whole process.
const inProcess = "UR_TEST_PARTS"

// A player and a way to learn of another module are known to all commands.
func TestPartsOfOtherModules(t *testing.T) {
	if os.Getenv(inProcess) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPartsOfOtherModules$")
		cmd.Env = append(os.Environ(), inProcess+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	program := Program(
		play.Kind{
			Name: "fixture", Patterns: []play.Pattern{{Text: "fixture", Help: "always the last legal move"}},
			Parse: func(play.ParseContext, string, string) (play.Player, error) {
				return play.Player{Spec: "fixture", New: func(ur.Engine) (play.Instance, error) { return last{}, nil }}, nil
			},
		},
		train.Method{Name: "sleep", New: func() train.Config { return new(sleeping) }},
	)
	run := func(args string) (string, error) {
		var out bytes.Buffer
		err := program.Run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, io.Discard)
		return out.String(), err
	}
	for args, want := range map[string]string{
		"match fixture first --games 2 --json": `"players":["fixture","first"]`,
		"help players":                         "always the last legal move",
		"train sleep --help":                   "--deep-sleep int",
	} {
		if out, err := run(args); err != nil || !strings.Contains(out, want) {
			t.Errorf("ur %s: error %v, want %q in %s", args, err, want, out)
		}
	}
	if _, err := run("train sleep --seed 5 --deep-sleep 7 --against fixture -o " + t.TempDir() + "/learned"); !errors.Is(err, errAsleep) {
		t.Errorf("error %v, want that of the learner", err)
	}
}
