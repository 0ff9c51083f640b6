package ur

import "github.com/seed-09dcdc84/ur/board"

// Tally counts the events of a series of games. It depends only on the games, the brains and
// the number of pieces, not on the engine.
type Tally struct {
	Games    int64    `json:"games"`
	Wins     [2]int64 `json:"wins"`     // by side: Light, Dark
	Turns    int64    `json:"turns"`    // throws of the dice, passes among them
	Moves    int64    `json:"moves"`    // turns in which a piece moved
	Captures int64    `json:"captures"` // moves that captured
	Rosettes int64    `json:"rosettes"` // moves that ended on a rosette
	Passes   int64    `json:"passes"`   // turns without a legal move, a roll of 0 among them
}

// Add adds the counts of u, so a series can be played in parts.
func (t *Tally) Add(u Tally) {
	t.Games += u.Games
	t.Wins[board.Light] += u.Wins[board.Light]
	t.Wins[board.Dark] += u.Wins[board.Dark]
	t.Turns += u.Turns
	t.Moves += u.Moves
	t.Captures += u.Captures
	t.Rosettes += u.Rosettes
	t.Passes += u.Passes
}

// AddMove counts a turn's move. Games, wins, turns and passes are the engine's to count.
func (t *Tally) AddMove(m board.Move) {
	t.Moves++
	if m.Capture {
		t.Captures++
	}
	if board.IsRosette(int(m.To)) {
		t.Rosettes++
	}
}
