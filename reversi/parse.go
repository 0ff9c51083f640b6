package reversi

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
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
var PlayersHelp = `  random          any legal move
  greedy          as many discs as it can turn over
  hand            level:6 with the evaluation that was set by hand
  level:1 to level:10
                  looks 1 to 14 plies ahead, and to the end from 2 to 22 empty squares
  search:KEY=VALUE,...
                  depth=8 or time=50ms or both; exact=18 (with a depth, solve from so
                  many empty squares; default 16); threads=2; book=FILE of openings;
                  eval=learned, eval=hand, or eval=FILE of weights; without=probcut, or
                  without other techniques, joined by +:
` + text.Wrap(strings.Join(engine.Techniques(), ", "), "                  ", 88)

// Env opens the files of players. Its functions are nil where players may name no files.
type Env struct {
	OpenBook    func(file string) (Book, error)
	OpenWeights func(file string) (*eval.Weights, error)
}

// open opens a file of a player.
func open[T any](by func(file string) (T, error), file string) (opened T, err error) {
	if by == nil {
		return opened, errors.New("files are not allowed here")
	}
	return by(file)
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
		return NewThinker(Settings{Name: name, Depth: levels[5].depth, Exact: levels[5].exact})
	case name == "human":
		return nil, errors.New(`player "human" needs a person at the keyboard (want a program here)`)
	case kind == "level":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > Levels {
			return nil, fmt.Errorf("player %q: unknown level (want level:1 to level:%d)", name, Levels)
		}
		l := levels[n-1]
		w, err := eval.Learned()
		if err != nil {
			return nil, err
		}
		return NewThinker(Settings{Name: name, Weights: w, Depth: l.depth, Exact: l.exact})
	case kind == "search":
		return parseSearch(name, rest, env)
	}
	return nil, fmt.Errorf("unknown player %q (want random, greedy, hand, level:1 to level:%d, or search:KEY=VALUE such as search:depth=8)", name, Levels)
}

// parseSearch reads the keys and values of a searching player. With a depth it solves from 16 empty
// squares by default; with only a time it searches to the end as soon as its time allows.
func parseSearch(name, rest string, env Env) (Player, error) {
	s := Settings{Name: name, Exact: 16}
	weights := "learned"
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
		case "book":
			s.Book, err = open(env.OpenBook, value)
		case "eval":
			if weights = value; value != "learned" && value != "hand" {
				s.Weights, err = open(env.OpenWeights, value)
			}
		default:
			return nil, fmt.Errorf("player %q: unknown key %q (want depth, time, exact, threads, eval, book or without)", name, key)
		}
		if err != nil {
			return nil, fmt.Errorf("player %q: %s=%s: %w", name, key, value, err)
		}
	}
	var err error
	if weights == "learned" {
		s.Weights, err = eval.Learned()
	}
	if err != nil {
		return nil, err
	}
	return NewThinker(s)
}

// ReplaceFiles returns the name of a player with replace(file) instead of every file in it.
func ReplaceFiles(name string, replace func(file string) (string, error)) (string, error) {
	list, ok := strings.CutPrefix(name, "search:")
	if !ok {
		return name, nil
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		key, file, _ := strings.Cut(item, "=")
		if key != "book" && key != "eval" || file == "" || key == "eval" && (file == "learned" || file == "hand") {
			continue
		}
		other, err := replace(file)
		if err != nil {
			return "", err
		}
		items[i] = key + "=" + other
	}
	return "search:" + strings.Join(items, ","), nil
}

// Identity returns a text that distinguishes players of the same name: the hashes of the built-in
// weights and of the player's files.
func Identity(name string) (string, error) {
	parts := []string{eval.LearnedSum()}
	_, err := ReplaceFiles(name, func(file string) (string, error) {
		content, err := os.ReadFile(file)
		parts = append(parts, fmt.Sprintf("%x", sha256.Sum256(content))[:16])
		return file, err
	})
	return strings.Join(parts, ", "), err
}
