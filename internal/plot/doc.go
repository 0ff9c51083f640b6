// Package plot draws charts of measurements as SVG: dots with their intervals on a
// log axis, lines, learning curves and trees of descent.
//
// The same data give the same bytes, so that a check can tell a file that is out of
// date. Text stays text, in the reader's own font; colours follow whether the reader
// likes it light or dark, by the media query prefers-color-scheme, which works in a
// page and in a file that a page shows as an image. gonum.org/v1/plot, which draws
// much more than this, sets fixed colours and a fixed serif font.
package plot
