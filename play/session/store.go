package session

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Store keeps unfinished games in a directory, one file a game, in the format "jsonl" of
// package record. It rewrites the file atomically after every move, so a crash loses at most
// the move in progress.
type Store struct {
	Folder string // made when a game is first kept
	Most   int    // games in the folder, at least 1; the oldest go first
}

// DefaultStore is the folder "games" of the cache, "ur" in [os.UserCacheDir].
func DefaultStore() (Store, error) { return cached("games", 20) }

// FinishedStore is the folder "finished" of the cache, for games that have ended.
func FinishedStore() (Store, error) { return cached("finished", 500) }

func cached(folder string, most int) (Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Store{}, fmt.Errorf("no folder for saved games: %w", err)
	}
	return Store{filepath.Join(cache, "ur", folder), most}, nil
}

// gameEnd and lockEnd are the extensions of a game's file and of its lock file, which exists
// while a process plays the game.
const (
	gameEnd = ".jsonl"
	lockEnd = ".lock"
)

// SavedGame is a stored game that this process plays. No other process can open it until it is
// closed.
type SavedGame struct {
	name    string // the file's name
	release func() error
	prune   func() error // makes room when the game is first saved; nil for none
}

// New reserves a file for a game with a start time. It writes and removes nothing before the first
// [SavedGame.Save].
func (st Store) New(begun time.Time) (*SavedGame, error) {
	if err := os.MkdirAll(st.Folder, 0o777); err != nil {
		return nil, err
	}
	for n := 0; ; n++ {
		name := filepath.Join(st.Folder,
			fmt.Sprintf("%s-%02d%s", begun.UTC().Format("20060102-150405.000"), n, gameEnd))
		k, err := hold(name)
		if errors.Is(err, safefile.ErrLocked) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			k.prune = func() error { return st.prune(max(1, st.Most) - 1) } // one who plays is not listed
			return k, nil
		}
		if err := k.Close(); err != nil {
			return nil, err
		}
	}
}

// hold takes the lock of a game.
func hold(name string) (*SavedGame, error) {
	release, err := safefile.Hold(strings.TrimSuffix(name, gameEnd) + lockEnd)
	if err != nil {
		return nil, err
	}
	return &SavedGame{name: name, release: release}, nil
}

// Save writes the game.
func (k *SavedGame) Save(g *record.Game) error {
	form, err := record.FormatOf(k.name)
	if err != nil {
		return err
	}
	if err := record.WriteFile(k.name, form, g); err != nil || k.prune == nil {
		return err
	}
	prune := k.prune
	k.prune = nil
	return prune()
}

// Forget removes a finished or unwanted game. It may be saved again.
func (k *SavedGame) Forget() error {
	err := os.Remove(k.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Close lets others play the game.
func (k *SavedGame) Close() error { return k.release() }

// Saved is a stored game.
type Saved struct {
	File  string
	Time  time.Time // when it was saved
	Game  *record.Game
	Fault error // why the file cannot be read; Game is nil then
}

// List returns the games that no process plays, the latest first. It includes unreadable files,
// with their fault.
func (st Store) List() ([]Saved, error) {
	entries, err := os.ReadDir(st.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var games []Saved
	for _, e := range entries {
		name := filepath.Join(st.Folder, e.Name())
		info, err := e.Info()
		if filepath.Ext(name) != gameEnd || err != nil || !info.Mode().IsRegular() {
			continue // or it was removed since
		}
		k, err := hold(name)
		if errors.Is(err, safefile.ErrLocked) {
			continue
		}
		if err != nil {
			return nil, err
		}
		game, fault := readGame(name)
		if err := k.Close(); err != nil {
			return nil, err
		}
		games = append(games, Saved{name, info.ModTime(), game, fault})
	}
	slices.SortFunc(games, func(a, b Saved) int {
		return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.File, a.File))
	})
	return games, nil
}

func readGame(name string) (*record.Game, error) {
	form, err := record.FormatOf(name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := record.NewReader(file, form)
	game, err := reader.Next()
	switch {
	case err == io.EOF:
		err = errors.New("the file contains no game")
	case err == nil && reader.Unhashed():
		err = errors.New("the game has no hash")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return game, nil
}

// Open takes a game of [Store.List] to continue it. If another process has taken it since, the
// error wraps [safefile.ErrLocked].
func (st Store) Open(file string) (*SavedGame, *record.Game, error) {
	k, err := hold(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	game, err := readGame(file)
	if err != nil {
		return nil, nil, errors.Join(err, k.Close())
	}
	return k, game, nil
}

// prune removes the oldest games that no process plays but a number of them.
func (st Store) prune(most int) error {
	games, err := st.List()
	if err != nil {
		return err
	}
	for _, old := range games[min(len(games), most):] {
		k, err := hold(old.File)
		if errors.Is(err, safefile.ErrLocked) {
			continue // another process plays it by now
		}
		if err != nil {
			return err
		}
		if err := errors.Join(k.Forget(), k.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Finish adds a game that has ended. Dice, rules and players name its file, or the time if the game
// does not know its dice: of several ends of one game, as after an undo, the first stays.
func (st Store) Finish(g *record.Game, ended time.Time) error {
	name := ended.UTC().Format("20060102-150405.000")
	if g.Dice != nil {
		begin := fmt.Sprintf("%s %d %s %q", record.RulesText(g.Rules), g.Pieces, g.StartText(), g.Players)
		name = fmt.Sprintf("%d-%d-%08x", g.Dice.Seed, g.Dice.Game, crc32.ChecksumIEEE([]byte(begin)))
	}
	file := filepath.Join(st.Folder, name+gameEnd)
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(st.Folder, 0o777); err != nil {
		return err
	}
	if err := record.WriteNewFile(file, g); err != nil {
		return err
	}
	return st.prune(max(1, st.Most))
}
