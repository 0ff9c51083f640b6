package record

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A damaged record is refused, or it is the same game, or it is reported to have no hash.
func TestDamagedRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	g := wholeGame(rng, 60)
	for g.Dice == nil {
		g = wholeGame(rng, 60)
	}
	g.Players = [2]string{"net:a.safetensors", "greedy"}
	for _, f := range Formats() {
		file := []byte(write(t, f, g))
		games, _ := read(t, f, string(file))
		testkit.TryDamage(t, f.Name, file, func(data []byte) testkit.Outcome {
			r := NewReader(bytes.NewReader(data), f)
			got, err := r.Next()
			if err != nil {
				return testkit.Refused
			}
			game, unhashed := *got, r.Unhashed()
			game.Turns = append([]Turn(nil), got.Turns...)
			if _, err := r.Next(); err != io.EOF {
				return testkit.Refused // an error, or games with other numbers
			}
			switch {
			case unhashed:
				return testkit.Reported
			case !reflect.DeepEqual(&game, games[0]):
				return testkit.Changed
			}
			return testkit.Same
		})
	}
}
