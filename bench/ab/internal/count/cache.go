package count

import (
	"maps"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// keptCount is the count of a benchmark in the cache.
type keptCount struct {
	Iterations int
	Pairs      []judge.CountedPair
	Functions  [2][]count.Function // functions in the last pair
}

// reuseCounts takes the counts of an earlier run of the same binaries. It returns the other benchmarks.
func (c *Sampler) reuseCounts(benchmarks []*listing.Benchmark, stage countStage) (rest []*listing.Benchmark) {
	for _, p := range timing.PackagesOf(benchmarks) {
		kept := c.readCounts(p, stage)
		for _, b := range benchmarks {
			k, ok := kept[b.Printed]
			switch {
			case b.Pkg != p:
				continue
			case !ok || len(k.Pairs) < verdict.FewestPairs:
				rest = append(rest, b)
				continue
			}
			r := c.Plan.RowOf(b)
			r.operations = k.Iterations
			r.Reset()
			for _, pair := range k.Pairs {
				r.Add(pair)
			}
			if r.Reason == "" && len(k.Functions[frame.New]) > 0 {
				r.Functions = k.Functions
			}
			c.judge([]*listing.Benchmark{b})
			c.Reuse("counts")
		}
	}
	return rest
}

// keepCounts keeps the counts of benchmarks for later runs, unless they depend on chance.
func (c *Sampler) keepCounts(benchmarks []*listing.Benchmark, stage countStage) {
	if c.unseeded != "" {
		return
	}
	for _, p := range timing.PackagesOf(benchmarks) {
		counts := make(map[string]keptCount)
		for _, b := range benchmarks {
			if r := c.Plan.RowOf(b); b.Pkg == p && r.Reason == "" && len(r.Pairs) >= verdict.FewestPairs {
				counts[b.Printed] = keptCount{r.operations, r.Pairs, r.Functions}
			}
		}
		c.writeCounts(p, stage, counts)
	}
}

// key is the key of a package's counts, by the printed names of benchmarks: binaries and data of both sides, the
// stage, and the counter.
func (c *Sampler) key(p *listing.Package, stage countStage) string {
	if c.Cache == nil || c.Sides.Contents[frame.New] == "" {
		return ""
	}
	return c.Cache.Key("count", p.Binaries[frame.Old], c.Cache.HashFile(p.Binaries[frame.New]), c.Sides.Contents, p.Args, p.Env, stage.factor,
		stage.first, stage.seeds, stage.runs, c.Counter.String())
}

// readCounts reads the counts of a package.
func (c *Sampler) readCounts(p *listing.Package, stage countStage) (counts map[string]keptCount) {
	if !c.Cache.ReadJSON(c.key(p, stage), &counts) {
		return nil // a damaged file may have filled a part
	}
	return counts
}

// writeCounts keeps counts beside those of their package.
func (c *Sampler) writeCounts(p *listing.Package, stage countStage, counts map[string]keptCount) {
	key := c.key(p, stage)
	if key == "" || len(counts) == 0 {
		return
	}
	if kept := c.readCounts(p, stage); kept != nil {
		maps.Copy(kept, counts)
		counts = kept
	}
	c.Cache.WriteJSON(key, counts)
}
