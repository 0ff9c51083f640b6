// Package plot draws charts of measurements as SVG: dots with their intervals on a log axis,
// lines, learning curves and trees of descent.
//
// The same data give the same bytes, so a check can detect an outdated file. Text stays text,
// in the reader's font. Colours follow the reader's light or dark setting, by the media query
// prefers-color-scheme, which works in a page and in a file shown as an image in a page.
// gonum.org/v1/plot, which draws much more than this, sets fixed colours and a fixed serif
// font.
package plot
