package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/search"
)

// tree is a game given as a tree of positions, as in lectures: leaves have values for the side
// that moves first.
type tree struct{ nodes []node }

type node struct {
	children []int
	value    search.Value
	path     string // numbers of the moves from the root, such as 2.1
}

// place is a position: a node, and whether the second side is to move.
type place struct {
	node   int32
	second bool
}

// parseTree reads a tree such as "((3 12 8) (2 4 6) (14 5 2))".
func parseTree(text string) (tree, error) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var t tree
	rest, err := t.readNode(words, "")
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q after the end", rest[0])
	}
	if err != nil {
		return t, fmt.Errorf("tree: %w (want one such as ((3 12 8) (2 4 6)))", err)
	}
	return t, nil
}

// readNode reads a node and returns the words after it.
func (t *tree) readNode(words []string, path string) (rest []string, err error) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{path: path})
	switch {
	case len(words) == 0:
		return nil, fmt.Errorf("it ends within a node")
	case words[0] != "(":
		v, err := strconv.ParseInt(words[0], 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%q is no value", words[0])
		}
		t.nodes[at].value = v
		return words[1:], nil
	}
	for rest = words[1:]; len(rest) > 0 && rest[0] != ")"; {
		child := len(t.nodes)
		t.nodes[at].children = append(t.nodes[at].children, child)
		number := strings.TrimPrefix(fmt.Sprintf("%s.%d", path, len(t.nodes[at].children)), ".")
		if rest, err = t.readNode(rest, number); err != nil {
			return nil, err
		}
	}
	switch n := len(t.nodes[at].children); {
	case len(rest) == 0:
		return nil, fmt.Errorf("it ends within a node")
	case n == 0 || n > search.MaxMoves:
		return nil, fmt.Errorf("a node has %d children (want 1 to %d)", n, search.MaxMoves)
	}
	return rest[1:], nil
}

// Key implements [search.Game].
func (t tree) Key(p *place) search.Key { return search.KeyOf(uint64(p.node)) }

// Moves adds the node's children in their order.
func (t tree) Moves(p *place, list *search.List[place]) search.Value {
	for i, child := range t.nodes[p.node].children {
		m := list.Add()
		m.Next, m.ID = place{int32(child), !p.second}, uint8(i)
		m.Key = t.Key(&m.Next)
	}
	return t.Value(p)
}

// Value is a leaf's value for the side to move.
func (t tree) Value(p *place) search.Value {
	if p.second {
		return -t.nodes[p.node].value
	}
	return t.nodes[p.node].value
}
