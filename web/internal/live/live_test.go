package live

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// parse returns players by name.
func parse(t testing.TB, names ...string) (players []play.Player) {
	t.Helper()
	for _, name := range names {
		p, err := play.ParsePlayer(name)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, p)
	}
	return players
}

// follow waits until a run has come to a state.
func follow(t *testing.T, h *Hub, id string, state State) Run {
	t.Helper()
	for version := uint64(0); ; {
		news := h.Since(version)
		for _, r := range news.Runs {
			if r.ID == id && r.State == state {
				return r
			}
		}
		version = news.Version
		if !h.Wait(t.Context(), version) {
			t.Fatal("nothing changes any more")
		}
	}
}

// A match that is followed has the score of the match of the same seed, on any number of
// goroutines.
func TestMatch(t *testing.T) {
	p := parse(t, "greedy", "level:2")
	want, err := play.Match(t.Context(), play.MatchConfig{Players: [2]play.Player{p[0], p[1]}, Games: 300, Seed: 5, Pieces: 3})
	if err != nil {
		t.Fatal(err)
	}
	h := NewHub()
	defer h.Close()
	for parallel := 1; parallel <= 3; parallel++ {
		id, err := h.Begin(play.MatchConfig{Players: [2]play.Player{p[0], p[1]}, Games: 300, Seed: 5, Pieces: 3, Parallel: parallel})
		if err != nil {
			t.Fatal(err)
		}
		r := follow(t, h, id, Done)
		last := r.Match.Points[len(r.Match.Points)-1]
		if r.Match.Wins != want.Wins || r.Match.Turns != want.Tally.Turns || last.Games != 300 || last.Score != want.Estimate().Score {
			t.Errorf("parallel %d: %+v, %+v, want %v", parallel, r.Match, last, want.Score)
		}
	}
}

// Old matches make way for new ones, and who asks since a version is told of it.
func TestOldMatches(t *testing.T) {
	p := parse(t, "first", "random")
	h := NewHub()
	defer h.Close()
	c := play.MatchConfig{Players: [2]play.Player{p[0], p[1]}, Games: 2, Pieces: 1}
	version := uint64(0)
	for range maxEnded + 2 {
		id, err := h.Begin(c)
		if err != nil {
			t.Fatal(err)
		}
		follow(t, h, id, Done)
		if version == 0 {
			version = h.Since(0).Version
		}
	}
	if gone := h.Since(version).Gone; !reflect.DeepEqual(gone, []string{"match-0001", "match-0002"}) {
		t.Errorf("gone are %v", gone)
	}
	if news := h.Since(0); len(news.Gone) > 0 || !news.Whole {
		t.Errorf("who knows nothing is told of what is gone: %+v", news)
	}
}

