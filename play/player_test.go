package play

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// turnAt returns the turn of a position and roll, as a game would ask it.
func turnAt(t *testing.T, text string, roll int) *Turn {
	t.Helper()
	p := testkit.Must(board.Finkel().ParsePosition(text))(t)
	return &Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
}

// choice returns the notation of the move that a player makes.
func choice(t *testing.T, p Player, turn *Turn) string {
	t.Helper()
	instance := testkit.Must(p.New(engine.Oracle()))(t)
	i := testkit.Must(instance.Choose(context.Background(), turn))(t)
	return board.Finkel().Notation(turn.Side(), turn.Moves[i])
}

func TestChoices(t *testing.T) {
	for _, test := range []struct {
		name, position string
		roll           int
		first, greedy  string
	}{
		{"one move", "7:..............:0 7:..............:0 L", 2, "in-A3", "in-A3"},
		{"most advanced piece", "5:.L...L........:0 7:..............:0 L", 1, "in-A4", "B2-B3"},
		{"rosette before progress", "5:..L......L....:0 7:..............:0 L", 1, "in-A4", "A2-A1*"},
		{"the more advanced rosette", "4:..L...L...L...:0 7:..............:0 L", 1, "in-A4", "B3-B4*"},
		{"capture before rosette", "5:...L..L.......:0 6:....D.........:0 L", 1, "in-A4", "A1-B1x"},
		{"capture of the most advanced", "4:...L....L.L...:0 5:....D....D....:0 L", 1, "in-A4", "B5-B6x"},
		{"home is progress", "5:..........L..L:0 7:..............:0 L", 1, "in-A4", "A7-home"},
		{"dark reads the other column", "6:....L.........:0 5:..DD..........:0 D", 1, "in-C4", "C1-B1x"},
	} {
		turn := turnAt(t, test.position, test.roll)
		testkit.Equal(t, choice(t, First, turn), test.first, "%s: first", test.name)
		testkit.Equal(t, choice(t, Greedy, turn), test.greedy, "%s: greedy", test.name)
	}
}

// A random player draws every move equally often, whatever the turn differs in.
func TestRandomIsUniform(t *testing.T) {
	const draws = 30_000
	position := "4:.L..L...L.....:0 7:..............:0 L"
	random := sit(t, Random, Random)[0]
	for name, set := range map[string]func(turn *Turn, n int){
		"seed": func(turn *Turn, n int) { turn.Seed = uint64(n) },
		"game": func(turn *Turn, n int) { turn.Game = uint64(n) },
		"turn": func(turn *Turn, n int) { turn.Number = n },
	} {
		turn := turnAt(t, position, 1)
		counts := make([]int, len(turn.Moves))
		for n := range draws {
			set(turn, n)
			counts[testkit.Must(random.Choose(context.Background(), turn))(t)]++
		}
		for i, n := range counts {
			mean := draws / float64(len(counts)) // 5 % of it is 5 standard deviations and more
			testkit.Near(t, float64(n), mean, mean/20, "by %s: draws of move %d in %d", name, i, draws)
		}
	}
}

// The two sides must not share their random numbers: in the same turn of a mirrored
// position they often choose differently.
func TestRandomSidesDiffer(t *testing.T) {
	light := turnAt(t, "4:.L..L...L.....:0 7:..............:0 L", 1)
	dark := turnAt(t, board.Finkel().FormatPosition(light.Position.Mirror()), 1)
	same := 0
	for turn := range 1000 {
		light.Number, dark.Number = turn, turn
		if choice(t, Random, light)[:2] == strings.Replace(choice(t, Random, dark), "C", "A", 1)[:2] {
			same++
		}
	}
	testkit.Near(t, float64(same), 250, 70, "choices of the same of four moves in 1000 turns")
}

