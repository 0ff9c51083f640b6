// Package record keeps what was measured, and makes pages of it. A [Record] is a folder
// for each kind of processor: the samples, the ladder made of them, the scaling, the
// pieces, the profile, the environment, and the history of what was on record before.
//
// [Take] measures a record, [Write] keeps it, and [Read] reads all that there are.
// [ReplaceLadder] makes the tables of the README from them, [ReplaceFigures] those of
// documents about the engines, [Record.Plots] draws them, and [WritePage] makes one page
// of all.
package record