// A log of a tournament, a checkpoint and a curve are shown as they are, and when they have
// not changed for a while they are still.
func TestWatch(t *testing.T) {
	begin, folder := time.Now(), t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "league"), 0o777); err != nil {
		t.Fatal(err)
	}
	log, err := match.OpenLog(filepath.Join(folder, "league", "log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	c := play.TournamentConfig{Players: parse(t, "greedy", "random", "brain", "tree"), Games: 200, Pieces: 2, Seed: 3, Log: log}
	result, err := play.Tournament(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	curve := train.Curve{{Games: 10, Seconds: 1, Scores: []train.Score{{Rival: "brain", Games: 100, Wins: 40}}}}
	var checkpoint, csv bytes.Buffer
	if err := train.WriteCheckpoint(&checkpoint, &train.Checkpoint{Method: "fit", Games: 20, Seconds: 2, Curve: curve, Settings: []byte("{}"), State: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if err := curve.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"mine.txt.checkpoint": checkpoint.Bytes(), "mine.csv": csv.Bytes(), "other.csv": []byte("a,b\n")} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHub()
	defer h.Close()
	w := watcher{hub: h, files: root.FS().(rootFS), seen: map[string]seen{}}
	w.look(begin)
	runs := map[string]Run{}
	for _, r := range h.Since(0).Runs {
		runs[r.ID] = r
	}
	want := result.Report
	want.Pieces = 2
	league := runs["league/log.jsonl"]
	if got, ok := league.Tournament.(play.TournamentReport); !ok || !reflect.DeepEqual(got.Pairings, want.Pairings) || league.State != Done || league.Done != league.Total {
		t.Errorf("the tournament is %+v, want %+v", league, want)
	}
	mine := runs["mine.txt.checkpoint"]
	if mine.State != Running || mine.Done != 20 || mine.Training == nil || mine.Training.Points[0].Rivals[0].Rate != 0.4 {
		t.Errorf("the checkpoint is %+v", mine)
	}
	if points := runs["mine.csv"].Training.Points; math.Abs(points[0].Rivals[0].Rate-0.4) > 1e-9 || points[0].Games != 10 {
		t.Errorf("the curve is %+v", points)
	}
	if other := runs["other.csv"]; other.State != Failed || !strings.Contains(other.Error, "not a learning curve") {
		t.Errorf("a file that is no curve is %+v", other)
	}
	version := h.Since(0).Version
	w.look(begin)
	if h.Since(0).Version != version {
		t.Error("what has not changed is told again")
	}
	w.look(time.Now().Add(2 * stillFor))
	for _, r := range h.Since(version).Runs {
		if r.ID == "mine.csv" && r.State != Still {
			t.Errorf("after a while the curve is %s", r.State)
		}
	}
	if h.Since(0).Version == version {
		t.Error("nothing becomes still")
	}
}

// A hub forgets runs that are gone, and a client that missed one receives all that are left.
func TestHubForgets(t *testing.T) {
	h := NewHub()
	defer h.Close()
	h.Put(Run{ID: "stays"})
	before := h.Since(0).Version
	for i := range 10_000 {
		h.Put(Run{ID: strconv.Itoa(i)})
		h.Remove(strconv.Itoa(i))
	}
	if kept := len(h.runs) + len(h.gone); kept > 1+maxGone {
		t.Errorf("the hub keeps %d entries", kept)
	}
	if news := h.Since(before); !news.Whole || len(news.Runs) != 1 || len(news.Gone) > 0 {
		t.Errorf("a client that missed departures receives %+v", news)
	}
	version := h.Since(0).Version
	h.Put(Run{ID: "comes back"})
	h.Remove("comes back")
	h.Put(Run{ID: "comes back"})
	if news := h.Since(version); news.Whole || len(news.Gone) > 0 || len(news.Runs) != 1 {
		t.Errorf("a run that came back is %+v", news)
	}
}

// A folder that cannot be read hides no run outside of it.
func TestUnreadableFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.csv", "b/b.csv", "c/c.csv"} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("games,seconds,rival,match_games,rate,low,high\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	locked := false
	h := NewHub()
	defer h.Close()
	w := watcher{hub: h, files: lockable{root.FS().(rootFS), &locked}, seen: map[string]seen{}}
	ids := func() (ids []string) {
		w.look(time.Now())
		for _, r := range h.Since(0).Runs {
			ids = append(ids, r.ID)
		}
		return ids
	}
	all := []string{"a.csv", "b/b.csv", "c/c.csv"}
	locked = true
	if got := ids(); !slices.Equal(got, []string{"a.csv", "c/c.csv"}) {
		t.Errorf("beside a folder that cannot be read are %v", got)
	}
	locked = false
	if got := ids(); !slices.Equal(got, all) {
		t.Errorf("all that can be read are %v", got)
	}
	locked = true
	if got := ids(); !slices.Equal(got, all) {
		t.Errorf("of a folder that cannot be read any more stay %v", got)
	}
}

// lockable is a folder whose subfolder "b" cannot be read while it is locked, whoever runs
// the test.
type lockable struct {
	rootFS
	locked *bool
}

func (l lockable) ReadDir(name string) ([]fs.DirEntry, error) {
	if *l.locked && name == "b" {
		return nil, fs.ErrPermission
	}
	return l.rootFS.ReadDir(name)
}

// FuzzReadCurve looks for curves that break the reader, or that JSON cannot hold.
func FuzzReadCurve(f *testing.F) {
	f.Add("games,seconds,rival,match_games,rate,low,high\n100,1.5,brain,200,0.25,0.2,0.3\n")
	f.Add("games,seconds,rival,match_games,rate,low,high,regret\n1,1,\"a,b\",2,0,0,0,1e9\n1,1,c,2,1,1,1,0\n")
	f.Add("games,seconds,rival,match_games,rate,low,high\n1,NaN,x,1,Inf,0,0\n")
	f.Fuzz(func(t *testing.T, text string) {
		curve, err := ReadCurve(strings.NewReader(text))
		if err != nil {
			return
		}
		if _, err := json.Marshal(curve); err != nil {
			t.Fatal(err)
		}
	})
}
