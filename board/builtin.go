package board

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// The boards: three columns with eight rows and two gaps, and three columns with twelve.
var (
	urBoard   = []string{"####..##", "########", "####..##"}
	asebBoard = []string{"####........", "############", "####........"}

	urRosettes = []string{"A1", "C1", "B4", "A7", "C7"}

	fourDice  = []int{1, 4, 6, 4, 1} // four two-sided dice
	threeDice = []int{0, 3, 3, 1, 1} // three, where none up counts as 4
)

// definitions are the built-in rule sets, Finkel's first.
var definitions = []Definition{
	{
		Name: "finkel", Title: "Finkel",
		About: "The game as reconstructed by Irving Finkel from a tablet in the British Museum. Seven pieces " +
			"walk 14 squares. A rosette grants another roll, and the one in the middle protects the piece on it.",
		Board: urBoard, Light: strings.Fields("A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 A8 A7"), Rosettes: urRosettes,
		Pieces: 7, Dice: fourDice, SafeRosettes: true, RollAfterRosette: true,
	},
	{
		Name: "blitz", Title: "Blitz",
		About: "A short game of five pieces. The path of 16 squares crosses the opponent's side of the board " +
			"before it returns, so pieces meet on twelve tiles instead of eight. A capture grants another roll, " +
			"as a rosette does, and no tile is safe.",
		Board: urBoard, Light: strings.Fields(mastersPath), Rosettes: urRosettes,
		Pieces: 5, Dice: fourDice, RollAfterRosette: true, RollAfterCapture: true,
	},
	{
		Name: "masters", Title: "Masters",
		About: "Seven pieces on the path of Blitz. Three dice are thrown, and a throw of nothing counts as 4, so " +
			"every roll is 1 to 4. A rosette grants another roll, and no tile is safe.",
		Board: urBoard, Light: strings.Fields(mastersPath), Rosettes: urRosettes,
		Pieces: 7, Dice: threeDice, RollAfterRosette: true,
	},
	{
		Name: "masters4", Title: "Masters with four dice",
		About: "Masters with the four dice of Finkel: a roll is 0 to 4, and 0 passes the turn.",
		Board: urBoard, Light: strings.Fields(mastersPath), Rosettes: urRosettes,
		Pieces: 7, Dice: fourDice, RollAfterRosette: true,
	},
	{
		Name: "aseb", Title: "Aseb",
		About: "The Egyptian game on a board of three columns, the middle one of twelve tiles. Five pieces walk " +
			"16 squares and share the last twelve. A rosette grants another roll and protects the piece on it.",
		Board: asebBoard, Light: strings.Fields("A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12"),
		Rosettes: []string{"A1", "C1", "B4", "B8", "B12"},
		Pieces:   5, Dice: fourDice, SafeRosettes: true, RollAfterRosette: true,
	},
}

const mastersPath = "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 C7 C8 B8 A8 A7"

var finkel = compileRules(definitions[0])

// builtIn compiles the built-in rule sets on first use.
var builtIn = sync.OnceValue(func() []*Rules {
	list := []*Rules{finkel}
	for _, d := range definitions[1:] {
		list = append(list, compileRules(d))
	}
	return list
})

func compileRules(d Definition) *Rules {
	r, err := New(d)
	if err != nil {
		panic(fmt.Sprintf("board: rules %s: %v", d.Name, err))
	}
	return r
}

// List returns the built-in rule sets, Finkel's first.
func List() []*Rules { return slices.Clone(builtIn()) }

// Finkel returns Irving Finkel's rules, the default everywhere.
func Finkel() *Rules { return finkel }

// IsFinkel reports whether the rules are Finkel's, with any number of pieces: engines, brains and
// the 33 numbers are for these only, and files and messages name all others.
func (r *Rules) IsFinkel() bool { return r.Equal(finkel) }

// Names returns the names of all built-in rule sets.
func Names() []string {
	return text.List(definitions, func(d Definition) string { return d.Name })
}

// Lookup returns the built-in rule set with a name.
func Lookup(name string) (*Rules, error) {
	for _, r := range builtIn() {
		if r.Name() == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown rule set %q (want %s)", text.Clip(name), strings.Join(Names(), ", "))
}
