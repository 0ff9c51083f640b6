package bench

import (
	"reflect"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/profile"
)

// Profiled fills in the subjects of a profile: engines at levels of the work.
func (w *Workload) Profiled(o *profile.Options, engines []ur.Engine, levels []Level) error {
	o.Harness = reflect.TypeFor[Case]().PkgPath()
	for _, e := range engines {
		for _, level := range levels {
			c, err := NewCase(w, e, level)
			if err != nil {
				return err
			}
			o.Work = append(o.Work, profile.Work{Subject: c, Engine: e.Name(), Level: string(level)})
		}
	}
	return nil
}

// Profile analyses a profile of engines, as [profile.Collected.Profile] does, and records the
// work they did.
func (w *Workload) Profile(c *profile.Collected, e experiment.Environment, top int) *profile.Profile {
	p := c.Profile(e, top)
	var levels []Level
	for _, part := range p.Engines {
		levels = append(levels, Level(part.Level))
	}
	p.Corpus, p.Signature = CorpusVersion(), w.Signatures(levels).Together()
	return p
}
