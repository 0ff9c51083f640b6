// Command measure makes the records that no suite of "ur bench run" makes, in minutes to
// hours, from the root of the module. The first needs the exact solution of 7 pieces
// ("ur solve --pieces 7"):
//
//	go run ./internal/measure curve  # internal/ursearch/curve_default.go
//	go run ./internal/measure trials # results/trials.json
//
// "go generate" runs none of them. "go run ./internal/generate" makes the pages of their
// records.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// A command makes a record. Flags registers its flags and returns its run function.
type command struct {
	name  string
	flags func(f *flag.FlagSet) func(ctx context.Context) error
}

var commands = []command{
	{"curve", curveFlags},
	{"trials", trialsFlags},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "measure:", err)
		}
		stop()
		os.Exit(1)
	}
}

// run runs the command that the first argument names.
func run(ctx context.Context, args []string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
		if len(args) == 0 || args[0] != c.name {
			continue
		}
		f := flag.NewFlagSet("measure "+c.name, flag.ContinueOnError)
		measure := c.flags(f)
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if f.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q", f.Arg(0))
		}
		return measure(ctx)
	}
	return fmt.Errorf("usage: measure %s [flags]", strings.Join(names, " | "))
}
