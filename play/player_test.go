package play

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// turnAt returns the turn of a position and roll, as a game would ask it.
func turnAt(t *testing.T, text string, roll int) *Turn {
	t.Helper()
	p, err := board.Finkel().ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return &Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
}

// choice returns the notation of the move that a player makes.
func choice(t *testing.T, p Player, turn *Turn) string {
	t.Helper()
	instance, err := p.New(engine.Oracle())
	if err != nil {
		t.Fatal(err)
	}
	i, err := instance.Choose(context.Background(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return board.Finkel().Notation(turn.Side(), turn.Moves[i])
}

func TestChoices(t *testing.T) {
	tests := []struct {
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
	}
	for _, test := range tests {
		turn := turnAt(t, test.position, test.roll)
		if got := choice(t, First, turn); got != test.first {
			t.Errorf("%s: first plays %s, want %s", test.name, got, test.first)
		}
		if got := choice(t, Greedy, turn); got != test.greedy {
			t.Errorf("%s: greedy plays %s, want %s", test.name, got, test.greedy)
		}
	}
}

// A random player draws every move equally often, whatever the turn differs in.
func TestRandomIsUniform(t *testing.T) {
	const draws = 30_000
	position := "4:.L..L...L.....:0 7:..............:0 L"
	vary := map[string]func(turn *Turn, n int){
		"seed": func(turn *Turn, n int) { turn.Seed = uint64(n) },
		"game": func(turn *Turn, n int) { turn.Game = uint64(n) },
		"turn": func(turn *Turn, n int) { turn.Number = n },
	}
	random := sit(t, Random, Random)[0]
	for name, set := range vary {
		turn := turnAt(t, position, 1)
		counts := make([]int, len(turn.Moves))
		for n := range draws {
			set(turn, n)
			i, err := random.Choose(context.Background(), turn)
			if err != nil {
				t.Fatal(err)
			}
			counts[i]++
		}
		for i, n := range counts {
			mean := draws / len(counts)
			if n < mean*95/100 || n > mean*105/100 { // 5 % is 5 standard deviations and more
				t.Errorf("by %s: move %d drawn %d times of %d, want about %d", name, i, n, draws, mean)
			}
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
	if same < 180 || same > 320 {
		t.Errorf("the sides chose the same of four moves %d times of 1000, want about 250", same)
	}
}

func TestParsePlayer(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.txt")
	text, err := ur.DefaultBrain().MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad.txt")
	for file, text := range map[string]string{good: string(text), bad: "// a brain\n1 2 x\n"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, spec := range []string{"brain", "brain:classic", "greedy", "first", "random", "tree", "greedy:tree", "perfect", "net", "net@2", "brain:" + good} {
		p, err := ParsePlayer(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if p.Spec != spec {
			t.Errorf("%s: the player's name is %q", spec, p.Spec)
		}
	}
	failures := map[string]string{
		"":                              `unknown player "" (want one of human, brain, brain:classic, brain:FILE, net, net:FILE, net@PLIES, net:FILE@PLIES, perfect, perfect:FILE, level:N, greedy, `,
		"Brain":                         "want one of",
		"human":                         `"ur play"`,
		"random:1":                      `unknown player "random:1"`,
		"greedy@2":                      `unknown player "greedy@2"`,
		"net@9":                         `want a number from 1 to`,
		"net@x":                         `want a number from 1 to`,
		"net:":                          "net:FILE",
		"net:" + bad:                    bad + " is not a network",
		"brain:":                        "brain:FILE",
		"brain:" + bad:                  bad + ":2: ",
		"brain:" + good + ".none":       "no such file",
		"brain:" + filepath.Dir(good):   "is a directory",
		"brain:" + bad + "\x00nonsense": "invalid",
	}
	for spec, want := range failures {
		if _, err := ParsePlayer(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", spec, err, want)
		}
	}
}
