package reach

import (
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
)

// Traps returns the functions of the new side whose execution shows the change, as programs have them. Data that
// differs, or refers to such data, shows where a function refers to it. It returns nil if the old side begins with
// what the new side does not have, because nothing shows it.
func (c *Comparison) Traps() map[string]bool {
	for name := range c.Sides[frame.Old].Linked[c.Program] {
		if symbol.IsInitializer(name) && !c.Sides[frame.New].Linked[c.Program][name] {
			return nil
		}
	}
	traps := make(map[string]bool)
	users := make(map[*reached][]*reached)
	var differing []*reached
	for _, s := range c.reached[frame.New] {
		for _, ref := range s.refs {
			users[ref] = append(users[ref], s)
		}
		switch {
		case !s.differs:
		case c.isFunction(s.name):
			traps[s.name] = true
		case len(c.find(frame.Old, s.name)) > 0 && !c.differsInMethods(s.name): // what refers to new data differs itself
			differing = append(differing, s)
		}
	}
	seen := make(map[*reached]bool)
	for len(differing) > 0 {
		s := differing[len(differing)-1]
		differing = differing[:len(differing)-1]
		for _, user := range users[s] {
			if c.isFunction(user.name) {
				traps[user.name] = true
			} else if !seen[user] {
				seen[user] = true
				differing = append(differing, user)
			}
		}
	}
	return traps
}

// isFunction reports whether a symbol is a function of the program of the new side.
func (c *Comparison) isFunction(name string) bool {
	found := c.find(frame.New, name)
	return len(found) > 0 && found[0].IsFunction
}

// differsInMethods reports whether a symbol describes a type with other methods, none of which is part of a program:
// no interface of the program has them.
func (c *Comparison) differsInMethods(name string) bool {
	x, y := c.find(frame.Old, name), c.find(frame.New, name)
	if len(x) != 1 || len(y) != 1 || x[0].Shape == "" || x[0].Shape != y[0].Shape {
		return false
	}
	for side, refs := range [2][2][]string{{x[0].Refs, y[0].Refs}, {y[0].Refs, x[0].Refs}} {
		for _, ref := range refs[0] {
			if found := c.find(side, ref); len(found) > 0 && found[0].IsFunction && !slices.Contains(refs[1], ref) {
				return false
			}
		}
	}
	return true
}
