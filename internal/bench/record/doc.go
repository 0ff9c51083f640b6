// Package record keeps figures, and draws them. A [Record] is a folder for each kind of
// processor, results/MACHINE, with a file SUITE.json for each suite, whose rows have their
// provenance with them, and the history of the ladder.
//
// [Keep] replaces the rows that were measured and leaves the others as they are; [Read]
// reads all records. [WriteReport] and [Record.Plots] show them, and [WritePage] makes one
// page of all.
package record
