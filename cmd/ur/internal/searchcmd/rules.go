package searchcmd

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

// ruledSession answers lines under another rule set than Finkel's.
type ruledSession struct {
	rules     *rules.Rules
	searcher  *ursearch.RulesSearcher
	limits    search.Limits
	algorithm string
}

// lines returns the form of a line of input.
func (s *ruledSession) lines() pick.PositionForm {
	return pick.PositionForm{Example: fmt.Sprintf(`{"position":"text form","roll":0 to %d}`, s.rules.MaxRoll()), Members: "position and roll", MaxRoll: s.rules.MaxRoll()}
}

// ruledRequest is such a line.
type ruledRequest struct {
	Position string `json:"position"`
	Roll     *int   `json:"roll"`
}

// ruledAnswer is the line of output for a good line of input under other rules.
type ruledAnswer struct {
	Position string `json:"position"` // the position as text
	Rules    string `json:"rules"`    // name of the rule set
	found
}

// ruled checks the flags for a search under other rules.
func (o *searchOptions) ruled(r *rules.Rules, given func(flag string) bool) (*ruledSession, error) {
	if o.exact != 0 {
		return nil, cli.UsageError("--exact: only under Finkel's rules (want --leaf table)")
	}
	leaf := "leaf=" + o.leaf
	switch {
	case !given("leaf"):
		leaf = ""
	case o.leaf == "table" && o.table == "":
		return nil, cli.UsageError("--leaf table needs --table FILE under other rules than Finkel's")
	case o.leaf == "table":
		leaf = "table=" + o.table
	case o.table != "":
		return nil, cli.UsageError("--table needs --leaf table")
	}
	spec := "search:depth=1"
	if leaf != "" {
		spec += "," + leaf
	}
	p, err := pick.PlayerFor(r, spec)
	if err != nil {
		return nil, err
	}
	options, err := o.switched()
	if err != nil {
		return nil, err
	}
	s := &ruledSession{rules: r, limits: o.limited(), algorithm: o.algorithm}
	if s.searcher, err = p.(play.RulesSearch).SearcherWith(r.Pieces(), options); err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return s, nil
}

// answer searches the position of a line.
func (s *ruledSession) answer(ctx context.Context, text []byte) (any, error) {
	var request ruledRequest
	if err := s.lines().Decode(text, &request); err != nil {
		return nil, err
	}
	p, err := s.rules.ParsePosition(request.Position)
	if err != nil {
		return nil, err
	}
	if p.Pieces() != s.rules.Pieces() {
		return nil, fmt.Errorf("position has %d pieces a side (want %d, or --pieces)", p.Pieces(), s.rules.Pieces())
	}
	roll := search.NoRoll
	if request.Roll != nil {
		if roll = *request.Roll; roll < 0 || roll > s.rules.MaxRoll() {
			return nil, fmt.Errorf("roll is %d (want 0 to %d, or none)", roll, s.rules.MaxRoll())
		}
	}
	r, err := s.searcher.Search(ctx, p, roll, s.limits)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	a := &ruledAnswer{Position: s.rules.FormatPosition(p), Rules: s.rules.Name()}
	if best := a.set(r, s.algorithm, roll, s.rules.Moves(nil, p, roll)); best != nil {
		a.Line, err = s.searcher.Line(ctx, p, *best, r.Depth, lineMost)
	}
	return a, err
}
