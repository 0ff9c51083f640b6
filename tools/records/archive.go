package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/train"
)

// archiveGames is how many games the archive has. Archives of the federation are no part of the module: this one
// has games of players of mixed strength. From openings of eight discs, few games of players without chance differ.
const archiveGames = 5000

// archiveReports plays weights learned from an archive in the WTHOR format against the built-in ones and the hand-set
// rules.
func archiveReports() (list []toolReport) {
	for _, against := range []string{"learned", "hand"} {
		r := figureReport(fmt.Sprintf("reversi match search:depth=6,eval=archive.bin search:depth=6,eval=%s --games 400 --seed 8", against),
			fmt.Sprintf("Archive/games=%d/against=%s", archiveGames, against), "score/game", "score", "lo", "hi")
		r.folder = learnFromArchive
		list = append(list, r)
	}
	return list
}

// learnFromArchive plays the games, writes them to games.wtb, and learns archive.bin from it.
func learnFromArchive(work string) (folder string, err error) {
	if _, err := os.Stat(filepath.Join(work, "archive.bin")); err == nil {
		return work, nil
	}
	text := filepath.Join(work, "games.txt")
	reversi := func(command string) error {
		cmd := exec.Command(filepath.Join(work, "reversi"), strings.Fields(command)...)
		cmd.Dir, cmd.Stderr = work, os.Stderr
		return cmd.Run()
	}
	err = reversi(fmt.Sprintf("match level:5 level:6 --openings random:14 --games %d --seed 27 --record %s", archiveGames, text))
	if err == nil {
		err = writeArchive(text, filepath.Join(work, "games.wtb"))
	}
	if err == nil {
		err = reversi("train -o archive.bin --wthor games.wtb")
	}
	return work, err
}

// writeArchive writes the games of a file, one a line, as an archive.
func writeArchive(text, name string) error {
	lines, err := os.ReadFile(text)
	if err != nil {
		return err
	}
	var games []board.Record
	for line := range strings.Lines(string(lines)) {
		g, err := board.ParseRecord(board.StartPosition(), line)
		if err != nil {
			return err
		}
		games = append(games, g)
	}
	return safefile.WriteBytes(name, train.FormatWTHOR(games))
}
