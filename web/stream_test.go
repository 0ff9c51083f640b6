package web

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/web/live"
)

// A stream goes on when the time is over in which an answer must have been written.
func TestStreamOutlivesAnswers(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.writeTime = 200 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stream, err := http.Get("http://" + l.Addr().String() + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	in := bufio.NewScanner(stream.Body)
	for in.Scan() && !strings.HasPrefix(in.Text(), "data:") {
	}
	time.Sleep(5 * s.writeTime) // not to wait for something, but to let the limit pass
	s.hub.Put(live.Run{ID: "something"})
	for in.Scan() && !strings.HasPrefix(in.Text(), "data:") {
	}
	if !strings.Contains(in.Text(), `"id":"something"`) {
		t.Errorf("after a while the stream says %q: %v", in.Text(), in.Err())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
