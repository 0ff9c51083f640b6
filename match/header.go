package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/rating"
)

// Header is a log's first line: everything the scores depend on. Plans with equal headers
// play the same games.
type Header struct {
	Schema   string            `json:"schema"` // such as "ur.match-log/1"
	Players  []Entrant         `json:"players"`
	Games    int               `json:"games"` // games in each pairing
	Seed     uint64            `json:"seed"`
	Settings map[string]string `json:"settings,omitempty"` // game settings by name
}

// Entrant is a player in a log.
type Entrant struct {
	Name string `json:"name"`

	// Identity distinguishes players with one name, such as a file's hash; "" for a player
	// described completely by its name.
	Identity string `json:"identity,omitempty"`
}

// Header returns the header of a schedule's matches with a test, nil for none. It adds to the
// settings of the game. identity returns the [Entrant.Identity] of a player by its index.
func (s Schedule) Header(schema string, settings map[string]string, test *rating.SPRT, identity func(player int) (string, error)) (Header, error) {
	h := Header{Schema: schema, Games: s.Games, Seed: s.Seed, Settings: settings}
	h.Settings["gauntlet"] = fmt.Sprint(s.Gauntlet)
	if test != nil {
		h.Settings["sprt"] = test.String()
	}
	for i, name := range s.Players {
		identity, err := identity(i)
		if err != nil {
			return h, err
		}
		h.Players = append(h.Players, Entrant{Name: name, Identity: identity})
	}
	return h, nil
}

// planKind returns the logged kind of plan, for messages.
func (h Header) planKind() string {
	if len(h.Players) == 2 {
		return "match"
	}
	return "tournament"
}

// describeDifference describes how a log's settings differ from another plan's, or returns
// "".
func (h Header) describeDifference(other Header) string {
	if len(h.Players) != len(other.Players) {
		return fmt.Sprintf("it has %d players (want %d)", len(h.Players), len(other.Players))
	}
	for i, p := range h.Players {
		switch q := other.Players[i]; {
		case p.Name != q.Name:
			return fmt.Sprintf("player %d is %q (want %q)", i+1, p.Name, q.Name)
		case p.Identity != q.Identity:
			return fmt.Sprintf("player %q was made of %s, and is made of %s now", p.Name, cmp.Or(p.Identity, "nothing known"), cmp.Or(q.Identity, "nothing known"))
		}
	}
	switch {
	case h.Schema != other.Schema:
		return fmt.Sprintf("its schema is %s (want %s)", h.Schema, other.Schema)
	case h.Games != other.Games:
		return fmt.Sprintf("games is %d (want %d)", h.Games, other.Games)
	case h.Seed != other.Seed:
		return fmt.Sprintf("seed is %d (want %d)", h.Seed, other.Seed)
	}
	names := map[string]string{}
	maps.Copy(names, h.Settings)
	maps.Copy(names, other.Settings)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, b := h.Settings[name], other.Settings[name]; a != b {
			return fmt.Sprintf("%s is %s (want %s)", strings.ReplaceAll(name, "_", " "), cmp.Or(a, "unset"), cmp.Or(b, "unset"))
		}
	}
	return ""
}
