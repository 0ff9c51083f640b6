package play

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur/rating"
)

// TournamentReport is what programs read of a tournament. It holds nothing of the
// machine or the time, so that the same tournament gives the same report.
type TournamentReport struct {
	Schema   string                    `json:"schema"` // ur.tournament/1
	Kind     string                    `json:"kind"`   // round-robin or gauntlet
	Seed     uint64                    `json:"seed"`
	Pieces   int                       `json:"pieces"`
	Games    int                       `json:"games"` // of a pairing
	Played   int64                     `json:"games_played"`
	Complete bool                      `json:"complete"`
	Anchor   string                    `json:"anchor,omitempty"` // player of Elo 0; else the mean is 0
	Prior    bool                      `json:"prior"`            // see TournamentResult
	Players  []TournamentReportPlayer  `json:"players"`          // by rank
	Pairings []TournamentReportPairing `json:"pairings"`
}

// TournamentReportPlayer is a player in a report. Ranges are 95 % confidence intervals.
type TournamentReportPlayer struct {
	Rank    int     `json:"rank"`
	Name    string  `json:"name"`
	Elo     float64 `json:"elo"`
	EloLow  float64 `json:"elo_lo"`
	EloHigh float64 `json:"elo_hi"`
	Games   int64   `json:"games"`
	Score   float64 `json:"score"`
}

// TournamentReportPairing is a match in a report.
type TournamentReportPairing struct {
	Players       [2]string    `json:"players"`
	Seed          uint64       `json:"seed"`
	Games         int64        `json:"games"`
	Wins          [2]int64     `json:"wins"`
	Pairs         rating.Pairs `json:"pairs"` // by half points of the first player
	Score         float64      `json:"score"`
	ScoreLow      float64      `json:"score_lo"`
	ScoreHigh     float64      `json:"score_hi"`
	VarianceRatio float64      `json:"variance_ratio"`
	Turns         int64        `json:"turns"`
	LightWins     int64        `json:"light_wins"`
}

// Report puts a result into the form that programs read.
func (r TournamentResult) Report(c TournamentConfig) TournamentReport {
	report := TournamentReport{
		Schema: "ur.tournament/1", Kind: "round-robin", Seed: c.Seed, Pieces: c.Pieces, Games: c.Games,
		Played: r.Games, Complete: r.Complete, Prior: r.Prior,
	}
	if c.Gauntlet {
		report.Kind = "gauntlet"
	}
	if a := c.anchor(); a != rating.MeanAnchor {
		report.Anchor = c.Players[a].Name()
	}
	for _, i := range r.Ranking() {
		p := r.Players[i]
		report.Players = append(report.Players, TournamentReportPlayer{p.Rank, p.Name, p.Elo, p.Low, p.High, p.Games, p.Score})
	}
	for _, p := range r.Pairings {
		e := p.Estimate()
		report.Pairings = append(report.Pairings, TournamentReportPairing{
			Players: [2]string{r.Players[p.First].Name, r.Players[p.Second].Name}, Seed: p.Seed,
			Games: p.Tally.Games, Wins: p.Wins, Pairs: p.Pairs,
			Score: e.Score, ScoreLow: e.Low, ScoreHigh: e.High, VarianceRatio: e.VarianceRatio,
			Turns: p.Tally.Turns, LightWins: p.Tally.Wins[0],
		})
	}
	return report
}

// Title says in one line what was played.
func (r TournamentReport) Title() string {
	return fmt.Sprintf("%s of %d players, %d games of %d pieces in each pairing, seed %d",
		map[string]string{"gauntlet": "Gauntlet", "round-robin": "Round robin"}[r.Kind], len(r.Players), r.Games, r.Pieces, r.Seed)
}

// Notes says what has to be known to read the ratings.
func (r TournamentReport) Notes() []string {
	notes := []string{"Elo by maximum likelihood (Bradley and Terry), with 95 % confidence intervals; the mean is 0."}
	if r.Anchor != "" {
		notes[0] = fmt.Sprintf("Elo by maximum likelihood (Bradley and Terry), with 95 %% confidence intervals; %s is 0.", r.Anchor)
	}
	switch {
	case r.Prior && r.unmet():
		notes = append(notes, "Not all have met yet, so that no Elo can be the most likely one: these are the ratings with one more pair of games in each pairing, of which each player wins one.")
	case r.Prior:
		notes = append(notes, "Somebody won or lost everything, for which no Elo is high or low enough: these are the ratings with one more pair of games in each pairing, of which each player wins one.")
	}
	if !r.Complete {
		notes = append(notes, fmt.Sprintf("Not complete: %d games of it are played.", r.Played))
	}
	return notes
}

// unmet reports whether there is a pairing without games.
func (r TournamentReport) unmet() bool {
	return slices.ContainsFunc(r.Pairings, func(p TournamentReportPairing) bool { return p.Games == 0 })
}

// Cross returns, for each player by rank, the score in percent against each other by
// rank, and "" where two have not met.
func (r TournamentReport) Cross() [][]string {
	place := map[string]int{}
	cross := make([][]string, len(r.Players))
	for i, p := range r.Players {
		place[p.Name] = i
		cross[i] = make([]string, len(r.Players))
	}
	for _, p := range r.Pairings {
		if p.Games == 0 {
			continue
		}
		a, b := place[p.Players[0]], place[p.Players[1]]
		cross[a][b] = fmt.Sprintf("%.1f", 100*float64(p.Wins[0])/float64(p.Games))
		cross[b][a] = fmt.Sprintf("%.1f", 100*float64(p.Wins[1])/float64(p.Games))
	}
	return cross
}

// WriteText writes the report for people: ratings, and the cross table of scores in
// percent.
func (r TournamentReport) WriteText(w io.Writer) error {
	var out bytes.Buffer
	r.writeText(&out)
	_, err := out.WriteTo(w)
	return err
}

// writeText writes to memory, which does not fail.
func (r TournamentReport) writeText(w *bytes.Buffer) {
	fmt.Fprintf(w, "%s\n\n", r.Title())
	cross := r.Cross()
	width := len("player")
	for _, p := range r.Players {
		width = max(width, len(p.Name))
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "#\t %-*s\t Elo\t 95 %%\t games\t score\t", width, "player")
	for i := range r.Players {
		fmt.Fprintf(table, " %d\t", i+1)
	}
	fmt.Fprintln(table)
	for i, p := range r.Players {
		fmt.Fprintf(table, "%d\t %-*s\t %s\t %s to %s\t %d\t %.1f %%\t",
			p.Rank, width, p.Name, tenths(p.Elo), tenths(p.EloLow), tenths(p.EloHigh), p.Games, 100*p.Score)
		for j, score := range cross[i] {
			if i == j {
				score = "-"
			}
			fmt.Fprintf(table, " %s\t", score)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Fprintf(w, "\n%s\n", strings.Join(r.Notes(), "\n"))
}

// tenths writes a number with one digit behind the point; nothing is -0.0.
func tenths(x float64) string {
	if text := fmt.Sprintf("%.1f", x); text != "-0.0" {
		return text
	}
	return "0.0"
}
