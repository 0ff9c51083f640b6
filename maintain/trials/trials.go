// Package trials simulates how often the verdicts of benchab are right: how often it finds a change where there is
// none, and how often it misses one.
//
// A [Machine] simulates measurements with a known noise and a known change. [Family] judges such
// measurements as benchab does.
package trials

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Print prints the counts of all experiments, with the rate of the verdict slower: a line of JSON for each, in a few
// minutes.
func Print(out io.Writer, trials int) error {
	all := experiments()
	for i, e := range all {
		line := map[string]any{"name": e.Name()}
		counts := e.Run(trials)
		for name, n := range counts {
			line[name] = n
		}
		line["rate"] = counts["slower"] / float64(trials)
		if err := json.NewEncoder(out).Encode(line); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "\r%d of %d experiments", i+1, len(all))
	}
	fmt.Fprintln(os.Stderr)
	return nil
}
