package playcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/results"
)

// analyzeMine lists the games finished with "ur play", and compares them with the
// levels.
func analyzeMine(ctx context.Context, env *cli.Env, o analyzeOptions) error {
	_, games, err := savedGames(env, session.FinishedStore)
	if err != nil {
		return err
	}
	slices.Reverse(games) // the oldest first
	report, err := newMineReport(newAnalyzer(ctx, env, o), games)
	if err != nil {
		return err
	}
	if o.JSON {
		return cli.WriteJSON(env.Stdout, report)
	}
	return report.printReport(env.Stdout)
}

// mineReport is the JSON form of a person's finished games, the oldest first.
type mineReport struct {
	Schema    string         `json:"schema"`    // ur.mine/1
	By        string         `json:"by"`        // the judges, in words
	Level     *mineLevel     `json:"level"`     // null below three games
	Opponents []mineOpponent `json:"opponents"` // sorted by name
	Games     []mineGame     `json:"games"`     // the oldest first
	Folder    string         `json:"folder"`    // folder with the games' files
}

// mineLevel is the level with the regret of the person, with the 95 % confidence interval.
type mineLevel struct {
	Value  float64 `json:"value"`  // 1 to 10, with a fraction
	Lo     float64 `json:"lo"`     // lower bound of the interval
	Hi     float64 `json:"hi"`     // upper bound of the interval
	Regret float64 `json:"regret"` // percentage points a decision
	Games  int     `json:"games"`  // judged ones
}

// mineOpponent sums up the games against an opponent.
type mineOpponent struct {
	Player string   `json:"player"` // name in the game
	Games  int      `json:"games"`  // against this opponent
	Won    int      `json:"won"`    // games that the person won
	Regret *float64 `json:"regret"` // percentage points a decision, mean of games; null if none has a regret
}

// mineGame is a game. Between two persons there is no opponent and no regret.
type mineGame struct {
	Number    int      `json:"number"`           // number from 1
	Date      string   `json:"date"`             // RFC 3339
	Rules     string   `json:"rules"`            // name of the rule set
	Against   string   `json:"against"`          // the opponent
	Result    string   `json:"result"`           // won or lost; light or dark between two persons
	Turns     int      `json:"turns"`            // both sides' turns
	Regret    *float64 `json:"regret,omitempty"` // percentage points a decision; left out for rules without a table or a net
	Decisions int      `json:"decisions"`        // turns of the person with a choice
	side      int      // person's side; -1 between two
}

// newMineReport judges the games. Those of rules without a table or a net are listed without a regret.
func newMineReport(a *analyzer, games []session.Saved) (*mineReport, error) {
	r := &mineReport{Schema: "ur.mine/1", Opponents: []mineOpponent{}, Games: []mineGame{}}
	var judged []*record.Game
	var index []int // indices of the judged games
	for i, saved := range games {
		r.Games = append(r.Games, newMineGame(i+1, saved))
		if r.Games[i].side < 0 {
			continue
		}
		if _, err := a.evaluatorOf(saved.Game); err == nil {
			judged, index = append(judged, saved.Game), append(index, i)
		} else if _, lookup := board.Lookup(r.Games[i].Rules); lookup == nil {
			return nil, fmt.Errorf("%s: %w", saved.File, err)
		}
	}
	results, err := a.analyzeGames(judged)
	if err = cmp.Or(err, a.ctx.Err()); err != nil {
		return nil, err
	}
	exact := 0
	for i, result := range results {
		if result.By == "table" {
			exact++
		}
		g := &r.Games[index[i]]
		if p := result.Players[g.side]; p.Decisions > 0 {
			g.Regret, g.Decisions = &p.Regret, p.Decisions
		}
	}
	if len(games) > 0 {
		r.Folder = filepath.Dir(games[0].File)
	}
	r.By = analysis.ByWords(exact, len(judged)-exact)
	r.addOpponents()
	r.Level, err = levelOfGames(r.Games)
	return r, err
}

// newMineGame describes a game without its analysis.
func newMineGame(number int, saved session.Saved) mineGame {
	g := saved.Game
	m := mineGame{Number: number, Date: saved.Time.Format(time.RFC3339), Rules: g.Rules.Name(),
		Turns: len(g.Turns), side: -1, Against: "a person"}
	people := 0
	for side, name := range g.Players {
		if name == session.Person {
			people++
			m.side, m.Against = side, g.Players[1-side]
		}
	}
	winner, won := g.Result.Winner()
	switch {
	case people != 1:
		m.side, m.Against, m.Result = -1, strings.Join(g.Players[:], ", "), winner.String()
	case int(winner) == m.side:
		m.Result = "won"
	default:
		m.Result = "lost"
	}
	if !won {
		m.Result = "none"
	}
	return m
}

