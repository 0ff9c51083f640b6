package matchcmd

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
)

// sheet is a rated tournament, and the details of the game in its report. The page calls its methods.
type sheet struct {
	match.Sheet
	Details string // see [Game]
	Luck    string
	Command string // plays a pairing again, as in "ur match"
}

// Title describes the tournament in one line.
func (s sheet) Title() string {
	kind := map[string]string{"gauntlet": "Gauntlet", "round-robin": "Round robin"}[s.Kind]
	return fmt.Sprintf("%s of %d players, %d games%s in each pairing, seed %d", kind, len(s.Players),
		s.Games, s.Details, s.Seed)
}

// Notes explain the ratings.
func (s sheet) Notes() []string {
	zero := cmp.Or(text.Plain(s.Anchor), "the mean")
	notes := []string{"Elo by maximum likelihood (Bradley and Terry), with 95 % confidence intervals; " +
		zero + " is 0."}
	unmet := slices.ContainsFunc(s.Pairings, func(p match.SheetPairing) bool { return p.Pairs.N() == 0 })
	switch {
	case s.Prior && unmet:
		notes = append(notes, "Not all players have met yet, so no finite Elo is the most likely one; "+priorNote)
	case s.Prior:
		notes = append(notes, "A player won or lost every game, so its maximum-likelihood Elo is infinite; "+priorNote)
	}
	if !s.Complete {
		notes = append(notes, fmt.Sprintf("Not complete: %d games are played.", s.Played))
	}
	return notes
}

// priorNote explains [match.Sheet.Prior].
const priorNote = "these are the ratings with one more pair of games in each pairing, of which each player wins one."

// Cross returns, for each player by rank, the score in percent against each other by rank, and
// "" where two have not met.
func (s sheet) Cross() [][]string {
	place := map[string]int{}
	cross := make([][]string, len(s.Players))
	for i, p := range s.Players {
		place[p.Name] = i
		cross[i] = make([]string, len(s.Players))
	}
	for _, p := range s.Pairings {
		if p.Pairs.N() == 0 {
			continue
		}
		a, b := place[p.Players[0]], place[p.Players[1]]
		cross[a][b] = fmt.Sprintf("%.1f", 100*p.Pairs.Score())
		cross[b][a] = fmt.Sprintf("%.1f", 100*p.Second.Score())
	}
	return cross
}

// writeText writes the ratings and the cross table with scores in percent.
func (s sheet) writeText(to io.Writer) error {
	w := new(bytes.Buffer)
	fmt.Fprintf(w, "%s\n\n", s.Title())
	names := text.List(s.Players, func(p match.SheetPlayer) string { return text.Plain(p.Name) })
	width := len("player")
	for _, name := range names {
		width = max(width, len(name))
	}
	cross := s.Cross()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "#\t %-*s\t Elo\t 95 %%\t games\t score\t", width, "player")
	for i := range s.Players {
		fmt.Fprintf(table, " %d\t", i+1)
	}
	fmt.Fprintln(table)
	for i, p := range s.Players {
		fmt.Fprintf(table, "%d\t %-*s\t %s\t %s to %s\t %d\t %.1f %%\t",
			p.Rank, width, names[i], formatTenths(p.Elo), formatTenths(p.EloLow), formatTenths(p.EloHigh),
			p.Games, 100*p.Score)
		for j, score := range cross[i] {
			if i == j {
				score = "-"
			}
			fmt.Fprintf(table, " %s\t", score)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Fprintf(w, "\n%s\n", strings.Join(s.Notes(), "\n"))
	_, err := w.WriteTo(to)
	return err
}

// formatTenths writes a number with one digit behind the point; nothing is -0.0.
func formatTenths(x float64) string {
	if text := fmt.Sprintf("%.1f", x); text != "-0.0" {
		return text
	}
	return "0.0"
}

//go:embed sheet.html.tmpl
var pageText string

var sheetPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"tenths":  formatTenths,
		"shade":   shadeScore,
		"points":  func(half int64) string { return strconv.FormatFloat(float64(half)/2, 'f', -1, 64) },
		"percent": func(score float64) string { return fmt.Sprintf("%.1f", 100*score) },
	}).Parse(pageText))
})

// writeHTML writes the sheet as one HTML page, which needs no network and no script: ratings, the cross
// table and the pairings. The same sheet gives the same bytes.
func (s sheet) writeHTML(w io.Writer) error { return sheetPage().Execute(w, s) }

// shadeScore returns the colour for a score in percent: the greener the better.
func shadeScore(score string) template.CSS {
	percent, err := strconv.ParseFloat(score, 64)
	if err != nil {
		return ""
	}
	rgb := "46,160,67"
	if percent < 50 {
		rgb = "218,54,51"
	}
	return template.CSS(fmt.Sprintf("background: rgba(%s,%.2f)", rgb, math.Abs(percent-50)/100))
}
