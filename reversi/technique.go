package reversi

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/search"
)

// techniques are the switches of the search in the midgame, by name: each leaves one out.
var techniques = []struct {
	name string
	drop func(o *search.Options)
}{
	{"probcut", func(o *search.Options) { o.ProbCut = 0 }},
	{"order", func(o *search.Options) { o.Static = false }},
	{"table", func(o *search.Options) { o.TableDepth, o.TableMove = search.MaxDepth, false }},
	{"table-move", func(o *search.Options) { o.TableMove = false }},
	{"last-ply", func(o *search.Options) { o.NoLast = true }},
	{"null-windows", func(o *search.Options) { o.Algorithm = search.AlphaBeta }},
}

// Techniques lists the names of the techniques of a [Thinker]'s search, which [Without] knows.
func Techniques() []string {
	var names []string
	for _, t := range techniques {
		names = append(names, t.name)
	}
	return names
}

// Without leaves a technique out of a search, or returns an error that lists the techniques.
func Without(o *search.Options, technique string) error {
	for _, t := range techniques {
		if t.name == technique {
			t.drop(o)
			return nil
		}
	}
	return fmt.Errorf("unknown technique %q (want one of %s)", technique, strings.Join(Techniques(), ", "))
}
