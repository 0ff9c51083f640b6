// Package ab answers "did my commit make it slower?" for any Go module under git, or for
// any two programs that print Go's benchmark format.
//
// Both sides are built, and what cannot differ is not measured: test binaries of equal
// bytes, and packages whose sources differ in nothing but comments. The others are
// measured in turns: in every round each benchmark runs once on each side, in one
// process each, on one core, in an order that a coin decides, with a number of
// iterations that is found once. After 10, 14, 20, 28, ... rounds package verdict looks at
// them, and only those that are not decided go on, until all are or there is no
// time left.
//
// It imports nothing but the standard library and packages of this module that do so
// too, since it is run as "go run .../cmd/benchab" by people who want nothing else.
package ab
