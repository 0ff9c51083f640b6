package train

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// gameList is a number of games, as the score for a part of a round.
type gameList []Game

func (l gameList) Plus(more gameList) gameList { return append(l, more...) }
func (l gameList) FinishedGames() int64        { return int64(len(l)) }
func (l gameList) PairResults() rating.Pairs   { return rating.Pairs{2: int64(len(l) / 2)} }

// MarshalText returns a game as a log holds it: the numbers for its first teaching and its first solved
// position, the values between them, the scores from there on, and the moves.
func (g Game) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d %d %s %s %s", g.From, g.Exact, numbers(g.Values), numbers(g.Scores), g.record().Text()), nil
}

// numbers joins numbers by commas; "-" is none.
func numbers(list []int8) string {
	return cmp.Or(strings.Join(text.List(list, func(n int8) string { return strconv.Itoa(int(n)) }), ","), "-")
}

// parseNumbers reads n scores from -64 to 64.
func parseNumbers(text string, n int) ([]int8, error) {
	var list []int8
	if text != "-" {
		for text := range strings.SplitSeq(text, ",") {
			score, err := strconv.Atoi(text)
			if err != nil || score < -64 || score > 64 {
				return nil, fmt.Errorf("score %q (want -64 to 64)", text)
			}
			list = append(list, int8(score))
		}
	}
	if len(list) != n {
		return nil, fmt.Errorf("%d scores (want %d)", len(list), n)
	}
	return list, nil
}

// UnmarshalText reads what MarshalText writes, and checks the game.
func (g *Game) UnmarshalText(text []byte) error {
	f := strings.Fields(string(text))
	if len(f) != 5 {
		return fmt.Errorf("%d fields (want the first position that teaches, the first solved one, values, scores and moves)", len(f))
	}
	r, err := board.ParseRecord(board.StartPosition(), f[4])
	if err != nil {
		return err
	}
	g.Moves = r.Moves
	if g.From, err = strconv.Atoi(f[0]); err != nil || g.From < 0 || g.From > len(g.Moves) {
		return fmt.Errorf("first position that teaches: %q (want 0 to %d)", f[0], len(g.Moves))
	}
	if g.Exact, err = strconv.Atoi(f[1]); err != nil || g.Exact < g.From || g.Exact > len(g.Moves) {
		return fmt.Errorf("first solved position: %q (want %d to %d)", f[1], g.From, len(g.Moves))
	}
	if f[2] != "-" {
		if g.Values, err = parseNumbers(f[2], g.Exact-g.From); err != nil {
			return fmt.Errorf("values: %w", err)
		}
	}
	if g.Scores, err = parseNumbers(f[3], len(g.Moves)+1-g.Exact); err != nil {
		return fmt.Errorf("scores: %w", err)
	}
	end := r.End()
	if last := g.score(len(g.Moves)); !end.Over() || end.ValueFor(board.Black, end.Score()) != last {
		return fmt.Errorf("the moves do not end the game with a score of %d", last)
	}
	return nil
}
