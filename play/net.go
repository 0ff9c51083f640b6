package play

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Names of players that use a value network.
const (
	netName   = "net"  // the built-in one
	netPrefix = "net:" // before the name of a file
)

// Net moves to the position with the best chances by a value network and a search of some
// plies; see [net.Judge.Chances]. It plays the same game on every engine.
type Net struct {
	Spec  string // the name of the player: "net", "net:FILE", and either with "@2" and so on
	Value *valuenet.Integer
	Plies int // 1 to [net.MaxPlies]

	Meta map[string]string // metadata of the file
	Hash string            // of the weights, see [valuenet.Net.Hash]; "" for a net in training

	// Unhashed reports that the file has no hash, so damage to it goes unnoticed.
	Unhashed bool
}

// identity returns the hash of the weights.
func (p Net) identity(context.Context, int) (string, error) { return p.Hash, nil }

// Name returns the spec.
func (p Net) Name() string { return p.Spec }

// Plays returns an error unless the net is one of the rule set.
func (p Net) Plays(r *rules.Rules) error {
	if err := p.Value.CheckRules(r); err != nil {
		return fmt.Errorf("player %q: %w", p.Spec, err)
	}
	return nil
}

// Sit takes a seat on the fastest engine of nets; the engine of brains is ignored.
func (p Net) Sit(ur.Engine) (Seat, error) {
	if p.Value.Rules() != nil {
		return &rulesNetSeat{judge: valuenet.NewRulesJudge(valuenet.Fastest(), p.Value), plies: p.Plies}, nil
	}
	return &netSeat{judge: valuenet.NewJudge(valuenet.Fastest(), p.Value), plies: p.Plies}, nil
}

// Win writes to dst the probability, 0 to 1, that the side to move wins after each move.
func (p Net) Win(dst []float64, position board.Position, moves []board.Move) {
	valuenet.NewJudge(valuenet.Fastest(), p.Value).Win(dst, position, moves, p.Plies)
}

type netSeat struct {
	judge *valuenet.Judge
	plies int
}

// Choose takes the move of the best chances.
func (s *netSeat) Choose(ctx context.Context, t *Turn) (int, error) {
	return s.judge.ChooseBy(t.Position, t.Moves, s.plies), nil
}

// rulesNetSeat is the seat of a net of another rule set than Finkel's.
type rulesNetSeat struct {
	judge *valuenet.RulesJudge
	plies int
}

// Choose takes the move of the best chances.
func (s *rulesNetSeat) Choose(_ context.Context, t *Turn) (int, error) {
	return s.judge.Choose(t.State, t.Moves, s.plies), nil
}

// netKind is the kind of players that use a net.
var netKind = Kind{
	Name: netName,
	Patterns: []Pattern{
		{Text: netName, Help: "the built-in value network, trained on the exact solution"},
		{Text: netPrefix + "FILE", Help: "the same with a net written by \"ur train\""},
		{
			Text: netName + "@PLIES", Names: netsByPlies(),
			Help: fmt.Sprintf("the built-in net with a search of 1 to %d plies, as in net@2", valuenet.MaxPlies),
		},
		{Text: netPrefix + "FILE@PLIES", Help: "the same with a net written by \"ur train\""},
	},
	Files: netFiles,
	Parse: func(spec, rest string, open Opener) (Player, error) { return parseNet(nil, spec, rest, open) },
	ParseRules: func(r *rules.Rules, spec, rest string, open Opener) (Player, error) {
		return parseNet(r, spec, rest, open)
	},
}

// netsByPlies lists the net players with a search of more than one ply.
func netsByPlies() (names []string) {
	for plies := 2; plies <= valuenet.MaxPlies; plies++ {
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

// netFiles replaces the file of a net.
func netFiles(rest string, replace func(name string) string) string {
	name, _ := cutPlies(rest)
	if file, ok := strings.CutPrefix(name, ":"); ok && file != "" {
		return ":" + replace(file) + strings.TrimPrefix(rest, name)
	}
	return rest
}

// parseNet returns the player of a spec for a rule set, nil for Finkel's.
func parseNet(r *rules.Rules, spec, rest string, open Opener) (Player, error) {
	name, plies := cutPlies(rest)
	look, err := strconv.Atoi(plies)
	file, named := strings.CutPrefix(name, ":")
	switch {
	case err != nil || look < 1 || look > valuenet.MaxPlies:
		return nil, fmt.Errorf("player %q looks %q plies ahead (want a number from 1 to %d)", spec, plies, valuenet.MaxPlies)
	case named && file == "":
		return nil, fmt.Errorf("player %q names no file (want %sFILE with a net that \"ur train\" wrote)", spec, netPrefix)
	case !named:
		n, q, err := valuenet.BuiltinFor(r)
		if err != nil {
			return nil, fmt.Errorf("player %q: %w", spec, err)
		}
		return Net{spec, q, look, n.Meta, n.Hash(), n.Unhashed()}, nil
	}
	path, err := open(file)
	if err != nil {
		return nil, err
	}
	n, err := valuenet.Open(path)
	if err != nil {
		return nil, err
	}
	if err := n.CheckRules(r); err != nil {
		return nil, fmt.Errorf("player %q: %w", spec, err)
	}
	q, err := valuenet.Quantise(n)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", spec, err)
	}
	return Net{spec, q, look, n.Meta, n.Hash(), n.Unhashed()}, nil
}
