package pairs_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/examples/pairs"
)

// TestEqualsTheOracle compares values, futures, choices and whole games with those
// of the oracle, and reports the first difference.
func TestEqualsTheOracle(t *testing.T) {
	v, err := engine.NewVerifier(t.Context(), engine.VerifyOptions{Games: 500})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(t.Context(), pairs.Engine{}); err != nil {
		t.Fatal(err)
	}
}
