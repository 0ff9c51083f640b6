package live

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// How a folder is watched.
const (
	lookEvery = time.Second
	stillFor  = 30 * time.Second // without a change, until a file counts as still
	maxFiles  = 100
	maxFile   = 1 << 26 // bytes
	maxDepth  = 3       // of folders
)

// followers read the followed files, by name suffix.
var followers = []follower{
	{"log.jsonl", "tournament", followTournament},
	{".checkpoint", "training", followCheckpoint},
	{".csv", "training", followCurve},
}

// follower knows one kind of files.
type follower struct {
	ending string
	kind   string
	follow func(io.Reader, *Run) error
}

// Watch follows the tournaments, checkpoints and curves in a folder and its subfolders until
// the hub is closed. It does not follow links out of the folder.
func (h *Hub) Watch(folder *os.Root) {
	w := watcher{hub: h, files: folder.FS().(rootFS), seen: map[string]seen{}}
	h.work.Go(func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			w.look(time.Now())
			select {
			case <-tick.C:
			case <-h.ctx.Done():
				return
			}
		}
	})
}

// watcher is the state of a watched folder.
type watcher struct {
	hub   *Hub
	files rootFS
	seen  map[string]seen // by path
}

// rootFS is the type of [os.Root.FS].
type rootFS interface {
	fs.ReadDirFS
	fs.StatFS
}

// seen is the state of a file when it was last read.
type seen struct {
	size  int64
	time  time.Time
	state State
}

// look reads the files that have changed.
func (w *watcher) look(now time.Time) {
	there := map[string]bool{}
	var unreadable []string // folders, whose files stay as they were
	err := fs.WalkDir(w.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case w.hub.ctx.Err() != nil:
			return w.hub.ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			unreadable = append(unreadable, name+"/")
			return fs.SkipDir
		}
		if d.IsDir() {
			if strings.Count(name, "/") >= maxDepth-1 {
				return fs.SkipDir
			}
			return nil
		}
		f, ok := followerOf(name)
		if !ok || !d.Type().IsRegular() {
			return nil
		}
		if len(there) == maxFiles {
			return fs.SkipAll
		}
		there[name] = true
		w.file(f, name, now)
		return nil
	})
	if err != nil {
		return // the folder cannot be read now: keep the known state
	}
	for name := range w.seen {
		hidden := slices.ContainsFunc(unreadable, func(folder string) bool { return strings.HasPrefix(name, folder) })
		if !there[name] && !hidden {
			delete(w.seen, name)
			w.hub.Remove(name)
		}
	}
}

// followerOf returns the follower for a file.
func followerOf(name string) (follower, bool) {
	for _, f := range followers {
		if strings.HasSuffix(path.Base(name), f.ending) {
			return f, true
		}
	}
	return follower{}, false
}

// file reads a file, if it has changed or has become still.
func (w *watcher) file(f follower, name string, now time.Time) {
	info, err := w.files.Stat(name)
	if err != nil {
		return
	}
	state := Running
	if now.Sub(info.ModTime()) > stillFor {
		state = Still
	}
	current := seen{info.Size(), info.ModTime(), state}
	if w.seen[name] == current {
		return
	}
	w.seen[name] = current
	r := Run{ID: name, Kind: f.kind, Title: name, State: state}
	if err := w.read(f, name, &r); err != nil {
		r.State, r.Error = Failed, err.Error()
	}
	w.hub.Put(r)
}

// read reads a file into a run.
func (w *watcher) read(f follower, name string, r *Run) error {
	file, err := w.files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := &io.LimitedReader{R: file, N: maxFile + 1}
	err = f.follow(in, r)
	if in.N == 0 {
		return errors.New("the file has more than 64 MB")
	}
	return err
}

// followTournament reads the log of a tournament.
func followTournament(in io.Reader, r *Run) error {
	report, err := play.ReadTournament(in)
	if err != nil {
		return err
	}
	r.Tournament, r.Title, r.Done = report, report.Title(), report.Played
	r.Total = int64(len(report.Pairings)) * int64(report.Games)
	if report.Complete {
		r.State = Done
	}
	return nil
}

// followCheckpoint reads the checkpoint of a training.
func followCheckpoint(in io.Reader, r *Run) error {
	c, err := train.ReadCheckpoint(in)
	if err != nil {
		return err
	}
	r.Done = c.Games
	r.Training = &Training{Method: c.Method, Seconds: c.Seconds, Points: pointsOf(c.Curve)}
	return nil
}

// followCurve reads a learning curve.
func followCurve(in io.Reader, r *Run) error {
	t, err := ReadCurve(in)
	if err != nil {
		return err
	}
	r.Training = t
	if n := len(t.Points); n > 0 {
		r.Done = t.Points[n-1].Games
	}
	return nil
}