func TestParsePlayer(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.txt")
	text := testkit.Must(ur.DefaultBrain().MarshalText())(t)
	bad := filepath.Join(dir, "bad.txt")
	testkit.WriteText(t, good, string(text))
	testkit.WriteText(t, bad, "// a brain\n1 2 x\n")
	for _, spec := range []string{"brain", "brain:classic", "greedy", "first", "random", "tree",
		"greedy:tree", "perfect", "net", "net@2", "brain:" + good, "search:depth=1", "search:time=10ms",
		"search:time=100ms,leaf=net", "search:nodes=1000,threads=1", "search:depth=2,algorithm=star1,memory=64KB"} {
		parse(t, spec)
	}
	names := strings.NewReplacer("BAD", bad, "GOOD", good, "FOLDER", dir)
	for _, row := range testkit.Rows(t, "testdata/refused.txt", 2) {
		spec, want := names.Replace(row[0]), names.Replace(row[1])
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(spec)), want, "%q", spec)
	}
	testkit.WantError(t, testkit.ErrorOf(ParsePlayer("brain:"+bad+"\x00nonsense")), "invalid", "a zero byte")
}

// custom is a rule set of no other program: rolls of two digits, ten pieces and a short path.
const custom = `{"name": "mine", "board": ["###", "###", "###"], "light": ["A2", "A1", "B1", "B2", "B3", "A3"],
	"rosettes": ["A1", "C1", "B2"], "pieces": 3, "dice": [1, 2, 1],
	"safe_rosettes": true, "roll_after_rosette": true, "roll_after_capture": false}`

// otherRuleSets are the built-in rule sets but Finkel's, and a custom one.
func otherRuleSets(t *testing.T) []*board.Rules {
	t.Helper()
	return append(board.List()[1:], testkit.Must(board.Parse([]byte(custom)))(t))
}

// playersFor parses players for a rule set.
func playersFor(t *testing.T, r *board.Rules, specs ...string) (players []Player) {
	t.Helper()
	for _, spec := range specs {
		players = append(players, testkit.Must(ParsePlayerFor(r, spec))(t))
	}
	return players
}

// A match under any rules has the same score on any number of threads, recorded or not.
func TestMatchUnderRules(t *testing.T) {
	for _, r := range otherRuleSets(t) {
		players := playersFor(t, r, "greedy", "random")
		c := MatchConfig{Players: players, Rules: r, Games: 41, Seed: 3, Parallel: 1}
		want := testkit.Must(Match(context.Background(), c))(t)
		c.Parallel = 3
		got, games := playRecorded(t, c)
		testkit.Equal(t, got, want.Score, "%s: the score on three threads", r.Name())
		testkit.MustEqual(t, len(games), c.Games, "%s: records", r.Name())
		turns := int64(0)
		for _, g := range games {
			turns += int64(len(g.Turns))
		}
		testkit.Equal(t, turns, want.Tally.Turns, "%s: recorded turns", r.Name())
	}
}

func TestPlayersOfOtherRules(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	for _, spec := range []string{"brain", "tree", "greedy:linear"} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayerFor(blitz, spec)), `plays Finkel's rules only, not "blitz"`,
			"%s", spec)
		brain := testkit.Must(ParsePlayerFor(board.Finkel(), spec))(t)
		err := MatchConfig{Players: []Player{brain, First}, Rules: blitz, Games: 1}.Check()
		testkit.WantError(t, err, "Finkel's rules only", "%s sits down at blitz", spec)
	}
	testkit.WantError(t, (MatchConfig{Players: []Player{First, First}, Rules: blitz, Pieces: 11, Games: 1}).Check(), "",
		"11 pieces")
}

// The built-in net of a rule set plays as the search of one ply with its values, and so does the
// table of a small game.
func TestSearchFollowsItsLeaf(t *testing.T) {
	blitz := testkit.Must(testkit.Must(board.Lookup("blitz"))(t).WithPieces(2))(t)
	values := testkit.Must(solve.Solve(t.Context(), blitz, solve.Options{}))(t)
	file := filepath.Join(t.TempDir(), "blitz.urt")
	testkit.NoError(t, values.Write(t.Context(), file, solve.WriteOptions{}))
	for _, pair := range [][2]string{
		{"net", "search:depth=1,leaf=net"},
		{"perfect:" + file, "search:depth=1,leaf=perfect:" + file},
	} {
		players := playersFor(t, blitz, append(pair[:], "random")...)
		var scores [2]Score
		for i := range scores {
			c := MatchConfig{Players: []Player{players[i], players[2]}, Rules: blitz, Games: 20}
			scores[i] = testkit.Must(Match(t.Context(), c))(t).Score
		}
		testkit.Equal(t, scores[0], scores[1], "scores of %s and %s", pair[0], pair[1])
	}
	stats := testkit.Must(Regret(t.Context(), playersFor(t, blitz, "perfect:"+file)[0], values, nil,
		solve.DecisionOptions{Decisions: 200}))(t)
	testkit.Near(t, stats.Mean, 0, 0.001, "the regret of perfect play by the file")
}

