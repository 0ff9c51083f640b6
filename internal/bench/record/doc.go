// Package record stores figures and draws them. A [Record] is a folder for each kind of
// processor, results/MACHINE, with a file SUITE.json for each suite, whose rows include their
// provenance, and the history of the ladder.
//
// [Keep] replaces the measured rows and leaves the others unchanged; [Read] reads all records.
// [WriteReport] and [Record.Plots] show them, and [WritePage] makes one page of all.
package record
