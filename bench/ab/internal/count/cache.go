package count

import (
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// keptCount is the count of a benchmark in the cache.
type keptCount struct {
	Iterations int
	Pairs      []judge.CountedPair
	Functions  [2][]count.Function // functions in the last pair
}

// reuseCounts takes the counts of an earlier run of the same binaries in the stage. It returns the other rows.
func (c *Sampler) reuseCounts(rows []*row) (rest []*row) {
	for _, group := range byPackage(rows) {
		kept := c.readCounts(group[0].Pkg)
		for _, r := range group {
			k := kept[r.Printed]
			if len(k.Pairs) < verdict.FewestPairs {
				rest = append(rest, r)
				continue
			}
			r.operations = k.Iterations
			r.Reset()
			for _, pair := range k.Pairs {
				r.Add(pair)
			}
			if r.Reason == "" && len(k.Functions[frame.New]) > 0 {
				r.Functions = k.Functions
			}
			c.judge([]*row{r})
			c.Reuse("counts")
		}
	}
	return rest
}

// keepCounts keeps the counts of the stage for later runs, beside those of their packages, unless they depend on chance.
func (c *Sampler) keepCounts(rows []*row) {
	if c.unseeded != "" {
		return
	}
	for _, group := range byPackage(rows) {
		counted := filter(group, func(r *row) bool { return r.Reason == "" && len(r.Pairs) >= verdict.FewestPairs })
		key := c.key(group[0].Pkg)
		if key == "" || len(counted) == 0 {
			continue
		}
		kept := c.readCounts(group[0].Pkg)
		for _, r := range counted {
			kept[r.Printed] = keptCount{r.operations, r.Pairs, r.Functions}
		}
		c.Cache.WriteJSON(key, kept)
	}
}

// key is the key of a package's counts, by the printed names of benchmarks: binaries and data of both sides, the
// stage, and the counter.
func (c *Sampler) key(p *listing.Package) string {
	if c.Cache == nil || c.Sides.Contents[frame.New] == "" {
		return ""
	}
	s := c.stage
	return c.Cache.Key("count", p.Binaries[frame.Old], c.Cache.HashFile(p.Binaries[frame.New]), c.Sides.Contents, p.Args, p.Env,
		s.factor, s.first, s.seeds, s.runs, c.Counter.String())
}

// readCounts reads the counts of a package.
func (c *Sampler) readCounts(p *listing.Package) map[string]keptCount {
	var counts map[string]keptCount
	if !c.Cache.ReadJSON(c.key(p), &counts) || counts == nil {
		return make(map[string]keptCount) // a damaged file may have filled a part
	}
	return counts
}
