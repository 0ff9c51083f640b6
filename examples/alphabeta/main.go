// Command alphabeta draws the tree of a search, with its windows and cuts:
//
//	go run ./examples/alphabeta "((3 12 8) (2 4 6) (14 5 2))"
//	go run ./examples/alphabeta -algorithm pvs -svg tree.svg "((3 12 8) (2 4 6) (14 5 2))"
//	go run ./examples/alphabeta -depth 2 X...O....
//
// The argument is a tree of values for the first side to move, or a board of tic-tac-toe.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

func main() {
	algorithm := flag.String("algorithm", "alphabeta", "`name` of an algorithm with windows")
	depth := flag.Int("depth", 9, "`plies` to search")
	svg := flag.String("svg", "", "also draw to `FILE`")
	flag.Parse()
	root, err := drawTree(strings.Join(flag.Args(), " "), search.Algorithm(*algorithm), *depth)
	if err == nil {
		fmt.Print(root.treeText(""))
		if *svg != "" {
			err = safefile.WriteBytes(*svg, []byte(root.svgPicture()))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "alphabeta:", err)
		os.Exit(2)
	}
}

// drawTree searches a tree or a board.
func drawTree(text string, algorithm search.Algorithm, depth int) (*drawing, error) {
	o := search.Options{Algorithm: algorithm}
	if strings.HasPrefix(text, "(") {
		t, err := parseTree(text)
		if err != nil {
			return nil, err
		}
		return traceSearch(t, place{}, o, depth, func(p *place) string { return t.nodes[p.node].path })
	}
	p, err := tictactoe.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w; or a tree such as ((3 12 8) (2 4 6))", err)
	}
	return traceSearch(tictactoe.Game{}, p, o, depth, func(p *tictactoe.Position) string {
		return strings.Join(strings.Fields(p.String()), "/")
	})
}

// traceSearch searches a position, named by name.
func traceSearch[P any, G search.Game[P]](game G, root P, o search.Options, depth int, name func(*P) string) (*drawing, error) {
	s, err := search.New[P](game, o)
	if err != nil {
		return nil, err
	}
	t, _, err := s.Trace(context.Background(), root, search.Limits{Depth: depth, First: depth})
	if err != nil {
		return nil, err
	}
	return newDrawing(t, 1, name), nil
}
