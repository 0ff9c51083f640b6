package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// countRequests returns how many requests are made.
func countRequests() int { return testkit.Trials(100, 2000) }

// hostile makes requests that a stranger could send.
type hostile struct {
	random *rand.Rand
	games  []string // links of games
	texts  []game.Question
}

// newHostile returns a source of requests, which begin with whole games.
func newHostile(t *testing.T) *hostile {
	t.Helper()
	h := &hostile{games: []string{"7//human/human//0-", "7//human/random//0-10", "7//human/human/0-/0-", "1/1.0/a/b",
		"7/1.0/human/random////6:L.............:0_5:...D..D.......:0_L",
		"7//human/human/0-///6:L.............:0_5:...D..D.......:0_D"}}
	service := &game.Service{}
	ask := func(verb string, q game.Question) any {
		text := testkit.Must(json.Marshal(q))(t)
		return testkit.Must(service.Answer(t.Context(), verb, text))(t)
	}
	for pieces := 1; pieces <= 7; pieces++ {
		v := ask("new", game.Question{Light: "greedy", Dark: "random", Seed: 8, Pieces: pieces}).(*game.View)
		for v.More {
			v = ask("go", game.Question{Game: v.Game}).(*game.View)
			h.games = append(h.games, v.Game)
		}
		for _, form := range record.FormatNames() {
			text := ask("record", game.Question{Game: v.Game, Form: form}).(game.Text)
			h.texts = append(h.texts, game.Question{Form: form, Text: text.Text})
		}
	}
	return h
}

// seeded returns a source of the same games whose draws are from a seed.
func (h *hostile) seeded(seed uint64) *hostile {
	return &hostile{random: rand.New(rand.NewPCG(seed, 8)), games: h.games, texts: h.texts}
}

// hostileNames are names of players, most of them none.
var hostileNames = []string{"human", "random", "net", "net@2", "level:1", "level:10", "perfect",
	"search:depth=3", "search:time=999ms", "search:nodes=999999",
	"search:depth=9", "brain:/dev/zero", "net:../../x", "level:99", "", strings.Repeat("x", 250),
	"greedy:NaN", "%2F", "perfect@sha256:0"}

// pieces returns a number of pieces. Only with UR_LONG it may be one whose games are solved for seconds, once there is
// a perfect player.
func (h *hostile) pieces() int {
	return []int{-1, 0, 1, 2, 3, 6, 7, 8, 4, 5}[h.random.IntN(testkit.Trials(8, 10))]
}

// link returns the link of a game, damaged or made up.
func (h *hostile) link() string {
	g := h.games[h.random.IntN(len(h.games))]
	name := func() string { return hostileNames[h.random.IntN(len(hostileNames))] }
	turns := func(most int) string {
		var b strings.Builder
		for range h.random.IntN(most + 1) {
			b.WriteByte("0123456789abcde-"[h.random.IntN(16)])
		}
		return b.String()
	}
	switch h.random.IntN(8) {
	case 0:
		return g
	case 1:
		return fmt.Sprintf("%d//%s/%s/%s/%s", h.pieces(), name(), name(), turns(6), turns(6))
	case 2:
		return fmt.Sprintf("%d/%d.%d/%s/%s/%s/%s/r%d", h.pieces(), h.random.Uint64(),
			h.random.IntN(3), name(), name(), turns(3), turns(3), h.random.IntN(4))
	case 3: // passes for ever
		return "7//" + name() + "/" + name() + "/" + strings.Repeat("0-", h.random.IntN(6500)) + "/" +
			strings.Repeat("0-", h.random.IntN(100))
	case 4: // turns that are taken back
		at := strings.LastIndexByte(g, '/')
		cut := at + h.random.IntN(len(g)-at)
		return g[:cut] + "/" + g[cut:]
	default:
		return string(testkit.Damaged([]byte(g), h.random.Uint64()))
	}
}

// question returns a verb and a question.
func (h *hostile) question() (verb string, text []byte) {
	verbs := game.Verbs()
	verb = verbs[h.random.IntN(len(verbs))]
	q := game.Question{Game: h.link(), From: h.random.IntN(40) - 10, Form: "rgn"}
	switch {
	case verb == "new":
		q.Light, q.Dark = hostileNames[h.random.IntN(len(hostileNames))], hostileNames[h.random.IntN(len(hostileNames))]
		q.Pieces, q.Seed = h.pieces(), h.random.Uint64()
		if roll := h.random.IntN(8) - 2; h.random.IntN(2) == 0 {
			q.Roll = &roll
			q.Start = string(testkit.Damaged([]byte("6:L.............:0 5:...D..D.......:0 D"), h.random.Uint64()))
		}
	case verb == "read":
		q = h.texts[h.random.IntN(len(h.texts))]
		q.Text = string(testkit.Damaged([]byte(q.Text), h.random.Uint64()))
		if h.random.IntN(2) == 0 {
			q.Form = ""
		}
		if h.random.IntN(4) == 0 {
			q.Form, q.Text = "", h.link()
		}
	case verb == "analysis" && h.random.IntN(100) > 0: // a hundredth of a second each
		verb = "show"
	}
	text, _ = json.Marshal(q) // of strings and numbers
	if h.random.IntN(4) == 0 {
		text = testkit.Damaged(text, h.random.Uint64())
	}
	return verb, text
}

// Whatever is asked, over HTTP or of a page without a server, is answered or refused, and the
// process survives it.
func TestHostileRequests(t *testing.T) {
	requests := countRequests()
	server := httptest.NewServer(newPage(t, web.Config{}))
	defer server.Close()
	service := &game.Service{Patience: time.Second}
	defer service.Close()
	over := map[string]func(ctx context.Context, verb string, text []byte) (status int, err error){
		"HTTP": func(ctx context.Context, verb string, text []byte) (int, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/game/"+verb,
				bytes.NewReader(text))
			if err != nil {
				return 0, err
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := server.Client().Do(r)
			if err != nil {
				return 0, err
			}
			defer answer.Body.Close()
			_, err = io.Copy(io.Discard, answer.Body)
			return answer.StatusCode, err
		},
		"wasm": func(ctx context.Context, verb string, text []byte) (int, error) {
			if _, err := service.Answer(ctx, verb, text); err != nil {
				return http.StatusBadRequest, nil
			}
			return http.StatusOK, nil
		},
	}
	source := newHostile(t)
	for way, do := range over {
		var counts [600]atomic.Int64
		var asking sync.WaitGroup
		const clients = 4
		for client := range uint64(clients) {
			h := source.seeded(client)
			asking.Go(func() {
				for range requests / clients {
					verb, text := h.question()
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					status, err := do(ctx, verb, text)
					cancel()
					counts[status].Add(1)
					testkit.ErrorIf(t, err != nil || status != 200 && status != 400 && status != 503,
						"%s %q: %d, %v", verb, text, status, err)
				}
			})
		}
		asking.Wait()
		answered, refused := counts[200].Load(), counts[400].Load()
		t.Logf("%s: %d answered, %d refused, %d asked to come again", way, answered, refused, counts[503].Load())
		testkit.ErrorIf(t, answered == 0 || refused == 0, "%s: the requests are all of one kind", way)
	}
}