// addOpponents sums up the games by opponent, in the order of their names.
func (r *mineReport) addOpponents() {
	judged := map[string]float64{}
	for _, g := range r.Games {
		if g.side < 0 {
			continue
		}
		i, known := slices.BinarySearchFunc(r.Opponents, g.Against,
			func(o mineOpponent, name string) int { return cmp.Compare(o.Player, name) })
		if !known {
			r.Opponents = slices.Insert(r.Opponents, i, mineOpponent{Player: g.Against})
		}
		o := &r.Opponents[i]
		o.Games++
		if g.Result == "won" {
			o.Won++
		}
		if g.Regret != nil {
			if o.Regret == nil {
				o.Regret = new(float64)
			}
			judged[g.Against]++
			*o.Regret += *g.Regret
		}
	}
	for _, o := range r.Opponents {
		if o.Regret != nil {
			*o.Regret /= judged[o.Player]
		}
	}
}

// levelOfGames compares the regrets of games and of the levels. The regret is the ratio of
// sums, its interval belongs to a ratio over games; it needs three games of Finkel's rules.
func levelOfGames(games []mineGame) (*mineLevel, error) {
	var lost, decisions float64
	var judged []mineGame
	for _, g := range games {
		if g.Regret != nil && g.Rules == board.Finkel().Name() {
			judged = append(judged, g)
			lost += *g.Regret * float64(g.Decisions)
			decisions += float64(g.Decisions)
		}
	}
	if len(judged) < 3 {
		return nil, nil
	}
	regret := lost / decisions
	squares := 0.0
	for _, g := range judged {
		d := (*g.Regret - regret) * float64(g.Decisions)
		squares += d * d
	}
	n := float64(len(judged))
	half := 1.96 * math.Sqrt(squares*n/(n-1)) / decisions
	levels, err := results.LevelRegrets()
	if err != nil {
		return nil, err
	}
	return &mineLevel{
		Value: levelOfRegret(regret, levels), Lo: levelOfRegret(regret+half, levels),
		Hi:     levelOfRegret(max(0, regret-half), levels),
		Regret: regret, Games: len(judged),
	}, nil
}

// levelOfRegret returns the level, with a fraction, of the same regret.
func levelOfRegret(regret float64, levels []float64) float64 {
	for i := range len(levels) - 1 {
		a, b := levels[i], levels[i+1]
		switch {
		case regret >= a:
			return float64(i + 1)
		case regret > b:
			return float64(i+1) + (a-regret)/(a-b)
		}
	}
	return float64(len(levels))
}

// pointsText writes a regret, and "-" for none.
func pointsText(regret *float64) string {
	if regret == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *regret)
}

func (r *mineReport) printReport(out io.Writer) error {
	if len(r.Games) == 0 {
		_, err := fmt.Fprintln(out, "Games that you finish with \"ur play\" are kept here. There is none yet.")
		return err
	}
	switch l := r.Level; {
	case l != nil:
		fmt.Fprintf(out, "You play like level %.1f (95 %% within %.1f to %.1f): %.2f points lost a move, in %s.\n\n",
			l.Value, l.Lo, l.Hi, l.Regret, text.Plural(l.Games, "game"))
	default:
		fmt.Fprint(out, "After three games against a player, this page compares you with the levels.\n\n")
	}
	opponents := text.Table{Header: []string{"opponent", "games", "won", "lost a move"}}
	for _, o := range r.Opponents {
		opponents.Add(o.Player, strconv.Itoa(o.Games), strconv.Itoa(o.Won), pointsText(o.Regret))
	}
	if err := opponents.WriteText(out); err != nil {
		return err
	}
	fmt.Fprintln(out)
	games := text.Table{Header: []string{"game", "date", "against", "result", "turns", "lost a move"}}
	for _, g := range r.Games {
		games.Add(strconv.Itoa(g.Number), g.Date[:len("2006-01-02")], g.Against, g.Result, strconv.Itoa(g.Turns),
			pointsText(g.Regret))
	}
	if err := games.WriteText(out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "A point is 1 %% of the probability to win, judged by %s. The games are in %s.\n",
		r.By, r.Folder)
	return err
}
