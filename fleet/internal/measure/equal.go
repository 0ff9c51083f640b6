package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"time"

	"github.com/seed-09dcdc84/ur/fleet/internal/report"
)

// sameButForTime reports whether two JSON objects of ur are equal, but for fields that are
// of the time and the threads, and of games found in a log.
func sameButForTime(a, b string) (bool, error) {
	var values [2]map[string]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			return false, fmt.Errorf("%q: %w", text, err)
		}
		for _, field := range []string{"seconds", "ns_per_game", "ns_per_turn", "threads", "played"} {
			delete(values[i], field)
		}
	}
	return reflect.DeepEqual(values[0], values[1]), nil
}

// matchOf is the command of a match of so many games.
func matchOf(s sizes, games int) []string {
	return []string{"match", "brain", "brain:classic", "--games", strconv.Itoa(games), "--seed", strconv.FormatUint(s.seed, 10), "--json"}
}

// equality is the figure of two results.
func equality(measure, how, alone, together string) (report.Figure, error) {
	same, err := sameButForTime(alone, together)
	f := report.Figure{Measure: measure, Bar: "equal", Passed: same, How: how, Result: "equal"}
	if !same {
		f.Result = "**different**"
		how := os.WriteFile(filepath.Join(os.TempDir(), "ur-fleet-different.json"), []byte(alone+together), 0o666)
		if how != nil {
			return f, how
		}
	}
	return f, err
}

// kills plays a match on four workers, while workers and server are killed at random, and
// compares it with the match on one machine.
func kills(l *lab, s sizes) (report.Figure, error) {
	args := matchOf(s, s.games)
	alone, _, err := l.run(args...)
	if err != nil {
		return report.Figure{}, err
	}
	c, err := l.newCrew(4)
	if err != nil {
		return report.Figure{}, err
	}
	defer c.close()
	begin := time.Now()
	const out = "together"
	match, err := l.start(out, append(args, "--fleet", c.url)...)
	if err != nil {
		return report.Figure{}, err
	}
	rng := rand.New(rand.NewPCG(s.seed, 1))
	killed, ofServer := 0, 0
	for killed < s.kills {
		select {
		case <-match.done:
			return report.Figure{}, fmt.Errorf("the match ended after %d kills: raise -games", killed)
		case <-time.After(time.Second/2 + time.Duration(rng.Int64N(int64(time.Second)))):
		}
		victim := rng.IntN(5)
		if victim == 4 {
			ofServer++
			err = c.killServer()
		} else {
			err = c.killWorker(victim)
		}
		if err != nil {
			return report.Figure{}, err
		}
		killed++
	}
	if err := match.wait(); err != nil {
		return report.Figure{}, err
	}
	together, err := os.ReadFile(filepath.Join(l.folder, out))
	if err != nil {
		return report.Figure{}, err
	}
	how := fmt.Sprintf("%d workers of one core, %d kills at random, %d of them of the server; it took %.0f s", len(c.workers), killed, ofServer, time.Since(begin).Seconds())
	return equality(fmt.Sprintf("tally of %s games with kills, against one process", power(s.games)), how, alone, string(together))
}

// power writes a number as a power of ten where it is one.
func power(n int) string {
	p := 0
	for m := n; m%10 == 0 && m > 0; m /= 10 {
		p++
	}
	if text := strconv.Itoa(n); p >= 4 && len(text) == p+1 && text[0] == '1' {
		return "10^" + strconv.Itoa(p)
	}
	return strconv.Itoa(n)
}

// twelve are the players of the tournament.
var twelve = []string{
	"brain", "brain:classic", "greedy", "greedy:linear", "random", "first", "tree",
	"greedy:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "greedy:15,14,13,12,11,10,9,8,7,6,5,4,3,2,1",
	"level:1", "level:2", "level:3",
}

// tournament plays a tournament that is interrupted again and again: by the kill of who
// asked, of the server or of a worker, or by Ctrl-C.
func tournament(l *lab, s sizes) (report.Figure, error) {
	const interruptions = 10
	args := append([]string{"tournament", "--games", "2000", "--seed", strconv.FormatUint(s.seed, 10), "--json"}, twelve...)
	alone, _, err := l.run(args...)
	if err != nil {
		return report.Figure{}, err
	}
	c, err := l.newCrew(2)
	if err != nil {
		return report.Figure{}, err
	}
	defer c.close()
	args = append(args, "--fleet", c.url, "--out", filepath.Join(l.folder, "tournament"))
	rng := rand.New(rand.NewPCG(s.seed, 2))
	for i := range interruptions {
		p, err := l.start("interrupted", args...)
		if err != nil {
			return report.Figure{}, err
		}
		select {
		case <-p.done:
			return report.Figure{}, fmt.Errorf("the tournament ended after %d interruptions", i)
		case <-time.After(time.Second/2 + time.Duration(rng.Int64N(int64(time.Second/2)))):
		}
		switch i % 4 {
		case 1:
			err = c.killServer()
		case 2:
			err = c.killWorker(rng.IntN(2))
		case 3:
			err = p.cmd.Process.Signal(os.Interrupt)
			<-p.done
		}
		p.kill()
		if err != nil {
			return report.Figure{}, err
		}
	}
	together, _, err := l.run(args...)
	if err != nil {
		return report.Figure{}, err
	}
	how := fmt.Sprintf("%d games of each of 66 pairings, interrupted by kills of who asked, of the server and of workers, and by Ctrl-C", 2000)
	f, err := equality(fmt.Sprintf("a tournament of 12 players interrupted %d times", interruptions), how, alone, together)
	f.Bar = "the same table"
	return f, err
}
