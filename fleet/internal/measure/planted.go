package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-09dcdc84/ur/fleet/internal/report"
)

// saboteur puts wrong results into the store of a fleet, where workers put theirs.
type saboteur struct {
	nc  *nats.Conn
	rng *rand.Rand
	old []jetstream.KeyValueEntry // results of before

	damaged, doubled, late, moved int
}

// planted plays a match while a saboteur doubles, delays, moves and damages results, also
// of pieces that nobody has computed yet.
func planted(l *lab, s sizes) (report.Figure, error) {
	args := matchOf(s, s.games/5)
	alone, _, err := l.run(args...)
	if err != nil {
		return report.Figure{}, err
	}
	c, err := l.newCrew(2)
	if err != nil {
		return report.Figure{}, err
	}
	defer c.close()
	nc, err := nats.Connect(c.url)
	if err != nil {
		return report.Figure{}, err
	}
	defer nc.Close()
	const out = "sabotaged"
	match, err := l.start(out, append(args, "--fleet", c.url)...)
	if err != nil {
		return report.Figure{}, err
	}
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	go func() { <-match.done; cancel() }()
	b := &saboteur{nc: nc, rng: rand.New(rand.NewPCG(s.seed, 3))}
	if err := b.work(ctx); err != nil {
		return report.Figure{}, err
	}
	if err := match.wait(); err != nil {
		return report.Figure{}, err
	}
	together, err := os.ReadFile(filepath.Join(l.folder, out))
	if err != nil {
		return report.Figure{}, err
	}
	if b.damaged == 0 || b.doubled == 0 || b.late == 0 || b.moved == 0 {
		return report.Figure{}, fmt.Errorf("not all was planted: %+v", b)
	}
	how := fmt.Sprintf("in a match of %d games %d results were damaged, %d put under the number of another piece, %d put twice, %d put again late",
		s.games/5, b.damaged, b.moved, b.doubled, b.late)
	f, err := equality("duplicated, late, reordered, damaged results (planted)", how, alone, string(together))
	f.Bar = "none counted wrongly"
	if f.Passed {
		f.Result = "none counted wrongly"
	}
	return f, err
}

// work plants results until ctx ends.
func (b *saboteur) work(ctx context.Context) error {
	js, err := jetstream.New(b.nc)
	if err != nil {
		return err
	}
	results, err := js.KeyValue(ctx, "ur-results")
	if err != nil {
		return err
	}
	watcher, err := results.WatchAll(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry := <-watcher.Updates():
			if entry == nil || entry.Operation() != jetstream.KeyValuePut || seen[entry.Key()] {
				continue
			}
			seen[entry.Key()] = true
			if err := b.plant(results, entry, seen); err != nil && ctx.Err() == nil {
				return err
			}
		case <-time.After(time.Minute):
			return fmt.Errorf("no results for a minute")
		}
	}
}

// plant does something to a result, and to the pieces behind it, which may not be there.
func (b *saboteur) plant(results jetstream.KeyValue, entry jetstream.KeyValueEntry, seen map[string]bool) error {
	put := func(key string, value []byte) error {
		seen[key] = true // what is planted is not planted again
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, err := results.Put(ctx, key, value)
		return err
	}
	b.old = append(b.old, entry)
	next := neighbour(entry.Key(), entry.Value(), uint64(1+b.rng.IntN(20)))
	switch b.rng.IntN(4) {
	case 0:
		value := slices.Clone(entry.Value())
		value[b.rng.IntN(len(value))] ^= 1 << b.rng.IntN(8)
		b.damaged++
		return put(next, value)
	case 1:
		b.moved++
		return put(next, entry.Value())
	case 2:
		b.doubled++
		return put(entry.Key(), entry.Value())
	}
	late := b.old[b.rng.IntN(len(b.old))]
	b.late++
	return put(late.Key(), late.Value())
}

// neighbour returns the key of a piece of the same match, so many pieces behind that of a
// key: pieces are numbered by the pairs of games that they begin with.
func neighbour(key string, value []byte, steps uint64) string {
	experiment, number, _ := strings.Cut(key, ".")
	piece, err := strconv.ParseUint(number, 10, 64)
	var result struct {
		Output struct {
			Span struct{ Pairs uint64 }
		}
	}
	if err != nil || json.Unmarshal(value, &result) != nil {
		return key
	}
	const firstBits = 22 // as package work numbers spans
	return fmt.Sprintf("%s.%d", experiment, piece+steps*result.Output.Span.Pairs<<firstBits)
}
