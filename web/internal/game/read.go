package game

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/session"
)

// gameLink matches a link, or an address that ends with one.
var gameLink = regexp.MustCompile(`^(?:\S*#/g/)?((?:10|[1-9])(?:/\S*)?)$`)

// readAny reads a text in whatever form it has: a link, a position, or a record.
func (r *Room) readAny(ctx context.Context, q *Question) (any, error) {
	text := strings.TrimSpace(q.Text)
	if m := gameLink.FindStringSubmatch(text); m != nil {
		s, err := open(ctx, m[1], r.Players)
		if err != nil {
			return nil, err
		}
		return s.view(), nil
	}
	set, err := RuleSet(q.Rules)
	if err != nil {
		return nil, err
	}
	if _, err := set.ParsePosition(text); err == nil {
		return r.begin(ctx, &Question{Light: session.Person, Dark: session.Person, Rules: q.Rules, Start: text, Seed: q.Seed})
	}
	form, ok := formOf(text)
	if !ok {
		return nil, fmt.Errorf("the text begins with %q (want a link, a position as in %q, or a record)", clip(text), set.FormatPosition(set.Start()))
	}
	found := *q
	found.Form = form
	return r.read(ctx, &found)
}

// formOf returns the form of a record by its first characters.
func formOf(text string) (form string, ok bool) {
	switch {
	case strings.HasPrefix(text, "//"):
		return "text", true
	case strings.HasPrefix(text, "{") && strings.Contains(text, `"ur.game/1"`):
		return "jsonl", true
	case strings.HasPrefix(text, "{"):
		return "royalur", true
	case strings.HasPrefix(text, "[") || strings.HasPrefix(text, "1."):
		return "rgn", true
	}
	return "", false
}
