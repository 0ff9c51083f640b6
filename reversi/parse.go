package reversi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Levels is the number of levels of strength, from 1.
const Levels = 10

// levels are the search depths and the numbers of empty squares from which the game is solved.
var levels = [Levels]struct{ depth, exact int }{
	{1, 2}, {2, 6}, {3, 8}, {4, 10}, {5, 12}, {6, 14}, {8, 16}, {10, 18}, {12, 20}, {14, 22},
}

// PlayersHelp lists the players.
const PlayersHelp = `  random          any legal move
  greedy          as many discs as it can turn over
  hand            level:6 with the evaluation that was set by hand
  level:1 to level:10
                  looks 1 to 14 plies ahead, and to the end from 2 to 22 empty squares
  search:KEY=VALUE,...
                  depth=8 or time=50ms or both; exact=18 (with a depth, solve from so
                  many empty squares; default 16); eval=learned or hand; threads=2;
                  book=FILE of openings; without=probcut (or another technique of
                  "reversi solve --help", or several, joined by +)`

// Env holds the resources for making players.
type Env struct {
	Weights *eval.Weights // nil: players with learned weights take the built-in ones
	Threads int

	// OpenBook opens the file of a player's book; nil where players may name no files.
	OpenBook func(file string) (Book, error)
}

// ParsePlayer makes a player from its name.
func ParsePlayer(name string, env Env) (Player, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch {
	case name == "random":
		p := new(random)
		p.NewGame(0)
		return p, nil
	case name == "greedy":
		return greedy{}, nil
	case name == "hand":
		return NewThinker(Settings{Name: name, Depth: levels[5].depth, Exact: levels[5].exact, Threads: env.Threads})
	case name == "human":
		return nil, errors.New(`player "human" needs a person at the keyboard (want a program here)`)
	case kind == "level":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > Levels {
			return nil, fmt.Errorf("player %q: unknown level (want level:1 to level:%d)", name, Levels)
		}
		l := levels[n-1]
		w, err := env.weights()
		if err != nil {
			return nil, err
		}
		return NewThinker(Settings{Name: name, Weights: w, Depth: l.depth, Exact: l.exact, Threads: env.Threads})
	case kind == "search":
		return parseSearch(name, rest, env)
	}
	return nil, fmt.Errorf("unknown player %q (want random, greedy, hand, level:1 to level:%d, or search:KEY=VALUE such as search:depth=8)", name, Levels)
}

func (e Env) weights() (*eval.Weights, error) {
	if e.Weights != nil {
		return e.Weights, nil
	}
	return eval.Learned()
}

// exactDeep are the empty squares from which a player with a depth solves by default. One with only
// a time searches to the end as soon as its time allows.
const exactDeep = 16

// parseSearch reads the keys and values of a searching player.
func parseSearch(name, rest string, env Env) (Player, error) {
	s := Settings{Name: name, Threads: env.Threads, Exact: exactDeep}
	learned := true
	for part := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch key {
		case "depth":
			s.Depth, err = strconv.Atoi(value)
		case "time":
			s.Time, err = time.ParseDuration(value)
		case "exact":
			s.Exact, err = strconv.Atoi(value)
		case "threads":
			s.Threads, err = strconv.Atoi(value)
		case "without":
			if s.Without, err = engine.ParseTechniques(value); s.Without == 0 && err == nil {
				err = errors.New("no technique (want " + strings.Join(engine.Techniques(), ", ") + ")")
			}
		case bookKey:
			if env.OpenBook == nil {
				err = errors.New("files are not allowed here")
			} else {
				s.Book, err = env.OpenBook(value)
			}
		case "eval":
			if learned = value == "learned"; !learned && value != "hand" {
				err = errors.New("unknown evaluation (want learned or hand)")
			}
		default:
			return nil, fmt.Errorf("player %q: unknown key %q (want depth, time, exact, threads, eval, book or without)", name, key)
		}
		if err != nil {
			return nil, fmt.Errorf("player %q: %s=%s: %w", name, key, value, err)
		}
	}
	if learned {
		w, err := env.weights()
		if err != nil {
			return nil, err
		}
		s.Weights = w
	}
	return NewThinker(s)
}
