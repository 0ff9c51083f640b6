package reversi

import (
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// openings are names of openings, as in Robert Gatliff's and Matthias Berg's lists
// (http://www.samsoft.org.uk/reversi/openings.htm).
var openings = []struct{ moves, name string }{
	{"c4c3", "Diagonal"}, {"c4c5", "Parallel"}, {"c4e3", "Perpendicular"},
	{"c4c3d3c5b2", "X-square"}, {"c4c3d3c5b3", "Snake, Peasant"}, {"c4c3d3c5b3f3", "Lysons"},
	{"c4c3d3c5b3f4b5b4c6d6f5", "Pyramid, Checkerboarding Peasant"}, {"c4c3d3c5b4", "Heath, Tobidashi"},
	{"c4c3d3c5b4d2c2f4d6c6f5e6f7", "Mimura Variation II"}, {"c4c3d3c5b4d2d6", "Heath-Bat"},
	{"c4c3d3c5b4d2e2", "Iwasaki Variation"}, {"c4c3d3c5b4e3", "Heath-Chimney"}, {"c4c3d3c5b5", "Raccoon Dog"},
	{"c4c3d3c5b6", "Rocket"}, {"c4c3d3c5b6c6b5", "Hamilton"}, {"c4c3d3c5b6e3", "Lollipop"},
	{"c4c3d3c5d6", "Cow"}, {"c4c3d3c5d6e3", "Chimney"}, {"c4c3d3c5d6f4b4", "Cow Bat, Cambridge"},
	{"c4c3d3c5d6f4b4b6b5c6b3", "Bat (Piau Continuation 2)"},
	{"c4c3d3c5d6f4b4b6b5c6f5", "Melnikov, Bat (Piau Continuation 1)"},
	{"c4c3d3c5d6f4b4c6b5b3b6e3c2a4a5a6d2", "Bat (Kling Continuation)"},
	{"c4c3d3c5d6f4b4e3b3", "Bat (Kling Alternative)"}, {"c4c3d3c5d6f4f5", "Rose-v-Toth"},
	{"c4c3d3c5d6f4f5d2", "Tanida"}, {"c4c3d3c5d6f4f5d2b5", "Aircraft, Feldborg"},
	{"c4c3d3c5d6f4f5d2g4d7", "Sailboat"}, {"c4c3d3c5d6f4f5e6c6d7", "Maruoka"}, {"c4c3d3c5d6f4f5e6f6", "Landau"},
	{"c4c3d3c5f6", "Buffalo, Kenichi Variation"}, {"c4c3d3c5f6e2c6", "Maruoka Buffalo"},
	{"c4c3d3c5f6e3c6f5f4g5", "Tanida Buffalo"}, {"c4c3d3c5f6f5", "Hokuriku Buffalo"},
	{"c4c3e6c5", "Wing Variation"}, {"c4c3f5c5", "Semi-Wing Variation"},
	{"c4e3f4c5d6e6", "Mimura"}, {"c4e3f4c5d6f3c6", "Shaman, Danish"}, {"c4e3f4c5d6f3d3", "Inoue"},
	{"c4e3f4c5d6f3d3c3", "Iago"}, {"c4e3f4c5d6f3e2", "Bhagat"}, {"c4e3f4c5d6f3e6c3d3e2", "Rose"},
	{"c4e3f4c5d6f3e6c3d3e2b5", "Flat"}, {"c4e3f4c5d6f3e6c3d3e2b5f5", "Rotating Flat"},
	{"c4e3f4c5d6f3e6c3d3e2b5f5b3", "Murakami Variation"},
	{"c4e3f4c5d6f3e6c3d3e2b5f5b4f6c2e7d2c7", "Rotating Flat (Kling Continuation)"},
	{"c4e3f4c5d6f3e6c3d3e2b6f5", "Rose-Birth"}, {"c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7", "Brightstein"},
	{"c4e3f4c5d6f3e6c3d3e2b6f5g5", "Rose-Birdie, Rose-Tamenori"},
	{"c4e3f4c5d6f3e6c3d3e2b6f5g5f6", "Rose-Tamenori-Kling"}, {"c4e3f4c5d6f3e6c3d3e2d2", "Greenberg, Dawg"},
	{"c4e3f4c5d6f3e6c6", "Ralle"}, {"c4e3f4c5e6", "Horse"}, {"c4e3f5b4", "Ganglion, No-Cat"},
	{"c4e3f5b4f3", "Swallow"}, {"c4e3f5b4f3f4e2e6g5f6d6c6", "No-Cat (Continuation)"}, {"c4e3f5e6d3", "Italian"},
	{"c4e3f5e6f4", "Cat"}, {"c4e3f5e6f4c5d6c6f7f3", "Sakaguchi"}, {"c4e3f5e6f4c5d6c6f7g5g6", "Berner"},
	{"c4e3f6b4", "Bent Ganglion"}, {"c4e3f6e6f5", "Tiger"}, {"c4e3f6e6f5c5c3", "Stephenson"},
	{"c4e3f6e6f5c5c3b4", "No-Kung"}, {"c4e3f6e6f5c5c3b4d6c6b5a6b6c7", "No-Kung (Continuation)"},
	{"c4e3f6e6f5c5c3c6", "Comp'Oth"}, {"c4e3f6e6f5c5c3c6d3d2e2b3c1c2b4a3a5b5a6a4a2", "F.A.T. Draw"},
	{"c4e3f6e6f5c5c3c6d6", "Lightning Bolt"}, {"c4e3f6e6f5c5c3g5", "Kung"}, {"c4e3f6e6f5c5d3", "Leader's Tiger"},
	{"c4e3f6e6f5c5d6", "Brightwell"}, {"c4e3f6e6f5c5f4g5g4f3c6d3d6", "Ishii"},
	{"c4e3f6e6f5c5f4g5g4f3c6d3d6b3c3b4e2b6", "Mainline Tiger"}, {"c4e3f6e6f5c5f4g6f7", "Rose-Bill"},
	{"c4e3f6e6f5c5f4g6f7d3", "Tamenori"}, {"c4e3f6e6f5c5f4g6f7g5", "Central Rose-Bill, Dead Draw"},
	{"c4e3f6e6f5g6", "Aubrey, Tanaka"}, {"c4e3f6e6f5g6e7c5", "Aubrey (Feldborg Continuation)"},
}

// openingNames are the names by canonical boards: other orders of the same moves and symmetric
// games have the same names.
var openingNames = sync.OnceValue(func() map[board.Board]string {
	names := map[board.Board]string{}
	for _, o := range openings {
		if r, err := board.ParseRecord(board.StartPosition(), o.moves); err == nil {
			canonical, _ := r.End().Canonical()
			names[canonical] = o.name
		}
	}
	return names
})

// Opening returns the name of the last opening that a game went through, or "".
func Opening(r board.Record) (name string) {
	for i, p := range r.Positions() {
		canonical, _ := p.Canonical()
		if n := openingNames()[canonical]; n != "" && i > 0 {
			name = n
		}
	}
	return name
}
