package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
)

// ReadTournament reads the log of a tournament, which other processes may still be writing, and
// reports its state. It opens neither players nor their files. It fails with a
// [*match.LogError] if the text is not a log, and also while it has no complete line.
func ReadTournament(r io.Reader) (TournamentReport, error) {
	var c TournamentConfig
	o, err := match.Follow(r, func(h match.Header) (plan match.Plan[Score], err error) {
		if c, err = followed(h); err != nil {
			return plan, &match.LogError{Line: 1, Msg: err.Error()}
		}
		return c.plan(), nil
	})
	if err != nil {
		return TournamentReport{}, err
	}
	return c.report(o)
}

// maxFollowed limits the players of foreign logs: the cross table grows with their square.
const maxFollowed = 200

// followed returns the settings of a log, with players reduced to their names.
func followed(h match.Header) (TournamentConfig, error) {
	c := TournamentConfig{Games: h.Games, Seed: h.Seed, Pieces: logInt(h.Settings[keyPieces]), TurnLimit: logInt(h.Settings[keyTurnLimit])}
	c.Gauntlet, _ = h.Settings[keyGauntlet].(bool)
	if h.Schema != logSchema {
		return c, fmt.Errorf("has the schema %s (want %s)", text.Plain(h.Schema), logSchema)
	}
	if len(h.Players) > maxFollowed {
		return c, fmt.Errorf("has %d players (want at most %d)", len(h.Players), maxFollowed)
	}
	for _, p := range h.Players {
		c.Players = append(c.Players, nameOf(p.Name))
	}
	if err := board.CheckPieces(c.Pieces); err != nil {
		return c, err
	}
	return c.complete()
}

// logInt returns an integer of a log, or 0.
func logInt(value any) int {
	number, _ := value.(json.Number)
	n, _ := strconv.Atoi(string(number))
	return n
}

// nameOf returns a player with only a name. It is a [Brain] if the name is a brain's, because
// spans between brains have another length.
func nameOf(name string) Player {
	kind, _ := KindOf(name)
	switch {
	case kind.Name == brainKind.Name, kind.Name == treeKind.Name, kind.Name == greedyKind.Name && name != greedyKind.Name:
		return Brain{Spec: name}
	}
	return absent(name)
}

// absent is the name of a player that is not available here.
type absent string

// Name returns the name.
func (p absent) Name() string { return string(p) }

// Sit fails.
func (p absent) Sit(ur.Engine) (Seat, error) {
	return nil, errors.New("the player " + string(p) + " is not here")
}
