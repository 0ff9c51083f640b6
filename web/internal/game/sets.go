package game

import (
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Set is a rule set, with all that a page needs to draw its board.
type Set struct {
	Name         string      `json:"name"`
	Title        string      `json:"title"`         // the name in words
	About        string      `json:"about"`         // the difference from other rules, in a paragraph
	Pieces       int         `json:"pieces"`        // of each side
	Columns      []string    `json:"columns"`       // of the board, A first: "#" for a tile and "." for a gap in each row
	Paths        [2][]string `json:"paths"`         // tiles of Light's and of Dark's path, such as "B4"
	Rosettes     []string    `json:"rosettes"`      // tiles
	Dice         []int       `json:"dice"`          // weights of the rolls, 0 first
	SafeRosettes bool        `json:"safe_rosettes"` // a piece on a rosette cannot be captured
}

// OfferedSet is a rule set for a new game.
type OfferedSet struct {
	Set
	Players []Choice `json:"players"` // players to choose from
}

// setOf returns a rule set as pages read it.
func setOf(r *rules.Rules) Set {
	d := r.Definition()
	return Set{
		Name: d.Name, Title: r.Title(), About: d.About, Pieces: d.Pieces, Columns: d.Board, Paths: [2][]string{d.Light, d.Dark},
		Rosettes: d.Rosettes, Dice: d.Dice, SafeRosettes: d.SafeRosettes,
	}
}

// sets lists the built-in rule sets with their players.
func (r *Roster) sets() (list []OfferedSet) {
	for _, set := range rules.List() {
		players := r.Choices()
		if play.OtherRules(set) != nil {
			players = choicesOf(set)
		}
		list = append(list, OfferedSet{setOf(set), players})
	}
	return list
}

// choicesOf lists the players of another rule set than Finkel's, a person first. Those that need
// a net or a table that is not here are listed with the reason.
func choicesOf(r *rules.Rules) (list []Choice) {
	_, noTable := rulesTable(r)
	_, _, noNet := valuenet.BuiltinFor(r)
	add := func(kind, spec, help string) {
		c := Choice{Name: spec, Title: titleOf(spec), Help: helpOn(kind, spec, help), Most: r.Pieces()}
		_, unknown := play.ParsePlayerFor(r, spec)
		switch {
		case spec == "perfect" || spec == topLevel:
			if noTable != nil {
				c.Most, c.Why = 0, fmt.Sprintf("Perfect play under the rules of %s needs the table of their solution, which is not loaded here.", r.Title())
			}
		case (kind == "net" || kind == "level") && noNet != nil:
			c.Most, c.Why = 0, fmt.Sprintf("%s has no built-in net, so nets and levels cannot play it.", r.Title())
		case unknown != nil && spec != session.Person:
			return // it plays Finkel's rules only
		}
		list = append(list, c)
	}
	for _, kind := range play.Kinds() {
		for _, pattern := range kind.Patterns {
			for _, spec := range pattern.Specs() {
				if kind.Name != "search" && !aliases[spec] {
					add(kind.Name, spec, pattern.Help)
				}
			}
		}
	}
	for _, spec := range shownSearches {
		add("search", spec, "searches through the dice")
	}
	return list
}

// rulesTables are the open tables of other rule sets than Finkel's, by name and pieces.
var rulesTables struct {
	sync.Mutex
	open map[string]solve.Ranked
}

// rulesTable returns the table of the exact solution of a rule set, which stays open.
func rulesTable(r *rules.Rules) (solve.Ranked, error) {
	rulesTables.Lock()
	defer rulesTables.Unlock()
	key := fmt.Sprint(r.Name(), r.Pieces())
	if t := rulesTables.open[key]; t != nil {
		return t, nil
	}
	t, err := play.RulesTable(r, "")
	if err != nil {
		return nil, err
	}
	if rulesTables.open == nil {
		rulesTables.open = map[string]solve.Ranked{}
	}
	rulesTables.open[key] = t
	return t, nil
}
