package reversi

import "time"

// Share returns the part of a side's remaining time to spend on a move, for a number of empty
// squares: the moves that decide a game are in its middle, and the last ones are solved at
// once.
func Share(left time.Duration, empties int) time.Duration {
	moves := max(1, (empties-8)/2)
	share := left / time.Duration(moves+1)
	return max(time.Millisecond, min(share, left/2))
}
