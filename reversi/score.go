package reversi

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Score counts how the games between two players ended, as the first player sees it. A forfeited game is lost by
// all discs.
type Score struct {
	// Pairs leaves out the Repeated pairs, whose two games, moves or mirrored moves, are those of an earlier pair:
	// deterministic players repeat themselves from one opening, and copies are no more evidence of strength.
	Pairs    rating.Pairs
	Repeated int

	Wins, Draws, Lost int // games
	Discs             int // sum of the final scores

	Forfeits map[int]int // players, 0 or 1, that lost a game by failing to move, by its index in Games
	Resigned []int       // those games of Forfeits whose players resigned

	// By player: how many moves exceeded their time limit, and the largest excess.
	Overruns   [2]int
	MaxOverrun [2]time.Duration

	Games []board.Record // two of each pair, in order

	first map[[sha256.Size]byte]int // the first pair of each content; those behind the last pair are of another sum
}

// Plus returns both summed, with s's games first. Then s is not to be summed again.
func (s Score) Plus(t Score) Score {
	for i := range s.Overruns {
		s.Overruns[i] += t.Overruns[i]
		s.MaxOverrun[i] = max(s.MaxOverrun[i], t.MaxOverrun[i])
	}
	if len(t.Forfeits) > 0 {
		s.Forfeits = maps.Clone(s.Forfeits)
	}
	for i := 0; i < len(t.Games); i += 2 {
		s.add([2]board.Record(t.Games[i:]), [2]loss{t.lossOf(i), t.lossOf(i + 1)})
	}
	return s
}

// FinishedGames returns how many games are finished.
func (s Score) FinishedGames() int64 { return int64(len(s.Games)) }

// PairResults returns the pairs without the repeated ones.
func (s Score) PairResults() rating.Pairs { return s.Pairs }

// Results returns the games won by each player, and the draws.
func (s Score) Results() (wins [2]int64, draws int64) {
	return [2]int64{int64(s.Wins), int64(s.Lost)}, int64(s.Draws)
}

// ForfeitedGames returns the games that each player lost by failing to move, without resigning.
func (s Score) ForfeitedGames() (games [2]int64) {
	for game, player := range s.Forfeits {
		if !slices.Contains(s.Resigned, game) {
			games[player]++
		}
	}
	return games
}

// ResignedGames counts the games resigned by each player.
func (s Score) ResignedGames() (games [2]int64) {
	for _, game := range s.Resigned {
		games[s.Forfeits[game]]++
	}
	return games
}

// loss is how a player lost a game without its last move; zero for a whole game.
type loss struct {
	forfeited, resigned bool
	player              int // 0 or 1
}

// lossOf returns the loss of a game by its index.
func (s Score) lossOf(game int) loss {
	player, forfeited := s.Forfeits[game]
	return loss{forfeited, forfeited && slices.Contains(s.Resigned, game), player}
}

// add counts a pair.
func (s *Score) add(games [2]board.Record, losses [2]loss) {
	half, content := 0, ""
	for i, g := range games {
		score := ScoreFor(g, board.Side(i))
		if l := losses[i]; l.forfeited {
			score = 64 * (2*l.player - 1)
			if s.Forfeits == nil {
				s.Forfeits = map[int]int{}
			}
			s.Forfeits[len(s.Games)+i] = l.player
			if l.resigned {
				s.Resigned = append(s.Resigned, len(s.Games)+i)
			}
		}
		content += fmt.Sprint(g.From, leastText(g), losses[i])
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
	number := len(s.Games) / 2
	hash := sha256.Sum256([]byte(content))
	if first, ok := s.first[hash]; ok && first < number {
		s.Repeated++
	} else {
		if s.first == nil {
			s.first = map[[sha256.Size]byte]int{}
		}
		s.first[hash] = number
		s.Pairs[half]++
	}
	s.Games = append(s.Games, games[0], games[1])
}

// leastText returns the first in the alphabet of a game's text and of its mirror images from the same position.
func leastText(r board.Record) (least string) {
	for n := range board.Symmetries {
		if r.From.Board.Symmetric(n) != r.From.Board {
			continue
		}
		mirrored := board.Record{Moves: slices.Clone(r.Moves)}
		for i, s := range r.Moves {
			mirrored.Moves[i] = s.Symmetric(n)
		}
		if text := mirrored.Text(); least == "" || text < least {
			least = text
		}
	}
	return least
}

// countTime counts a player's move if it exceeds its time limit or the clock's rest.
func (s *Score) countTime(player int, spent time.Duration, l Limits) {
	limit := shortest(l.Time, l.Clock.Left)
	if over := spent - limit; limit > 0 && over > 0 {
		s.Overruns[player]++
		s.MaxOverrun[player] = max(s.MaxOverrun[player], over)
	}
}

// scoreText is a score's form in JSON: the games decide all counts.
type scoreText struct {
	Games      []string         `json:"games"`
	Forfeits   map[int]int      `json:"forfeits,omitempty"`
	Resigned   []int            `json:"resigned,omitempty"`
	Overruns   [2]int           `json:"overruns,omitzero"`
	MaxOverrun [2]time.Duration `json:"max_overrun_ns,omitzero"`
}

// MarshalJSON writes the games as text.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(scoreText{text.List(s.Games, board.Record.Text), s.Forfeits, s.Resigned, s.Overruns, s.MaxOverrun})
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
	read := Score{Forfeits: t.Forfeits, Resigned: t.Resigned, Overruns: t.Overruns, MaxOverrun: t.MaxOverrun}
	for i, game := range t.Games {
		r, err := board.ParseRecord(board.StartPosition(), game)
		if err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		l := read.lossOf(i)
		if l.player != 0 && l.player != 1 {
			return fmt.Errorf("game %d is forfeited by player %d (want 0 or 1)", i, l.player)
		}
		if r.End().Over() == l.forfeited {
			return fmt.Errorf("game %d is over and forfeited, or neither", i)
		}
		read.Games = append(read.Games, r)
	}
	*s = Score{MaxOverrun: t.MaxOverrun}.Plus(read)
	if len(s.Forfeits) != len(t.Forfeits) || len(s.Resigned) != len(t.Resigned) {
		return fmt.Errorf("%d forfeits, %d by resigning, of %d games", len(t.Forfeits), len(t.Resigned), len(t.Games))
	}
	return nil
}
