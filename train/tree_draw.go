package train

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// A tree of at most labelledNodes is drawn with all nodes, each with its number, result and games. Of a
// larger one drawnNodes are drawn, spread evenly over the time of their creation, and the nodes where their
// families part; the long lines of descent in between are single edges, as in the trees of biology.
const (
	drawnNodes    = 60
	labelledNodes = 150
)

// ownNodes returns the nodes of the first tree.
func (t *treeLearner) ownNodes() (own []treeNode) {
	for i := 0; i < len(t.nodes); i += t.trees {
		n := t.nodes[i]
		if n.Parent > 0 {
			n.Parent /= t.trees
		}
		own = append(own, n)
	}
	return own
}

// shownNodes chooses the nodes to show.
func shownNodes(nodes []treeNode) (shown []int) {
	sample := drawnNodes
	if len(nodes) <= labelledNodes {
		sample = len(nodes)
	}
	show := map[int]bool{0: true}
	heirs := map[int]int{} // children of a node with descendants to show
	for k := range sample {
		i := k * (len(nodes) - 1) / max(1, sample-1)
		show[i] = true
		for i > 0 {
			i = nodes[i].Parent
			heirs[i]++
			if heirs[i] > 1 || show[i] {
				break // its ancestors have this heir already
			}
		}
	}
	for i := range nodes {
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
func (t *treeLearner) drawNodes() (drawn []plot.Node) {
	nodes := t.ownNodes()
	shown := shownNodes(nodes)
	for _, i := range shown {
		n := nodes[i]
		ancestor := max(0, n.Parent)
		for !slices.Contains(shown, ancestor) {
			ancestor = nodes[ancestor].Parent
		}
		mean := t.meanResult(i * t.trees)
		node := plot.Node{
			Parent: slices.Index(shown, ancestor),
			Y:      float64(i) / float64(max(1, len(nodes)-1)),
			Size:   float64(n.Games) / float64(max(1, nodes[0].Games)),
			Shade:  max(0, min(1, 5*(mean-0.4))),
			Title:  fmt.Sprintf("node %d: %d games, %.3f", i, n.Games, mean),
		}
		if len(nodes) <= labelledNodes {
			node.Label = fmt.Sprintf("%d: %.1f/%d", i, n.Result, n.Games)
		}
		drawn = append(drawn, node)
	}
	placeNodes(drawn)
	return drawn
}

// statistics describes the first tree in a comment line: its size, the children of nodes that have some, and
// its depth next to that of a balanced binary tree of its size.
func (t *treeLearner) statistics() string {
	nodes := t.ownNodes()
	children, depths := make([]int, len(nodes)), make([]int, len(nodes))
	parents, sum := 0, 0
	for i, n := range nodes[1:] {
		if children[n.Parent]++; children[n.Parent] == 1 {
			parents++
		}
		depths[i+1] = depths[n.Parent] + 1
		sum += depths[i+1]
	}
	most := slices.Max(children)
	return fmt.Sprintf("// Tree: %d nodes, %d with children, %.2f each and at most %d; depth %d, mean %.1f (balanced: %.1f)\n",
		len(nodes), parents, float64(len(nodes)-1)/float64(max(1, parents)), most, slices.Max(depths),
		float64(sum)/float64(len(nodes)), samebits.Log(float64(len(nodes)))/math.Ln2)
}

// WriteSVG draws the nodes from top to bottom by their creation: the area of a circle grows with the games of
// a node and its descendants, and its colour shows their mean result, from 0.4 or less to 0.6 or more.
func (t *treeLearner) WriteSVG(w io.Writer) error {
	nodes := t.drawNodes()
	caption := "The area of a circle grows with the games of a set of values and its descendants: blue wins, orange loses."
	if nodes[0].Label != "" {
		caption += " Each has its number, the sum of its results, and its games: 1/2 and half the lead in squares is a result."
	}
	_, err := w.Write(plot.Tree{Nodes: nodes, Text: plot.Text{
		Title:    "A tree of square values",
		Subtitle: fmt.Sprintf("%d of %d sets of values, the first on top", len(nodes), len(t.nodes)/t.trees),
		Caption:  caption,
		Label:    "Square values that were learned, each set below the one that it is a change of.",
	}}.SVG())
	return err
}
