package reversi

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Score counts how the games between two players ended, as the first player sees it. A forfeited game is lost by
// all discs.
type Score struct {
	Pairs             rating.Pairs
	Wins, Draws, Lost int // games
	Discs             int // sum of the final scores

	Forfeits map[int]int // players, 0 or 1, that lost a game by failing to move, by its index in Games

	// By player: how many moves exceeded their time limit, and the largest excess.
	Overruns   [2]int
	MaxOverrun [2]time.Duration

	Games []board.Record // two of each pair, in order
}

// Plus returns both summed, with s's games first.
func (s Score) Plus(t Score) Score {
	s.Pairs.Add(t.Pairs)
	s.Wins += t.Wins
	s.Draws += t.Draws
	s.Lost += t.Lost
	s.Discs += t.Discs
	for i := range s.Overruns {
		s.Overruns[i] += t.Overruns[i]
		s.MaxOverrun[i] = max(s.MaxOverrun[i], t.MaxOverrun[i])
	}
	if len(t.Forfeits) > 0 {
		s.Forfeits = maps.Clone(s.Forfeits)
		for game, player := range t.Forfeits {
			s.forfeit(len(s.Games)+game, player)
		}
	}
	s.Games = append(s.Games, t.Games...)
	return s
}

// FinishedGames returns how many games are finished.
func (s Score) FinishedGames() int64 { return int64(len(s.Games)) }

// PairResults returns the pairs.
func (s Score) PairResults() rating.Pairs { return s.Pairs }

// Results returns the games won by each player, and the draws.
func (s Score) Results() (wins [2]int64, draws int64) {
	return [2]int64{int64(s.Wins), int64(s.Lost)}, int64(s.Draws)
}

// ForfeitedGames returns the games that each player lost by failing to move.
func (s Score) ForfeitedGames() (games [2]int64) {
	for _, player := range s.Forfeits {
		games[player]++
	}
	return games
}

func (s *Score) forfeit(game, player int) {
	if s.Forfeits == nil {
		s.Forfeits = map[int]int{}
	}
	s.Forfeits[game] = player
}

// noForfeit stands for the player of a game without a forfeit.
const noForfeit = -1

// add counts a pair, with the player that forfeited each game.
func (s *Score) add(games [2]board.Record, forfeits [2]int) {
	half := 0
	for i, g := range games {
		score := ScoreFor(g, board.Side(i))
		if player := forfeits[i]; player != noForfeit {
			score = 64 * (2*player - 1)
			s.forfeit(len(s.Games)+i, player)
		}
		s.Discs += score
		switch {
		case score > 0:
			s.Wins++
			half += 2
		case score == 0:
			s.Draws++
			half++
		default:
			s.Lost++
		}
	}
	s.Pairs[half]++
	s.Games = append(s.Games, games[0], games[1])
}

// countTime counts a player's move if it exceeds its time limit or the clock's rest.
func (s *Score) countTime(player int, spent time.Duration, l Limits) {
	limit := l.Time
	if left := l.Clock.Left; left > 0 && (limit == 0 || left < limit) {
		limit = left
	}
	if over := spent - limit; limit > 0 && over > 0 {
		s.Overruns[player]++
		s.MaxOverrun[player] = max(s.MaxOverrun[player], over)
	}
}

// scoreText is a score's form in JSON: the games decide all counts.
type scoreText struct {
	Games      []string         `json:"games"`
	Forfeits   map[int]int      `json:"forfeits,omitempty"`
	Overruns   [2]int           `json:"overruns,omitzero"`
	MaxOverrun [2]time.Duration `json:"max_overrun_ns,omitzero"`
}

// MarshalJSON writes the games as text.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(scoreText{text.List(s.Games, board.Record.Text), s.Forfeits, s.Overruns, s.MaxOverrun})
}

// UnmarshalJSON replays the games, and counts them.
func (s *Score) UnmarshalJSON(text []byte) error {
	var t scoreText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	if len(t.Games)%2 != 0 {
		return fmt.Errorf("%d games (want pairs)", len(t.Games))
	}
	*s = Score{Overruns: t.Overruns, MaxOverrun: t.MaxOverrun}
	var pair [2]board.Record
	var forfeits [2]int
	for i, game := range t.Games {
		r, err := board.ParseRecord(board.StartPosition(), game)
		if err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		player, forfeited := t.Forfeits[i]
		switch {
		case !forfeited:
			player = noForfeit
		case player != 0 && player != 1:
			return fmt.Errorf("game %d is forfeited by player %d (want 0 or 1)", i, player)
		}
		if r.End().Over() == forfeited {
			return fmt.Errorf("game %d is over and forfeited, or neither", i)
		}
		if pair[i%2], forfeits[i%2] = r, player; i%2 == 1 {
			s.add(pair, forfeits)
		}
	}
	if len(s.Forfeits) != len(t.Forfeits) {
		return fmt.Errorf("%d forfeits of %d games", len(t.Forfeits), len(t.Games))
	}
	return nil
}
