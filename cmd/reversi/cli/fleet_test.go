package cli

import (
	"context"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/fleet/work"
)

// startFleet runs a fleet with one worker until the script ends, and puts its address into the
// environment. This process and the commands of the script are one program, so their version is
// the same.
func startFleet(ts *testscript.TestScript, neg bool, args []string) {
	fleettest.Script(ts, neg, args)
	ctx, cancel := context.WithCancel(context.Background())
	conn, err := fleet.Dial(ctx, fleet.DialConfig{URL: ts.Getenv(args[0])})
	ts.Check(err)
	cache := ts.MkAbs("cache")
	var working sync.WaitGroup
	working.Go(func() {
		err := conn.Work(ctx, fleet.WorkConfig{
			Code: work.CodeVersion(), Name: "worker", Kinds: work.Kinds(engine.Fastest()), Parallel: 1, Cache: cache,
		})
		if err != nil {
			ts.Logf("worker: %v", err)
		}
	})
	ts.Defer(func() { cancel(); working.Wait(); conn.Close() })
}
