// Package text formats figures, tables and names for people: the digits that a figure
// deserves, commas between thousands, columns, and names of files and benchmarks that
// may hold anything.
package text
