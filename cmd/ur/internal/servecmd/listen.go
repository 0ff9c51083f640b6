package servecmd

import (
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/cli"
)

// listen listens at HOST:PORT of the flag --addr. The error names the right form.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, cli.UsageError("--addr %s: address in use (want another port, or port 0 for any free port)", addr)
	case err != nil:
		return nil, cli.UsageError("--addr %s: %w (want HOST:PORT, as in 127.0.0.1:8571)", addr, err)
	}
	return l, nil
}
