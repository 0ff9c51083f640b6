package train

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

// drawnNodes is the number of nodes in a drawing, spread evenly over the time of their
// creation. The drawing also shows the nodes where their families part; the long lines of
// descent in between are single edges, as in the trees of biology.
const drawnNodes = 60

// shownNodes chooses the nodes to show.
func (t *treeLearner) shownNodes() (shown []int) {
	sample := min(drawnNodes, len(t.nodes))
	show := map[int]bool{0: true}
	heirs := map[int]int{} // children of a node with descendants to show
	for k := range sample {
		i := k * (len(t.nodes) - 1) / max(1, sample-1)
		show[i] = true
		for i > 0 {
			i = t.nodes[i].Parent
			heirs[i]++
			if heirs[i] > 1 || show[i] {
				break // its ancestors have this heir already
			}
		}
	}
	for i := range t.nodes {
		if show[i] || heirs[i] > 1 {
			shown = append(shown, i)
		}
	}
	return shown
}

// placeNodes gives nodes, each behind the one it hangs on, their columns: those without descendants from left
// to right, and every other one above the middle of its own.
func placeNodes(nodes []plot.Node) {
	children := make([][]int, len(nodes))
	for i, n := range nodes[1:] {
		children[n.Parent] = append(children[n.Parent], i+1)
	}
	columns := 0
	var place func(i int)
	place = func(i int) {
		below := children[i]
		if len(below) == 0 {
			nodes[i].X = float64(columns)
			columns++
			return
		}
		for _, child := range below {
			place(child)
		}
		nodes[i].X = (nodes[below[0]].X + nodes[below[len(below)-1]].X) / 2
	}
	place(0)
	for i := range nodes {
		nodes[i].X = (nodes[i].X + 0.5) / float64(columns)
	}
}

// drawNodes returns the shown nodes, each behind the one it hangs on: its nearest shown ancestor.
func (t *treeLearner) drawNodes() (nodes []plot.Node) {
	shown := t.shownNodes()
	for _, i := range shown {
		ancestor := max(0, t.nodes[i].Parent)
		for !slices.Contains(shown, ancestor) {
			ancestor = t.nodes[ancestor].Parent
		}
		nodes = append(nodes, plot.Node{
			Parent: slices.Index(shown, ancestor),
			Y:      float64(i) / float64(max(1, len(t.nodes)-1)),
			Size:   float64(t.nodes[i].Games) / float64(max(1, t.nodes[0].Games)),
			Shade:  max(0, min(1, 5*(t.meanResult(i)-0.4))),
			Title:  fmt.Sprintf("node %d: %d games, %.3f", i, t.nodes[i].Games, t.meanResult(i)),
		})
	}
	placeNodes(nodes)
	return nodes
}

// WriteSVG draws nodes at even distances of creation, from top to bottom, with those where
// their families part: the area of a circle grows with the games of a node and its descendants,
// and its colour shows their mean result, from 0.4 or less to 0.6 or more.
func (t *treeLearner) WriteSVG(w io.Writer) error {
	nodes := t.drawNodes()
	_, err := w.Write(plot.Tree{Nodes: nodes, Text: plot.Text{
		Title:    "A tree of square values",
		Subtitle: fmt.Sprintf("%d of %d sets of values, the first on top", len(nodes), len(t.nodes)),
		Caption:  "The area of a circle grows with the games of a set of values and its descendants: blue wins, orange loses.",
		Label:    "Square values that were learned, each set below the one that it is a change of.",
	}}.SVG())
	return err
}
