package match_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// A schedule lists the pairings of a tournament and rates their scores.
func ExampleSchedule() {
	s := match.Schedule{Players: []string{"a", "b", "c"}, Games: 200, Seed: 1}
	for _, p := range s.Pairings() {
		fmt.Println(s.Players[p.First], s.Players[p.Second], p.Seed)
	}
	sheet, err := s.Rate([]rating.Pairs{{20, 0, 40, 0, 40}, {10, 0, 40, 0, 50}, {30, 0, 40, 0, 30}})
	if err != nil {
		panic(err)
	}
	fmt.Println(sheet.Players[0].Name)
	// Output:
	// a b 1
	// a c 2
	// b c 3
	// a
}
