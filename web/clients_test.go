package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// BenchmarkClients lets many clients play at once against the built-in player, each over a
// connection of its own, with a thought of a second before each move, and without any. It
// tells how long they wait for an answer: the median, and what one of a hundred waits longer
// than. The clients have their share of the same processors.
func BenchmarkClients(b *testing.B) {
	for _, clients := range []int{20, 200} {
		for _, thought := range []time.Duration{time.Second, 0} {
			b.Run(fmt.Sprintf("player=net/clients=%d/thought=%s", clients, thought), func(b *testing.B) {
				benchmarkClients(b, "net", clients, thought)
			})
		}
	}
}

func benchmarkClients(b *testing.B, player string, clients int, thought time.Duration) {
	addr, stop := listen(b, newPage(b, web.Config{}))
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	var left atomic.Int64
	left.Store(int64(b.N))
	waits := make([][]time.Duration, clients)
	failed := make([]error, clients)
	b.ResetTimer()
	var playing sync.WaitGroup
	for i := range clients {
		c := client{http.Client{Transport: transport}, "http://" + addr + "/api/game/", thought}
		playing.Go(func() { waits[i], failed[i] = c.play(player, uint64(i), &left) })
	}
	playing.Wait()
	b.StopTimer()
	transport.CloseIdleConnections()
	if err := stop(); err != nil {
		b.Error(err)
	}
	for _, err := range failed {
		if err != nil {
			b.Fatal(err)
		}
	}
	all := slices.Concat(waits...)
	slices.Sort(all)
	ms := func(part float64) float64 { return float64(all[int(part*float64(len(all)-1))].Microseconds()) / 1000 }
	b.ReportMetric(ms(0.5), "median-ms")
	b.ReportMetric(ms(0.99), "p99-ms")
}

// client is somebody who plays.
type client struct {
	http.Client
	url     string
	thought time.Duration // before a move
}

// seen is what a client reads of a [game.View].
type seen struct {
	Game, Result string
	More         bool
	Moves        []game.Move
}

// play plays games as long as answers are left to ask for, and returns how long the player
// took to answer, each time.
func (c *client) play(player string, seed uint64, left *atomic.Int64) (waits []time.Duration, err error) {
	v := new(seen)
	time.Sleep(time.Duration(seed) * c.thought / 200) // they do not all think at the same time
	for {
		switch {
		case v.Game == "" || v.Result != "unfinished":
			seed += 1000
			err = c.ask("new", game.Question{Light: "human", Dark: player, Seed: seed}, v)
		case v.More:
			if left.Add(-1) < 0 {
				return waits, nil
			}
			begin := time.Now()
			err = c.ask("go", game.Question{Game: v.Game}, v)
			waits = append(waits, time.Since(begin))
		default:
			time.Sleep(c.thought)
			err = c.ask("move", game.Question{Game: v.Game, From: v.Moves[len(v.Moves)-1].From}, v)
		}
		if err != nil {
			return waits, err
		}
	}
}

// ask asks a question and reads the answer.
func (c *client) ask(verb string, q game.Question, v *seen) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	answer, err := c.Post(c.url+verb, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", verb, answer.Status, body)
	}
	*v = seen{}
	return json.Unmarshal(body, v)
}
