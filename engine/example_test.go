package engine_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
)

// Every engine plays the same games; choose one by name or take the fastest.
func ExampleLookup() {
	for _, name := range []string{"bits/scalar", engine.OracleName} {
		e, err := engine.Lookup(name)
		if err != nil {
			panic(err)
		}
		game, err := e.New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()})
		if err != nil {
			panic(err)
		}
		tally, err := game.Games(nil, ur.Series{Seed: 1, N: 100})
		fmt.Println(name, tally.Wins, tally.Turns, err)
	}
	// Output:
	// bits/scalar [53 47] 18215 <nil>
	// array16/scalar [53 47] 18215 <nil>
}

// A Verifier compares an engine with the oracle, bit for bit.
func ExampleVerifier() {
	v, err := engine.NewVerifier(context.Background(), engine.VerifyOptions{Seed: 1, Positions: 10, Games: 10})
	if err != nil {
		panic(err)
	}
	var report engine.VerifyReport
	if report, err = v.Verify(context.Background(), engine.Fastest()); err != nil {
		panic(err)
	}
	fmt.Println(report.Values > 0, report.Turns > 0, report.Games > 0)
	// Output: true true true
}

// Available lists the engines this CPU can run, from the plainest to the fastest.
func ExampleAvailable() {
	fmt.Println(engine.Available()[0].Name())
	// Output: array16/scalar
}

// renamed is an engine that differs from the oracle in nothing but its name. docs/tutorial-engine.md
// writes a complete one.
type renamed struct{ ur.Engine }

func (renamed) Name() string { return "example/renamed" }

// An engine is registered once, usually from an init function, and is then found by its name like the
// built-in ones.
func ExampleRegister() {
	_ = engine.Register(renamed{engine.Oracle()}) // a test that runs again registers it in vain
	e, err := engine.Lookup("example/renamed")
	fmt.Println(e.Name(), err)
	// Output: example/renamed <nil>
}
