// Command trials simulates how often the verdicts of benchab are right: how often it finds a
// change where there is none, and how often it misses one. It prints a line of JSON for each experiment,
// in a few minutes; "go run ./maintain/records trials" keeps them.
//
// A [Machine] simulates measurements with a known noise and a known change. [Family] judges such
// measurements as benchab does.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
)

func main() {
	trials := flag.Int("trials", 1000, "trials of each experiment")
	flag.Bool("json", true, "print JSON, the only form")
	flag.Parse()
	if err := printTrials(os.Stdout, *trials); err != nil {
		fmt.Fprintln(os.Stderr, "trials:", err)
		os.Exit(1)
	}
}

// printTrials prints the counts of all experiments, with the rate of the verdict slower.
func printTrials(out io.Writer, trials int) error {
	if trials < 1 {
		return fmt.Errorf("%d trials (want at least 1)", trials)
	}
	all := experiments()
	for i, e := range all {
		line := map[string]any{"name": e.Name()}
		counts := e.Run(trials)
		for name, n := range maps.All(counts) {
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
