package fleet_test

import (
	"encoding/json"
	"fmt"

	"github.com/seed-09dcdc84/ur/fleet"
)

// The ID of an experiment is a hash of everything its results depend on.
func ExampleExperiment() {
	e := fleet.Experiment{Kind: "match", Code: "v1", Spec: json.RawMessage(`{"seed":1}`)}
	same, other := e, e
	other.Code = "v2"
	fmt.Println(e.Check(), e.ID() == same.ID(), e.ID() == other.ID(), len(e.ID()))
	// Output: <nil> true false 32
}
