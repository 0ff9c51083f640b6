package main

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/train"
)

// plotFolder holds the plots, a folder for each kind of processor.
const plotFolder = "docs/plots"

// plotLinks returns the function of a block with an image for each plot of the names,
// record by record. The links are relative to the page.
func plotLinks(page string, records []record.Record, names ...string) func(w io.Writer) error {
	return func(w io.Writer) error {
		images := 0
		for _, r := range records {
			for _, p := range r.Plots() {
				if !slices.Contains(names, p.Name) {
					continue
				}
				if images++; images > 1 {
					fmt.Fprintln(w)
				}
				link, err := filepath.Rel(path.Dir(page), path.Join(plotFolder, p.File(r)))
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "![%s, %s](%s)\n", p.Alt, r.Machine(), filepath.ToSlash(link))
			}
		}
		if images == 0 {
			return fmt.Errorf("no record has figures for a plot %s", strings.Join(names, " or "))
		}
		return nil
	}
}

// plots draws all plots.
func plots(r results) ([]file, error) {
	terminal, err := terminalPicture(r.root)
	if err != nil {
		return nil, err
	}
	files := []file{
		terminal,
		{plotFolder + "/search.svg", r.search.plot()},
		{plotFolder + "/nets.svg", r.nets.plot()},
		{plotFolder + "/td-study.svg", train.DrawStudy(r.study)},
		{plotFolder + "/fleet.svg", r.fleet.plot()},
	}
	files = append(files, rulesPlots()...)
	for _, ladder := range r.ladders {
		for _, p := range ladder.Plots() {
			var svg bytes.Buffer
			if err := p.WriteSVG(&svg); err != nil {
				return nil, err
			}
			files = append(files, file{path.Join(plotFolder, p.File(ladder)), svg.Bytes()})
		}
	}
	return files, nil
}
