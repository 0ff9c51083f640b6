package record

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// plotsLine begins or ends a block of images in a document.
var plotsLine = regexp.MustCompile(`^<!-- (plots:\S+):(begin|end) -->$`)

// ReplacePlots returns a document with all its blocks of images replaced. A block
//
//	<!-- plots:ladder,scaling:begin -->
//	<!-- plots:ladder,scaling:end -->
//
// gets the plots of these names of every record that has them, as images in
// markdown. Link returns where the document finds a file of [Plot.File]. A document
// without blocks stays as it is; errors name the line of a block that is wrong.
func ReplacePlots(text []byte, records []Record, link func(file string) string) ([]byte, error) {
	out, _, err := replaceBlocks(text, plotsLine, func(w io.Writer, name string) error {
		return writePlotLinks(w, strings.Split(strings.TrimPrefix(name, "plots:"), ","), records, link)
	})
	return out, err
}

// writePlotLinks writes an image for each plot of the names, record by record.
func writePlotLinks(w io.Writer, names []string, records []Record, link func(file string) string) error {
	found := 0
	for _, name := range names {
		if !slices.Contains(PlotNames(), name) {
			return fmt.Errorf("there is no plot %q, only %s", name, strings.Join(PlotNames(), ", "))
		}
	}
	for _, record := range records {
		for _, name := range names {
			p, ok := record.plot(name)
			if !ok {
				continue
			}
			if found++; found > 1 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "![%s, %s](%s)\n", p.Alt, record.Environment.Processor(), link(p.File(record)))
		}
	}
	if found == 0 {
		return fmt.Errorf("no record has figures for a plot %s", strings.Join(names, " or "))
	}
	return nil
}
