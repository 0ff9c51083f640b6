package game

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// topLevel is the level that plays perfectly.
var topLevel = fmt.Sprintf("level:%d", play.MaxLevel)

// aliases are second names of players, which a page does not offer.
var aliases = map[string]bool{"tree": true}

// strengths describe the levels.
var strengths = [play.MaxLevel + 1]string{"", "a beginner", "a novice", "learning", "casual", "steady", "good", "strong", "very strong", "an expert", "perfect play"}

// titles are the names in words of players without a parameter.
var titles = map[string]string{
	session.Person: "Person", "brain": "Built-in brain", "brain:classic": "Hand-set brain", "perfect": "Perfect play",
	"net": "Built-in net, 1 ply", "greedy": "Greedy", "greedy:linear": "Greedy, linear values of squares",
	"greedy:tree": "Greedy, trained values of squares", "tree": "Greedy, trained values of squares",
	"first": "First legal move", "random": "Random moves",
}

// titleOf returns the name of a player in words.
func titleOf(spec string) string {
	if title, ok := titles[spec]; ok {
		return title
	}
	kind, rest, _ := strings.Cut(spec, ":")
	var n int
	switch _, err := fmt.Sscanf(spec, "level:%d", &n); {
	case err == nil && n >= 1 && n <= play.MaxLevel:
		return fmt.Sprintf("Level %d, %s", n, strengths[n])
	case strings.HasPrefix(spec, "net@"):
		return fmt.Sprintf("Built-in net, %s plies", strings.TrimPrefix(spec, "net@"))
	case strings.HasPrefix(rest, "depth="):
		return fmt.Sprintf("Search, %s plies deep", strings.TrimPrefix(rest, "depth="))
	case strings.HasPrefix(rest, "time="):
		return fmt.Sprintf("Search, %s a move", strings.TrimPrefix(rest, "time="))
	case kind == "brain" || kind == "net":
		return fmt.Sprintf("%s%s %s", strings.ToUpper(kind[:1]), kind[1:], rest)
	case kind == "perfect":
		return "Table " + rest
	}
	return spec
}

// helpOn is the description of a player on a page. The help of the commands does not fit: it
// covers all names of a pattern at once and mentions keyboards, files and the cache.
func helpOn(kind, spec, help string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(spec, kind), ":@")
	switch {
	case kind == "human":
		return "you, or a person beside you"
	case kind == "level":
		return fmt.Sprintf("of strength %s of %d", rest, play.MaxLevel)
	case kind == "perfect":
		return "makes the best move by the exact solution"
	case kind == "net" && rest != "":
		return fmt.Sprintf("the value network, searching %s plies", rest)
	case kind == "greedy" && rest != "":
		return "prefers moves by the values of the squares"
	}
	return help
}

// exactPieces returns the number of pieces of the largest game with an exact solution here: by
// a table, or solved on demand.
func exactPieces() int {
	for pieces := board.MaxPieces; pieces > solve.QuickPieces; pieces-- {
		if _, err := play.DefaultTables().Find(pieces); err == nil {
			return pieces
		}
	}
	return solve.QuickPieces
}

// withoutFolder replaces errors about the tables of this machine by ones without its folders,
// which are of no use to a client.
func withoutFolder(err error) error {
	missing, ok := errors.AsType[*solve.MissingTableError](err)
	switch {
	case ok && missing.Rules != "":
		return fmt.Errorf("perfect play under the rule set %q, and judging its games without a built-in net, needs the table of their solution, which is not loaded here (want another player)", missing.Rules)
	case ok:
		return fmt.Errorf("perfect play with %d pieces needs the table of the complete solution, which is not loaded here (want at most %d pieces, or another player)",
			missing.Pieces, solve.QuickPieces)
	}
	folder := play.DefaultTables().Folder
	if err == nil || folder == "" || !strings.Contains(err.Error(), folder) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), folder, "the folder of tables"))
}

// checkName rejects a name in the form of a player that cannot exist, such as a level that
// there is not. Other unknown names are those of people and programs elsewhere: their games can
// be viewed.
func checkName(name string) error {
	kind, known := play.KindOf(name)
	if !known || name == session.Person || offered(name) {
		return nil
	}
	if kind.Name == "level" || !strings.ContainsAny(name, ":") && !strings.Contains(name, "@sha256") {
		return unknownPlayer(name)
	}
	return nil
}

// unknownPlayer is the error for a player that is not available.
func unknownPlayer(name string) error {
	return fmt.Errorf("no player %q here (want human, level:1 to level:%d, net, brain, greedy, random or another of the list)", clip(name), play.MaxLevel)
}
