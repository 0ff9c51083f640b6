package play

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// ReadTournament reads the log of a tournament, of which other processes may be playing
// more, and reports how it stands. Neither players nor their files are opened. It fails
// with a [*LogError] when the text is no log, and also when no line is there yet.
func ReadTournament(r io.Reader) (TournamentReport, error) {
	content, err := readLog(r)
	if err != nil {
		return TournamentReport{}, err
	}
	if content.header == nil {
		return TournamentReport{}, &LogError{Line: 1, Msg: "has no whole line yet"}
	}
	c, err := content.header.config()
	if err != nil {
		return TournamentReport{}, err
	}
	t := newTournament(c)
	if err := t.enterAll(content.records); err != nil {
		return TournamentReport{}, err
	}
	result, err := t.result(0)
	return result.Report(c), err
}

// Limits of logs that others have written: the cross table grows with their square.
const maxFollowed = 200

// config returns the settings of a log, with players that have nothing but their names.
func (h logHeader) config() (TournamentConfig, error) {
	c := TournamentConfig{Gauntlet: h.Gauntlet, Games: h.Games, Seed: h.Seed, Pieces: h.Pieces, TurnLimit: h.TurnLimit}
	if len(h.Players) > maxFollowed {
		return c, &LogError{Line: 1, Msg: fmt.Sprintf("has %d players, at most %d are followed", len(h.Players), maxFollowed)}
	}
	for _, p := range h.Players {
		c.Players = append(c.Players, nameOf(p.Name))
	}
	if err := board.CheckPieces(h.Pieces); err != nil {
		return c, &LogError{Line: 1, Msg: err.Error()}
	}
	if err := c.Check(); err != nil {
		return c, &LogError{Line: 1, Msg: err.Error()}
	}
	return c, nil
}

// nameOf returns a player that has nothing but a name: a [Brain] where the name is that of
// one, since the parts of a log between brains are of another length.
func nameOf(name string) Player {
	kind, _ := KindOf(name)
	switch {
	case kind.Name == brainKind.Name, kind.Name == treeKind.Name, kind.Name == greedyKind.Name && name != greedyKind.Name:
		return Brain{Spec: name}
	}
	return absent(name)
}

// absent is the name of a player who is not here.
type absent string

// Name returns the name.
func (p absent) Name() string { return string(p) }

// Sit fails.
func (p absent) Sit(ur.Engine) (Seat, error) {
	return nil, errors.New("the player " + string(p) + " is not here")
}