func TestLevelsUnderRules(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	players := playersFor(t, blitz, "level:9", "level:2")
	r := testkit.Must(Match(t.Context(), MatchConfig{Players: players, Rules: blitz, Games: 100}))(t)
	testkit.ErrorIf(t, r.Wins[0] < 60, "level 9 wins only %d of 100 games against level 2", r.Wins[0])
	mine := otherRuleSets(t)[len(board.List())-1]
	for _, spec := range []string{"level:3", "net", "search:depth=1,leaf=net"} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayerFor(mine, spec)), `no built-in net of the rule set "mine"`,
			"%s of a rule set without a net", spec)
	}
	testkit.WantError(t, (MatchConfig{Players: players, Games: 1}).Check(), "", "levels of blitz play Finkel's rules")
}

// A kind of another module is parsed like those of this one.
func TestRegister(t *testing.T) {
	t.Cleanup(func() { registered.kinds = nil })
	kind := Kind{Name: "fixture", Patterns: []Pattern{{Text: "fixture", Help: "always the last legal move"}},
		Parse: single(Player{Spec: "fixture", New: First.New})}
	testkit.NoError(t, Register(kind))
	parse(t, "fixture")
	for want, k := range map[string]Kind{
		"name \"fixture\" is already registered": kind,
		"name \"brain\" is already registered": {Name: "brain", Patterns: []Pattern{{Text: "brain"}},
			Parse: single(First)},
		"name \"\" is invalid":    {},
		"name \"a:b\" is invalid": {Name: "a:b"},
		"Parse is nil":            {Name: "mine"},
		"Patterns is empty":       {Name: "mine", Parse: single(First)},
		"pattern \"yours\"":       {Name: "mine", Patterns: []Pattern{{Text: "yours"}}, Parse: single(First)},
		"pattern \"mineral\"": {Name: "mine",
			Patterns: []Pattern{{Text: "mine:FILE"}, {Text: "mineral"}}, Parse: single(First)},
	} {
		testkit.WantError(t, Register(k), want, "%+v", k.Name)
	}
	testkit.Equal(t, len(Kinds())-len(builtIn()), 1, "registered kinds")
}

// parse parses a player, which must have its spec as its name.
func parse(t *testing.T, spec string) Player {
	t.Helper()
	p := testkit.Must(ParsePlayer(spec))(t)
	testkit.Equal(t, p.Spec, spec, "the player's name")
	return p
}

// A table emptied before every move finds the same moves by a depth, with more nodes.
func TestFreshTables(t *testing.T) {
	choose := func(spec string) (choices []int, hits uint64) {
		p := testkit.Must(ParsePlayer(spec))(t)
		instance := testkit.Must(p.New(nil))(t).(*Searcher)
		position := board.StartPosition(board.FinkelPieces)
		for n := range 12 {
			turn := &Turn{Rules: board.Finkel(), Position: position, Roll: 1 + n%4}
			turn.Moves = turn.Rules.Moves(nil, position, turn.Roll)
			if len(turn.Moves) == 0 {
				position = position.Pass()
				continue
			}
			n := testkit.Must(instance.Choose(t.Context(), turn))(t)
			choices = append(choices, n)
			position = turn.Rules.Apply(position, turn.Moves[n])
		}
		r := testkit.Must(instance.Search(t.Context(), board.StartPosition(board.FinkelPieces), 1, instance.player.Limits))(t)
		return choices, r.Hits
	}
	kept, hits := choose("search:depth=4")
	fresh, none := choose("search:depth=4,table=fresh")
	testkit.ErrorIf(t, !slices.Equal(kept, fresh), "choices %v with a kept table, %v with a fresh one", kept, fresh)
	testkit.ErrorIf(t, hits <= none, "%d hits in a kept table, %d in a fresh one", hits, none)
	testkit.WantError(t, testkit.ErrorOf(ParsePlayer("search:depth=4,table=old")), "fresh or kept", "unknown table")
}
