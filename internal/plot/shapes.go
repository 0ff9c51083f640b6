package plot

import (
	"fmt"
	"math"
)

// Tree is a drawing of descent: a circle for each node, and a line to the one it comes
// from.
type Tree struct {
	Text
	Nodes []Node
}

// Node is a circle.
type Node struct {
	Parent int     // index of the node it comes from; its own, of one that comes from none
	X, Y   float64 // its place, from 0 to 1: from left to right, from top to bottom
	Size   float64 // its area, from 0 to 1
	Shade  float64 // its colour, from orange at 0 over grey to blue at 1
	Title  string  // that is shown under the pointer
}

// SVG draws the tree.
func (t Tree) SVG() []byte {
	const inset, height = margin + 15, 540 // the largest circle stays inside
	out, top := newDrawing(t.Text)
	at := func(n Node) (x, y float64) {
		return inset + float64((width-2*inset)*n.X), top + 15 + float64((height-30)*n.Y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		fromX, fromY := at(t.Nodes[n.Parent])
		out.addLine("axis", fromX, fromY, x, fromY)
		out.addLine("axis", x, fromY, x, y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		end := out.openGroup(n.Title)
		out.addElement(`<circle class="ring" fill="%v" cx="%v" cy="%v" r="%v"/>`, shadeColour(n.Shade), x, y, 2.5+float64(12*math.Sqrt(n.Size)))
		end()
	}
	return out.writeCaption(top + height)
}

// shadeColour is a colour, as in "#0072b2": from orange at 0 or below over grey to blue at 1 or
// above, distinguishable by colour-blind readers too (the ends are of Okabe and Ito, "Color
// universal design", 2008).
func shadeColour(x float64) string {
	low, middle, high := [3]float64{213, 94, 0}, [3]float64{165, 165, 165}, [3]float64{0, 114, 178}
	x = 2 * max(0, min(1, x))
	if x > 1 {
		low, middle, x = middle, high, x-1
	}
	var mixed [3]int
	for i := range mixed {
		mixed[i] = int(math.Round(low[i] + float64(x*(middle[i]-low[i]))))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}
