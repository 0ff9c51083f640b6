package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Header is the first line of a log: everything the scores depend on. Plans with equal headers
// play the same games.
type Header struct {
	Schema  string // as in "ur.tournament-log/1"
	Players []Entrant
	Games   int // of a pairing
	Seed    uint64

	// Settings are the settings of the game by their JSON names: numbers, strings and booleans.
	Settings map[string]any
}

// Entrant is a player of a log.
type Entrant struct {
	Name string `json:"name"`

	// Identity distinguishes players of one name, such as the hash of a file; "" for a player
	// described completely by its name.
	Identity string `json:"identity,omitempty"`
}

// kind returns the kind of plan in the log, for messages.
func (h Header) kind() string {
	if len(h.Players) == 2 && !strings.Contains(h.Schema, "tournament") {
		return "match"
	}
	return "tournament"
}

// The names of the fields in JSON.
const (
	keySchema  = "schema"
	keyPlayers = "players"
	keyGames   = "games"
	keySeed    = "seed"
)

// MarshalJSON writes the settings beside the other fields.
func (h Header) MarshalJSON() ([]byte, error) {
	fields := maps.Clone(h.Settings)
	if fields == nil {
		fields = map[string]any{}
	}
	fields[keySchema], fields[keyPlayers], fields[keyGames], fields[keySeed] = h.Schema, h.Players, h.Games, h.Seed
	return json.Marshal(fields)
}

// UnmarshalJSON reads a header. Numbers among its settings are of type [json.Number].
func (h *Header) UnmarshalJSON(text []byte) error {
	var known struct {
		Schema  string
		Players []Entrant
		Games   int
		Seed    uint64
	}
	if err := json.Unmarshal(text, &known); err != nil {
		return err
	}
	*h = Header{Schema: known.Schema, Players: known.Players, Games: known.Games, Seed: known.Seed}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&h.Settings); err != nil {
		return err
	}
	for _, key := range []string{keySchema, keyPlayers, keyGames, keySeed} {
		delete(h.Settings, key)
	}
	return nil
}

// difference describes how the settings of a log differ from those of another plan, or returns
// "".
func (h Header) difference(other Header) string {
	if len(h.Players) != len(other.Players) {
		return fmt.Sprintf("it has %d players (want %d)", len(h.Players), len(other.Players))
	}
	for i, p := range h.Players {
		switch q := other.Players[i]; {
		case p.Name != q.Name:
			return fmt.Sprintf("player %d is %q (want %q)", i+1, p.Name, q.Name)
		case p.Identity != q.Identity:
			return fmt.Sprintf("player %q was made of %s, and is made of %s now", p.Name, orNothing(p.Identity), orNothing(q.Identity))
		}
	}
	switch {
	case h.Games != other.Games:
		return fmt.Sprintf("%s is %d (want %d)", keyGames, h.Games, other.Games)
	case h.Seed != other.Seed:
		return fmt.Sprintf("%s is %d (want %d)", keySeed, h.Seed, other.Seed)
	}
	keys := maps.Clone(h.Settings)
	maps.Copy(keys, other.Settings)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if a, b := setting(h.Settings, key), setting(other.Settings, key); a != b {
			return fmt.Sprintf("%s is %s (want %s)", strings.ReplaceAll(key, "_", " "), a, b)
		}
	}
	return ""
}

// setting returns a setting as a text.
func setting(settings map[string]any, key string) string {
	value, ok := settings[key]
	if !ok || value == "" {
		return "unset"
	}
	return fmt.Sprint(value)
}

// orNothing names a missing identity.
func orNothing(identity string) string {
	if identity == "" {
		return "nothing known"
	}
	return identity
}
