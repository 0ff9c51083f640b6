package train

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// drawnBrains is how many brains a drawing shows: those with the most games, which
// have all their ancestors with them.
const drawnBrains = 150

// drawing is the part of a tree that is drawn, with a place for every brain.
type drawing struct {
	tree     *Tree
	shown    []int         // brains, in the order in which they came to be
	children map[int][]int // of the shown
	column   map[int]float64
	depth    map[int]int
	columns  int // leaves
	deepest  int
}

// draw chooses what to show, and places every brain above the middle of its
// children.
func (t *Tree) draw() *drawing {
	d := &drawing{tree: t, children: map[int][]int{}, column: map[int]float64{}, depth: map[int]int{}}
	for i := range t.nodes {
		d.shown = append(d.shown, i)
	}
	slices.SortStableFunc(d.shown, func(a, b int) int { return cmp.Compare(t.nodes[b].Games, t.nodes[a].Games) })
	d.shown = d.shown[:min(drawnBrains, len(d.shown))]
	slices.Sort(d.shown)
	for _, i := range d.shown[1:] {
		parent := t.nodes[i].Parent
		d.children[parent] = append(d.children[parent], i)
		d.depth[i] = d.depth[parent] + 1
		d.deepest = max(d.deepest, d.depth[i])
	}
	d.place(0)
	return d
}

// place gives a brain and all below it their columns.
func (d *drawing) place(i int) {
	children := d.children[i]
	if len(children) == 0 {
		d.column[i] = float64(d.columns)
		d.columns++
		return
	}
	for _, child := range children {
		d.place(child)
	}
	d.column[i] = (d.column[children[0]] + d.column[children[len(children)-1]]) / 2
}

// gain says what is new in a brain, as in "8 +31": stepping onto square 8 gains 31.
func (n *treeNode) gain() string {
	if n.Parent < 0 {
		return "root"
	}
	return fmt.Sprintf("%d %+d", n.Square, n.Gain)
}

// colour is from red, a mean result of 1/4, over grey to blue, 3/4.
func (d *drawing) colour(i int) string {
	x := max(0, min(1, 2*d.tree.mean(i)-0.5))
	mix := func(low, middle, high float64) int {
		if x < 0.5 {
			return int(math.Round(low + 2*x*(middle-low)))
		}
		return int(math.Round(middle + (2*x-1)*(high-middle)))
	}
	return fmt.Sprintf("#%02x%02x%02x", mix(213, 210, 0), mix(94, 210, 114), mix(0, 210, 178))
}

// WriteDOT writes the most played brains of the tree in the language of Graphviz.
// Each has what is new in it, its games and its mean result, descendants included.
func (t *Tree) WriteDOT(w io.Writer) error {
	d := t.draw()
	out := new(bytes.Buffer)
	fmt.Fprintf(out, "digraph tree {\n\tnode [shape=box, style=filled, fontname=\"sans-serif\"];\n")
	for _, i := range d.shown {
		n := &t.nodes[i]
		fmt.Fprintf(out, "\tb%d [label=\"%s\\n%d games, %.3f\", fillcolor=\"%s\"];\n", i, n.gain(), n.Games, t.mean(i), d.colour(i))
		if n.Parent >= 0 {
			fmt.Fprintf(out, "\tb%d -> b%d;\n", n.Parent, i)
		}
	}
	out.WriteString("}\n")
	_, err := out.WriteTo(w)
	return err
}

// The drawing of a tree, in pixels.
const (
	treeColumn, treeRow = 18, 34
	treeMargin          = 40
)

// WriteSVG draws the most played brains of the tree: the area of a circle grows with
// the games of a brain and its descendants, and its colour tells their mean result.
func (t *Tree) WriteSVG(w io.Writer) error {
	d := t.draw()
	width := 2*treeMargin + max(20, d.columns-1)*treeColumn
	height := 2*treeMargin + d.deepest*treeRow
	out := new(bytes.Buffer)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	fmt.Fprintf(out, `<text x="8" y="16">%d of %d brains; blue wins, red loses</text>`+"\n", len(d.shown), len(t.nodes))
	at := func(i int) (x, y float64) {
		return treeMargin + d.column[i]*treeColumn, float64(treeMargin + d.depth[i]*treeRow)
	}
	for _, i := range d.shown[1:] {
		x, y := at(i)
		px, py := at(t.nodes[i].Parent)
		fmt.Fprintf(out, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#999"/>`+"\n", px, py, x, y)
	}
	for _, i := range d.shown {
		x, y := at(i)
		n := &t.nodes[i]
		radius := 2 + 12*math.Sqrt(float64(n.Games)/float64(max(1, t.nodes[0].Games)))
		fmt.Fprintf(out, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="#555"><title>%s: %d games, %.3f</title></circle>`+"\n",
			x, y, radius, d.colour(i), n.gain(), n.Games, t.mean(i))
	}
	out.WriteString("</svg>\n")
	_, err := out.WriteTo(w)
	return err
}
