package record

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/internal/profile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// hotRanks is how many functions and lines of each engine a page lists.
const hotRanks = 3

// hotspotsLegend explains the shares.
const hotspotsLegend = "Shares of the samples of an engine at a level: functions in which, and lines of source or assembly on which, most of its time is spent."

// hotspotsTable lists where the engines of a profile spend most of their time.
func hotspotsTable(p *profile.Profile) text.Table {
	t := text.Table{Header: []string{"engine", "level", "share", "function", "share", "line"}}
	if p == nil {
		return t
	}
	for _, part := range p.Engines {
		for rank := range min(hotRanks, max(len(part.Flat), len(part.Lines))) {
			cells := make([]string, len(t.Header))
			if rank == 0 {
				cells[0], cells[1] = part.Engine, string(part.Level)
			}
			if rank < len(part.Flat) {
				cells[2], cells[3] = hotspotCells(part.Flat[rank])
			}
			if rank < len(part.Lines) {
				cells[4], cells[5] = hotspotCells(part.Lines[rank])
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// hotspotCells are the share of a place and its name.
func hotspotCells(h profile.Hotspot) (share, where string) {
	return fmt.Sprintf("%.1f %%", 100*h.Share), profile.Place(h.Function, h.File, h.Line, h.Source)
}
