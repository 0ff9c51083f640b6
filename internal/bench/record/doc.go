// Package record keeps measurements of engines. A [Record] is a folder for each kind of
// processor: the samples, the ladder made of them, the scaling, the pieces, the profile, the
// environment, and the history of earlier records.
//
// [Taker] measures a record, [Write] keeps it, and [Read] reads all records of a folder.
// [WriteReport] prints their ladders, [Record.Plots] draws them, and [WritePage] makes one
// page of all.
package record
