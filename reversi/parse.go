package reversi

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Levels is how many levels of strength there are, from 1.
const Levels = 10

// levels are the search depths and how many squares are empty when the game is solved.
var levels = [Levels]struct{ depth, exact int }{
	{1, 2}, {2, 6}, {3, 8}, {4, 10}, {5, 12}, {6, 14}, {8, 16}, {10, 18}, {12, 20}, {14, 22},
}

// Env opens the players' files. Its functions are nil where players may name no files.
type Env struct {
	OpenBook    func(file string) (Book, error)
	Shipped     func() (Book, error) // the book of searches with a time
	OpenWeights func(file string) (*eval.Weights, error)
}

// open opens a player's file.
func open[T any](by func(file string) (T, error), file string) (opened T, err error) {
	if by == nil {
		return opened, errors.New("files are not allowed here")
	}
	return by(file)
}

// kinds are the kinds of players. A new player is a line here.
var kinds = match.Kinds[Player, Env]{
	{
		Name: "human", Patterns: []match.Pattern{{Text: "human", Help: `a person at the terminal, in "reversi play" only`}},
		Parse: func(Env, string, string) (Player, error) {
			return nil, errors.New(`player "human" needs a person at the keyboard (want a program here)`)
		},
	},
	{
		Name: "random", Patterns: []match.Pattern{{Text: "random", Help: "any legal move"}},
		Parse: func(_ Env, _, rest string) (Player, error) {
			p := new(random)
			p.NewGame(0)
			return only(p, rest)
		},
	},
	{
		Name: "greedy", Patterns: []match.Pattern{{Text: "greedy", Help: "as many discs as it can turn over"}},
		Parse: func(_ Env, _, rest string) (Player, error) { return only(greedy{}, rest) },
	},
	{
		Name: "hand", Patterns: []match.Pattern{{Text: "hand", Help: "level:6 with the evaluation that was set by hand"}},
		Parse: func(_ Env, name, rest string) (Player, error) {
			p, err := NewThinker(Settings{Name: name, Depth: levels[5].depth, Exact: levels[5].exact})
			if err != nil {
				return nil, err
			}
			return only(p, rest)
		},
	},
	{
		Name: "level",
		Patterns: []match.Pattern{{
			Text: "level:N", Names: levelNames(),
			Help: fmt.Sprintf("looks 1 to 14 plies ahead, and to the end from 2 to 22 empty squares: level:1 to level:%d", Levels),
		}},
		Parse: parseLevel,
	},
	{
		Name: "search",
		Patterns: []match.Pattern{{
			Text: "search:KEY=VALUE,...", Names: []string{"search:time=50ms", "search:depth=8"},
			Help: "depth=8 or time=50ms or both; exact=18 (with a depth, solve from so many empty squares; default 16); " +
				"threads=2; book=FILE of openings, or book=none (with a time, the program's own is the default); eval=learned, eval=hand, or eval=FILE of weights; " +
				"without=probcut, or without other techniques, joined by +: " + strings.Join(engine.Techniques(), ", "),
		}},
		Files: searchFiles, Parse: parseSearch,
	},
	{
		Name: "mcts",
		Patterns: []match.Pattern{{
			Text: "mcts:KEY=VALUE,...", Names: []string{"mcts:games=1000"},
			Help: "Monte Carlo tree search (UCT): games=1000 or time=50ms or both; leaf=learned, leaf=hand or leaf=FILE of weights " +
				"instead of random games; c=1.4, the constant of exploration",
		}},
		Files: searchFiles, Parse: parseMCTS,
	},
}

// Kinds returns the kinds of players.
func Kinds() match.Kinds[Player, Env] { return kinds }

// ParsePlayer makes a player from its name.
func ParsePlayer(name string, env Env) (Player, error) { return kinds.Parse(env, name) }

// only returns the player of a kind whose specs are just its name.
func only(p Player, rest string) (Player, error) {
	if rest != "" {
		return nil, match.ErrSpec
	}
	return p, nil
}

func levelNames() (names []string) {
	for n := range Levels {
		names = append(names, fmt.Sprintf("level:%d", n+1))
	}
	return names
}

func parseLevel(_ Env, name, _ string) (Player, error) {
	n := slices.Index(levelNames(), name)
	if n < 0 {
		return nil, fmt.Errorf("player %q: unknown level (want level:1 to level:%d)", name, Levels)
	}
	w, err := eval.Learned()
	if err != nil {
		return nil, err
	}
	return NewThinker(Settings{Name: name, Weights: w, Depth: levels[n].depth, Exact: levels[n].exact})
}

// parseSearch reads a searching player's keys and values. With a depth it solves from 16 empty
// squares by default; with only a time it searches to the end as soon as its time allows.
func parseSearch(env Env, name, rest string) (Player, error) {
	s := Settings{Name: name, Exact: 16}
	weights, book := "learned", ""
	const want = "want search:KEY=VALUE,... with depth, time, exact, threads, eval, book or without"
	err := match.ParseOptions(name, rest, want, func(key, value string) (err error) {
		switch key {
		case "depth":
			s.Depth, err = parseNumber(value, 1, 60)
		case "time":
			s.Time, err = parseTime(value)
		case "exact":
			s.Exact, err = parseNumber(value, 0, 60)
		case "threads":
			s.Threads, err = parseNumber(value, 1, math.MaxInt)
		case "without":
			if s.Without, err = engine.ParseTechniques(value); s.Without == 0 && err == nil {
				err = errors.New("no technique (want " + strings.Join(engine.Techniques(), ", ") + ")")
			}
		case "book":
			if book = value; value != noBook {
				s.Book, err = open(env.OpenBook, value)
			}
		case "eval":
			if weights = value; !isBuiltIn(value) {
				s.Weights, err = open(env.OpenWeights, value)
			}
		default:
			err = match.ErrSpec
		}
		return err
	})
	if err == nil && book == "" && s.Time > 0 && env.Shipped != nil {
		s.Book, err = env.Shipped()
	}
	if err == nil && weights == "learned" {
		s.Weights, err = eval.Learned()
	}
	if err != nil {
		return nil, err
	}
	return NewThinker(s)
}

// parseNumber reads a number from least to most; [math.MaxInt] is no bound.
func parseNumber(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err == nil && least <= n && n <= most:
		return n, nil
	case most == math.MaxInt:
		return 0, fmt.Errorf("is %q (want %d or more)", text, least)
	}
	return 0, fmt.Errorf("is %q (want %d to %d)", text, least, most)
}

// parseTime reads a time limit.
func parseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("is %q (want a time as in 100ms or 2s)", text)
	}
	return d, nil
}

// noBook switches off the book.
const noBook = "none"

// isBuiltIn reports whether weights are not in a file.
func isBuiltIn(weights string) bool { return weights == "learned" || weights == "hand" }

// searchFiles replaces the files of a search.
func searchFiles(rest string, replace func(name string) string) string {
	return match.ReplaceOptions(rest, func(key, value string) string {
		if value != "" && (key == "book" && value != noBook || (key == "eval" || key == "leaf") && !isBuiltIn(value)) {
			return replace(value)
		}
		return value
	})
}

// Identity returns a text that distinguishes players with the same name: hashes over the built-in
// weights and the player's files.
func Identity(name string) (string, error) {
	parts := []string{eval.LearnedSum()}
	_, err := kinds.ReplaceFiles(name, func(file string) (string, error) {
		content, err := os.ReadFile(file)
		parts = append(parts, fmt.Sprintf("%x", sha256.Sum256(content))[:16])
		return file, err
	})
	return strings.Join(parts, ", "), err
}
