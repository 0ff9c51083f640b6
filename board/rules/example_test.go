package rules_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board/rules"
)

// A built-in rule set has the moves, the dice and the notation of its games.
func ExampleLookup() {
	r, err := rules.Lookup("blitz")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := r.Start()
	for _, m := range r.Moves(nil, p, 4) {
		fmt.Println(r.Notation(p.Turn(), m), r.RollsAgain(m))
		p = r.Apply(p, m)
	}
	fmt.Println(r.FormatPosition(p))
	// Output:
	// in-A1* true
	// 4:...L............:0 5:................:0 L
}

// A rule set of your own is a value in JSON.
func ExampleParse() {
	r, err := rules.Parse([]byte(`{
		"name": "short", "board": ["###", "###", "###"],
		"light": ["A2", "A1", "B1", "B2", "B3", "A3"], "rosettes": ["B2"],
		"pieces": 2, "dice": [1, 2, 1],
		"safe_rosettes": false, "roll_after_rosette": true, "roll_after_capture": true
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Name(), r.Pieces(), r.Squares(), r.MaxRoll(), r.Probability(1))
	// Output: short 2 6 2 0.5
}
