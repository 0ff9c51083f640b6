package record

import (
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/profile"
	"github.com/seed-09dcdc84/ur/engine"
)

// TopHotspots is how many entries the lists of a profile have that goes on record.
const TopHotspots = 10

// Taker measures what belongs to a record beside the ladder.
type Taker struct {
	Run         *bench.Run // of all engines at all levels
	Environment experiment.Environment
	Skipped     []bench.Skipped // engines that could not run

	// Progress is told what is being measured, and how far it is; nil for nobody.
	Progress func(what string, p experiment.Progress)
}

// Take measures the scaling over cores, the time by the number of pieces and where the
// time goes, each as often as the ladder was, and writes the record of all to the folder
// of this kind of processor under dir, which it returns: see [Write]. When ctx ends,
// nothing is written.
func (t Taker) Take(ctx context.Context, dir string) (folder string, err error) {
	r, err := t.Record(ctx)
	if err != nil {
		return "", err
	}
	return Write(dir, t.Run, r)
}

// Record measures what [Taker.Take] does and returns it: to be written elsewhere.
func (t Taker) Record(ctx context.Context) (r Record, err error) {
	r = Record{Slug: t.Environment.Slug(), Environment: t.Environment, Results: t.Run.Results(t.Environment, t.Skipped)}
	if r.Scaling, err = bench.MeasureScaling(ctx, t.Environment, t.scaling()); err != nil {
		return r, err
	}
	if r.Pieces, err = bench.MeasurePieces(ctx, t.Environment, t.pieces()); err != nil {
		return r, err
	}
	r.Profile, err = t.profile(ctx)
	return r, err
}

// how are the options that all have in common: those of the ladder, with samples so many
// times as long.
func (t Taker) how(what string, longer time.Duration) experiment.Options {
	ladder := t.Run.Options
	o := experiment.Options{Count: ladder.Count, Seed: ladder.Seed, Pin: ladder.Pin}
	o.BenchTime = max(1, ladder.BenchTime*longer/experiment.DefaultBenchTime)
	if t.Progress != nil {
		o.Progress = func(p experiment.Progress) { t.Progress(what, p) }
	}
	return o
}

// scaling says how the scaling is measured: on all cores.
func (t Taker) scaling() bench.ScalingOptions {
	o := bench.ScalingOptions{Engine: engine.Fastest(), Options: t.how("workers", bench.DefaultScalingTime)}
	o.Pin = nil
	return o
}

func (t Taker) pieces() bench.PiecesOptions {
	return bench.PiecesOptions{Engines: t.Run.Options.Engines, Options: t.how("pieces", bench.DefaultPiecesTime)}
}

// profile takes the profile of values and games, for as long as the samples of the
// ladder take three times over.
func (t Taker) profile(ctx context.Context) (*profile.Profile, error) {
	ladder := t.Run.Options
	o := profile.Options{
		Time: 3 * time.Duration(ladder.Count) * ladder.BenchTime,
		Seed: ladder.Seed, Pin: &experiment.Pin{Core: experiment.AnyCore},
	}
	if t.Progress != nil {
		o.Progress = func(done int) {
			t.Progress("profile", experiment.Progress{Phase: experiment.Measuring, Done: done, All: o.Slices()})
		}
	}
	if err := t.Run.Workload.Profiled(&o, ladder.Engines, []bench.Level{bench.Value, bench.Game}); err != nil {
		return nil, err
	}
	collected, err := profile.Collect(ctx, o)
	if err != nil {
		return nil, err
	}
	return t.Run.Workload.Profile(collected, t.Environment, TopHotspots), nil
}
