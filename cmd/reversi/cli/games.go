package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/matchfiles"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// games are the matches of a command, with their files.
type games struct {
	options  *matchOptions
	kind     string // match or tournament
	schedule match.Schedule
	matches  []reversi.Match
	outsider *outsider // or nil
}

// close ends other programs.
func (g *games) close() {
	if g.outsider != nil {
		g.outsider.close()
	}
}

// prepare makes the matches described by names and flags.
func (o *matchOptions) prepare(ctx context.Context, env *cli.Env, names []string, kind string) (*games, error) {
	m, err := o.plan()
	if err != nil {
		return nil, err
	}
	with, err := o.env(env)
	if err != nil {
		return nil, err
	}
	outsider, err := o.outsider(names)
	if err != nil {
		return nil, err
	}
	m.New = func(name string) (reversi.Player, error) {
		if outsider != nil && name == outsider.name {
			return outsider.start(ctx)
		}
		return reversi.ParsePlayer(name, with)
	}
	for _, name := range names {
		if outsider != nil && name == outsider.name {
			if err := outsider.check(ctx); err != nil {
				return nil, cli.UsageError("--engine: %w", err)
			}
			continue
		}
		if _, err := m.New(name); err != nil {
			return nil, cli.UsageError("%w", err)
		}
		if o.fleet.Verify > 0 && strings.Contains(name, "time=") {
			return nil, cli.UsageError("--verify cannot be used with %s: games by the clock differ when they are played again", text.Plain(name))
		}
	}
	if m.Header, err = o.header(names, with, m, kind); err != nil {
		return nil, err
	}
	g := &games{options: o, kind: kind, outsider: outsider, schedule: match.Schedule{Players: names, Games: o.games, Seed: o.seed}}
	if kind == "tournament" {
		if err := g.schedule.Check(); err != nil {
			return nil, cli.UsageError("%w", err)
		}
	}
	for _, p := range g.schedule.Pairings() {
		m.Players, m.Seed = [2]string{names[p.First], names[p.Second]}, p.Seed
		g.matches = append(g.matches, m)
	}
	return g, nil
}

// header describes everything the games depend on.
func (o *matchOptions) header(names []string, with reversi.Env, m reversi.Match, kind string) (match.Header, error) {
	h := match.Header{Schema: "reversi." + kind + "-log/1", Games: o.games, Seed: o.seed, Settings: map[string]any{
		"discs": m.Discs, "openings": openingsHash(m.Openings), "time": o.time.String(), "sprt": "",
	}}
	if m.SPRT != nil {
		h.Settings["sprt"] = m.SPRT.String()
	}
	if o.clock.Left > 0 {
		h.Settings["clock"] = o.clock.String()
	}
	for i, name := range names {
		if o.engine != "" && i == 1 {
			h.Players = append(h.Players, match.Entrant{Name: name, Identity: o.engine})
			continue
		}
		identity, err := reversi.Identity(name, with)
		if err != nil {
			return h, err
		}
		h.Players = append(h.Players, match.Entrant{Name: name, Identity: identity})
	}
	return h, nil
}

// openingsHash distinguishes lists of openings; "" for random ones.
func openingsHash(list []board.Record) string {
	if len(list) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, r := range list {
		fmt.Fprintln(sum, r.Text())
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// play plays the games missing from the log. When ctx ends, its error comes with the finished
// games.
func (g *games) play(ctx context.Context, env *cli.Env) (match.Outcome[reversi.Score], error) {
	var none match.Outcome[reversi.Score]
	log, err := g.options.files.Open()
	if err != nil {
		return none, err
	}
	if log != nil {
		defer log.Close()
	}
	leave, err := g.joinFleet(ctx)
	if err != nil {
		return none, err
	}
	bar := cli.NewProgress(env, g.schedule.TotalGames(), "games")
	for i := range g.matches {
		g.matches[i].Log = log
		g.matches[i].Progress = func(games int) { bar.Add(games) }
	}
	out, err := reversi.Tournament(ctx, g.matches)
	bar.Clear()
	err = leave(err)
	matchfiles.NoteDamage(env, "reversi "+g.kind, out.Damaged)
	return out, matchfiles.Failure(err)
}

// joinFleet lets the workers of --fleet play the games. The error of the games must be passed to
// leave, which returns it as the command's.
func (g *games) joinFleet(ctx context.Context) (leave func(error) error, err error) {
	o := g.options
	if !o.fleet.Given() {
		return func(err error) error { return err }, nil
	}
	conn, err := o.fleet.Client(ctx, "reversi client")
	if err != nil {
		return nil, err
	}
	b := work.NewReversi(conn)
	b.Weights, b.Verify = o.weights, o.fleet.Verify
	for i := range g.matches {
		g.matches[i].Backend = b.Runner
		if o.parallel == 0 {
			g.matches[i].Parallel = join.Outstanding
		}
	}
	return func(err error) error { return o.fleet.Leave(ctx, conn, b.Close, err) }, nil
}

// sheet rates the players.
func (g *games) sheet(out match.Outcome[reversi.Score]) (match.Sheet, error) {
	pairs := make([]rating.Pairs, len(out.Scores))
	for i, s := range out.Scores {
		pairs[i] = s.Pairs
	}
	sheet, err := g.schedule.Rate(pairs)
	sheet.Complete = sheet.Complete || out.Decision != rating.Undecided
	sheet.Luck, sheet.Command = "the same opening", "reversi match"
	if m := g.matches[0]; len(m.Openings) == 0 {
		sheet.Details = fmt.Sprintf(" from openings of %d discs", m.Discs)
	}
	return sheet, err
}

// save writes the games to --record, and the results to --out and --html.
func (g *games) save(out match.Outcome[reversi.Score], report any) error {
	var records []board.Record
	for _, s := range out.Scores {
		records = append(records, s.Games...)
	}
	if err := saveGames(g.options.record, records); err != nil {
		return err
	}
	if g.options.files.Out == "" && g.options.files.HTML == "" {
		return nil
	}
	sheet, err := g.sheet(out)
	if err != nil {
		return err
	}
	return g.options.files.Save(g.kind, sheet, report)
}
