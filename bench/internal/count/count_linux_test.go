package count

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A traced process that is killed at any moment has ended for its tracer, too.
func TestKilledTracee(t *testing.T) {
	program := testkit.Must(os.Executable())(t)
	for range 500 {
		ctx, cancel := context.WithTimeout(t.Context(), rand.N(6*time.Millisecond))
		ended := make(chan error, 1)
		go func() {
			_, err := runSeeded(1, "", func() *exec.Cmd {
				cmd := exec.CommandContext(ctx, program, "-test.run=^$")
				process.OwnGroup(cmd)
				return cmd
			})
			ended <- err
		}()
		select {
		case err := <-ended:
			start := (*startError)(nil)
			testkit.ErrorIf(t, errors.As(err, &start) && ctx.Err() == nil, "it does not start: %v", err)
		case <-time.After(time.Minute):
			t.Fatal("it was killed a minute ago")
		}
		cancel()
	}
}
