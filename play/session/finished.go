package session

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-09dcdc84/ur/play/record"
)

// mostFinished is the number of games in the [FinishedStore].
const mostFinished = 500

// FinishedStore is the folder "finished" of the cache, for games that have ended.
func FinishedStore() (Store, error) {
	st, err := DefaultStore()
	if err != nil {
		return Store{}, err
	}
	return Store{Folder: filepath.Join(filepath.Dir(st.Folder), "finished"), Most: mostFinished}, nil
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
	if err := st.prune(); err != nil {
		return err
	}
	form, err := record.LookupFormat("jsonl")
	if err != nil {
		return err
	}
	return record.WriteFile(file, form, g)
}
