package play

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Names for players that use a value network.
const (
	netName   = "net"  // the built-in one
	netPrefix = "net:" // prefix before a file's name
)

// Net is the source for a player who moves to the position with the best chances. It plays the same game on
// every engine.
type Net struct {
	Spec  string // the name of the player: "net" or "net:FILE"
	Value *valuenet.Integer
	Hash  string // hash of the weights, see [valuenet.Net.Hash]; "" for a net in training

	// Unhashed reports that the file has no hash, so damage to it goes unnoticed.
	Unhashed bool
}

// Player returns the net's player, for games under its rule set. Its instances are on the fastest
// net engine.
func (n Net) Player() Player {
	return Player{
		Spec: n.Spec, Leaf: n.leaf, Source: n,
		Identity: func(context.Context, int) (string, error) { return n.Hash, nil },
		Rules: func(r *board.Rules) error {
			if err := n.Value.CheckRules(r); err != nil {
				return fmt.Errorf("player %q: %w", n.Spec, err)
			}
			return nil
		},
		New: func(ur.Engine) (Instance, error) {
			return netInstance{valuenet.NewJudge(valuenet.Fastest(), n.Value)}, nil
		},
	}
}

// ahead returns the search to a number of plies, 2 or more, with the net's values at the leaves:
// "net@2" for the net named "net".
func (n Net) ahead(plies int) Search {
	return searchTo(fmt.Sprintf("%s@%d", n.Spec, plies), n.Value.Rules, n.Player(), plies)
}

// searchTo returns the search to a number of plies with a leaf's values.
func searchTo(spec string, r *board.Rules, leaf Player, plies int) Search {
	return Search{
		lookahead: lookahead{spec, r, leaf}, Limits: search.Limits{Depth: plies, First: plies},
		Options: DefaultSearchOptions(), Memory: aheadMemory,
	}
}

// maxPlies is the greatest number of plies after a net's "@". Each ply takes about fifteen
// times as long as the one before.
const maxPlies = 4

// aheadMemory is the table size for a net with a search over few plies.
const aheadMemory = 1 << 16

type netInstance struct{ judge *valuenet.Judge }

// Choose takes the move with the best chances.
func (s netInstance) Choose(_ context.Context, t *Turn) (int, error) {
	return s.judge.Choose(t.Position, t.Moves), nil
}

// netKind is the kind for players that use a net.
var netKind = Kind{
	Name: netName,
	Patterns: []Pattern{
		{Text: netName, Help: "the built-in value network, trained on the exact solution"},
		{Text: netPrefix + "FILE", Help: "the same with a net written by \"ur train\""},
		{
			Text: netName + "@PLIES", Names: netsByPlies(),
			Help: fmt.Sprintf("the built-in net with a search of 1 to %d plies, as in net@2", maxPlies),
		},
		{Text: netPrefix + "FILE@PLIES", Help: "the same with a net written by \"ur train\""},
	},
	Title: func(spec string) string {
		if spec == netName {
			return "Neural network: near perfect, quick"
		}
		if plies, ahead := strings.CutPrefix(spec, netName+"@"); ahead {
			return fmt.Sprintf("Neural network, %s plies ahead: near perfect", plies)
		}
		return spec
	},
	Files: netFiles,
	Parse: parseNet,
}

// netsByPlies lists the net players that search more than one ply.
func netsByPlies() (names []string) {
	for plies := 2; plies <= maxPlies; plies++ {
		names = append(names, fmt.Sprintf("%s@%d", netName, plies))
	}
	return names
}

// cutPlies cuts off the number of plies after the last @, by default 1. If a file name contains
// an @, the number is required.
func cutPlies(rest string) (name, plies string) {
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return rest[:at], rest[at+1:]
	}
	return rest, "1"
}

// netFiles replaces a net's file.
func netFiles(rest string, replace func(name string) string) string {
	name, _ := cutPlies(rest)
	if file, ok := strings.CutPrefix(name, ":"); ok && file != "" {
		return ":" + replace(file) + strings.TrimPrefix(rest, name)
	}
	return rest
}

// parseNet returns a spec's player for a rule set.
func parseNet(in ParseContext, spec, rest string) (Player, error) {
	name, plies := cutPlies(rest)
	ahead, err := strconv.Atoi(plies)
	if err != nil || ahead < 1 || ahead > maxPlies {
		return Player{}, fmt.Errorf("player %q looks %q plies ahead (want a number from 1 to %d)",
			spec, plies, maxPlies)
	}
	path, err := openColon(spec, name, `net:FILE with a net that "ur train" wrote`, in.Open)
	if err != nil {
		return Player{}, err
	}
	n, err := openNet(in.Rules, netName+name, path)
	switch {
	case err != nil:
		return Player{}, err
	case ahead > 1:
		return n.ahead(ahead).Player(), nil
	}
	n.Spec = spec
	return n.Player(), nil
}

// openNet returns a spec's net from a file, or with "" a rule set's built-in one.
func openNet(r *board.Rules, spec, path string) (Net, error) {
	var n *valuenet.Net
	var q *valuenet.Integer
	var err error
	if path == "" {
		n, q, err = valuenet.BuiltinFor(r)
	} else if n, err = valuenet.Open(path); err != nil {
		return Net{}, err
	} else if err = n.CheckRules(r); err == nil {
		q, err = valuenet.Quantise(n)
	}
	if err != nil {
		return Net{}, fmt.Errorf("player %q: %w", spec, err)
	}
	return Net{spec, q, n.Hash(), n.Unhashed()}, nil
}
