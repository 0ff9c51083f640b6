// Package text formats figures, tables and names for people: significant digits, commas between
// thousands, columns, and untrusted names of files and benchmarks. It reads lines and JSON objects
// member by member.
package text
