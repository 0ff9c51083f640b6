package plot

// Text is the text around a chart.
type Text struct {
	Title    string
	Subtitle string // where and how it was measured
	Caption  string // how to read it
	Label    string // a description in a sentence, for readers who cannot see it
}

// width of every drawing: the width of a page of text.
const width = 860

// margin around everything.
const margin = 18

const lineHeight = 15

// Sizes of text, as the style sheet has them.
const (
	textSize  = 12
	smallSize = 11
)

// drawing is a canvas with the text above the chart.
type drawing struct {
	canvas
	about Text
}

// newDrawing writes title and subtitle and returns where the chart may begin.
func newDrawing(t Text) (*drawing, float64) {
	d := &drawing{about: t}
	y := float64(margin + 14)
	d.text("title ink", start, margin, y, t.Title)
	for _, line := range wrapped(t.Subtitle, textSize, width-2*margin) {
		y += lineHeight + 3
		d.text("muted", start, margin, y, line)
	}
	return d, y + 18
}

// finish writes the caption below a chart that ends at y.
func (d *drawing) finish(y float64, style bool) []byte {
	y += 6
	for _, line := range wrapped(d.about.Caption, smallSize, width-2*margin) {
		y += lineHeight
		d.text("small muted", start, margin, y, line)
	}
	return d.svg(width, y+margin, d.about.Label, style)
}
