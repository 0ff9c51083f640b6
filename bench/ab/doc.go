// Package ab answers "did my commit make it slower?" for any Go module under git, or for any
// two programs that print Go's benchmark format.
//
// It builds both sides and skips code that cannot differ: test binaries with equal bytes, and
// packages whose sources differ only in comments. It measures the others in turns. In every
// round each benchmark runs once on each side, in a process for each, on one core, in random
// order, with a fixed number of iterations. After 6 and 8 links of each side and after 10, 14, 20,
// 28, ... rounds package verdict judges the benchmarks. Undecided ones continue until all are
// decided or the time is over.
//
// It imports only the standard library and packages of this module with the same restriction,
// so "go run .../cmd/benchab" downloads nothing else.
package ab
