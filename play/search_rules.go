package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// RulesSearch is [Search] under another rule set than Finkel's. Its leaves are valued by a net,
// by the exact solution, or by progress.
type RulesSearch struct {
	Search
	rules  *rules.Rules
	leaf   func() ursearch.RulesLeaf
	origin string       // identifies the leaf
	pieces int          // the most that the leaf serves
	table  solve.Ranked // of the leaf, or nil
}

// rulesSearchWant describes the spec of a searching player under other rules.
const rulesSearchWant = "want search:depth=N, search:time=DURATION or search:nodes=N, then, after commas, leaf=net, leaf=net:FILE, leaf=progress, table=FILE, algorithm=, memory= or threads="

// parseRulesSearch reads "search:depth=3,leaf=progress" and the like.
func parseRulesSearch(r *rules.Rules, spec, rest string, open Opener) (Player, error) {
	s := RulesSearch{Search: Search{spec: spec, memory: DefaultMemory}, rules: r}
	s.config.Options = DefaultSearchOptions()
	keys := slices.DeleteFunc(slices.Clone(searchKeys), func(k searchKey) bool { return k.name == "pieces" || k.name == "book" })
	given, err := searchItems(spec, rest, rulesSearchWant, keys, func(k searchKey, value string) error {
		switch k.name {
		case "leaf":
			return s.setLeaf(value, open)
		case "table":
			return s.setTable(value, open)
		}
		return k.set(&s.Search, value, open)
	})
	if err != nil {
		return nil, err
	}
	if given["leaf"] != "" && given["table"] != "" {
		return nil, fmt.Errorf("player %q: leaf= and table= (want one of them)", spec)
	}
	if s.leaf == nil {
		s.setDefaultLeaf()
	}
	return s, nil
}

// setDefaultLeaf takes the built-in net, or progress where there is none.
func (s *RulesSearch) setDefaultLeaf() {
	if n, q, err := valuenet.BuiltinFor(s.rules); err == nil {
		s.setNet(n, q)
		return
	}
	s.leaf, s.origin, s.pieces = ursearch.ProgressLeaf(s.rules), "progress", rules.MaxPieces
}

func (s *RulesSearch) setNet(n *valuenet.Net, q *valuenet.Integer) {
	s.leaf, s.origin, s.pieces = ursearch.RulesNetLeaf(q), n.Hash(), n.Rules.Pieces()
}

// setLeaf reads leaf=net, leaf=net:FILE or leaf=progress.
func (s *RulesSearch) setLeaf(value string, open Opener) error {
	file, isFile := strings.CutPrefix(value, netPrefix)
	switch {
	case value == "progress":
		s.leaf, s.origin, s.pieces = ursearch.ProgressLeaf(s.rules), value, rules.MaxPieces
		return nil
	case value == netName:
		n, q, err := valuenet.BuiltinFor(s.rules)
		if err == nil {
			s.setNet(n, q)
		}
		return err
	case !isFile || file == "":
		return fmt.Errorf("unknown leaf %q (want net, net:FILE or progress)", value)
	}
	path, err := open(file)
	if err != nil {
		return err
	}
	n, err := valuenet.Open(path)
	if err != nil {
		return err
	}
	if err := n.CheckRules(s.rules); err != nil {
		return err
	}
	q, err := valuenet.Quantise(n)
	if err == nil {
		s.setNet(n, q)
	}
	return err
}

// setTable reads table=FILE.
func (s *RulesSearch) setTable(file string, open Opener) error {
	if file == "" {
		return fmt.Errorf(`no file (want a table of "ur solve")`)
	}
	path, err := open(file)
	if err != nil {
		return err
	}
	if s.table, err = solve.OpenRules(path, s.rules); err != nil {
		return err
	}
	s.leaf, s.pieces, s.origin = ursearch.RulesTableLeaf(s.table), s.table.Pieces(), "table"
	return nil
}

// Plays returns an error if the player has another rule set.
func (s RulesSearch) Plays(r *rules.Rules) error {
	if !s.rules.Equal(r) {
		return fmt.Errorf("player %q: for the rule set %q (want %q)", s.spec, s.rules.Name(), r.Name())
	}
	return nil
}

// Prepare checks that the leaf serves games with a number of pieces.
func (s RulesSearch) Prepare(_ context.Context, pieces int) error {
	if pieces > s.pieces {
		return fmt.Errorf("player %q: leaf of games of %d pieces (want %d)", s.spec, s.pieces, pieces)
	}
	return nil
}

// identity returns the origin of the leaf values.
func (s RulesSearch) identity(_ context.Context, pieces int) (string, error) {
	if s.table != nil {
		return "table " + solve.Fingerprint(s.table, min(pieces, s.table.Pieces())), nil
	}
	return "leaf " + s.origin, nil
}

// searcher returns a new searcher for games with a number of pieces.
func (s RulesSearch) searcher(pieces int) (*ursearch.RulesSearcher, error) {
	table, err := search.NewTable(s.memory, search.Buckets)
	if err != nil {
		return nil, err
	}
	o := s.config.Options
	o.Table = table
	return s.SearcherWith(pieces, o)
}

// SearcherWith is Searcher with other options of the search.
func (s RulesSearch) SearcherWith(pieces int, o search.Options) (*ursearch.RulesSearcher, error) {
	if err := s.Prepare(context.Background(), pieces); err != nil {
		return nil, err
	}
	r, err := s.rules.WithPieces(pieces)
	if err != nil {
		return nil, err
	}
	return ursearch.NewRules(r, s.leaf, o)
}

// Sit takes a seat. It needs no engine: leaves are valued inside the search.
func (s RulesSearch) Sit(ur.Engine) (Seat, error) { return &rulesSearchSeat{player: s}, nil }

type rulesSearchSeat struct {
	player   RulesSearch
	searcher *ursearch.RulesSearcher
}

// Choose searches. A limit of time makes choices depend on the machine; one of depth or nodes
// does not.
func (s *rulesSearchSeat) Choose(ctx context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	if pieces := t.State.Pieces(); s.searcher == nil || s.searcher.Rules().Pieces() != pieces {
		searcher, err := s.player.searcher(pieces)
		if err != nil {
			return 0, err
		}
		s.searcher = searcher
	}
	r, err := s.searcher.Search(ctx, t.State, t.Roll, s.player.limits)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && s.player.table != nil {
		err = s.player.table.Err()
	}
	return max(0, r.Best), err
}
