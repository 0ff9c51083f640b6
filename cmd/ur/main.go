// Command ur plays, measures and explains the Royal Game of Ur.
//
// Start with
//
//	ur help
//	ur play
//	ur match brain greedy
//
// Results go to stdout, progress and messages to stderr. The exit code is 0 when
// the command did its work, 1 for a failure, 2 for bad usage or bad input, 3 when
// a gate or verification failed, 4 when a comparison was inconclusive, and 130
// when the command was interrupted; what was finished by then is printed or saved.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// A reader that goes away, as in "ur eval | head", is an error of the write and
	// not the end of the process: files being written must still be put right.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(report(os.Stderr, err))
}
