package game

import (
	"slices"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// Puzzles is the list of the built-in puzzles.
type Puzzles struct {
	Schema  string   `json:"schema"`  // ur.web-puzzles/1
	Puzzles []Puzzle `json:"puzzles"` // in the order of their numbers
}

// Puzzle is a position and a roll, with the values of the moves by the exact solution.
type Puzzle struct {
	Number int    `json:"number"` // from 1
	Title  string `json:"title"`  // its theme; it may reveal the answer
	Board  []int  `json:"board"`  // 33 numbers
	Side   string `json:"side"`   // to move
	Roll   int    `json:"roll"`   // 1 to 4
	Moves  []Hint `json:"moves"`  // in the order of the moves
}

// puzzles returns the built-in puzzles.
func puzzles() (any, error) {
	all, err := puzzle.All()
	if err != nil {
		return nil, err
	}
	list := Puzzles{Schema: "ur.web-puzzles/1", Puzzles: []Puzzle{}}
	for _, p := range all {
		turn, err := p.Turn()
		if err != nil {
			return nil, err
		}
		numbers, side := turn.Position.Numbers(), turn.Side()
		shown := Puzzle{Number: p.Number, Title: p.Title(), Board: slices.Clone(numbers[:]), Side: side.String(), Roll: p.Roll}
		for i, m := range turn.Moves {
			value := p.Moves[i]
			shown.Moves = append(shown.Moves, Hint{Move: move(rules.Finkel(), m, side), Win: value.Win, Regret: value.Regret, Mark: analysis.Mark(value.Regret)})
		}
		list.Puzzles = append(list.Puzzles, shown)
	}
	return list, nil
}
