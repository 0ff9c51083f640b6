package train

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/plot"
)

// drawnNodes is the number of nodes in a drawing, spread evenly over the time of their
// creation. The drawing also shows the nodes where their families part; the long lines of
// descent in between are single edges, as in the trees of biology.
const drawnNodes = 60

// drawing is the drawn part of a tree, with a place for every node.
type drawing struct {
	tree     *treeLearner
	shown    []int         // nodes, in the order of creation
	parent   map[int]int   // nearest shown ancestor
	changes  map[int]int   // changes from there
	children map[int][]int // shown children
	column   map[int]float64
	columns  int // leaves
}

// drawTree chooses the nodes to show, and gives every node a column.
func (t *treeLearner) drawTree() *drawing {
	d := &drawing{tree: t, parent: map[int]int{}, changes: map[int]int{}, children: map[int][]int{}, column: map[int]float64{}}
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
			d.addNode(i, show, heirs)
		}
	}
	d.placeNode(0)
	return d
}

// addNode shows a node below its nearest shown ancestor.
func (d *drawing) addNode(i int, show map[int]bool, heirs map[int]int) {
	d.shown = append(d.shown, i)
	if i == 0 {
		return
	}
	parent, changes := d.tree.nodes[i].Parent, 1
	for !show[parent] && heirs[parent] < 2 {
		parent = d.tree.nodes[parent].Parent
		changes++
	}
	d.parent[i], d.changes[i] = parent, changes
	d.children[parent] = append(d.children[parent], i)
}

// placeNode gives a node and all below it their columns.
func (d *drawing) placeNode(i int) {
	children := d.children[i]
	if len(children) == 0 {
		d.column[i] = float64(d.columns)
		d.columns++
		return
	}
	for _, child := range children {
		d.placeNode(child)
	}
	d.column[i] = (d.column[children[0]] + d.column[children[len(children)-1]]) / 2
}

// shadeOf is 0 for a mean result of 0.4 or less and 1 for one of 0.6 or more.
func (d *drawing) shadeOf(i int) float64 { return max(0, min(1, 5*(d.tree.meanResult(i)-0.4))) }

// WriteSVG draws nodes at even distances of creation, from top to bottom, with those where
// their families part: the area of a circle grows with the games of a node and its descendants,
// and its colour shows their mean result.
func (t *treeLearner) WriteSVG(w io.Writer) error {
	d := t.drawTree()
	drawn := plot.Tree{Text: plot.Text{
		Title:    "A tree of square values",
		Subtitle: fmt.Sprintf("%d of %d sets of values, the first on top", len(d.shown), len(t.nodes)),
		Caption:  "The area of a circle grows with the games of a set of values and its descendants: blue wins, orange loses.",
		Label:    "Square values that were learned, each set below the one that it is a change of.",
	}}
	index := make(map[int]int, len(d.shown)) // index in the shown part for each node
	for k, i := range d.shown {
		index[i] = k
		drawn.Nodes = append(drawn.Nodes, plot.Node{
			Parent: index[d.parent[i]],
			X:      (d.column[i] + 0.5) / float64(d.columns),
			Y:      float64(i) / float64(max(1, len(t.nodes)-1)),
			Size:   float64(t.nodes[i].Games) / float64(max(1, t.nodes[0].Games)),
			Shade:  d.shadeOf(i),
			Title:  fmt.Sprintf("node %d: %d games, %.3f", i, t.nodes[i].Games, t.meanResult(i)),
		})
	}
	_, err := w.Write(drawn.SVG())
	return err
}
