// Command reversi plays, solves and measures Reversi.
//
// Start with
//
//	reversi help
//	reversi play
//	reversi perft 9 --generator all
//
// Results go to stdout, progress and messages to stderr. The exit code is 0 for success, 1 for
// a failure, 2 for bad usage or bad input, 3 for a failed verification, 4 for an inconclusive
// comparison, and 130 after an interrupt; finished work is printed or saved.
package main

import "github.com/seed-09dcdc84/ur/cmd/reversi/cli"

func main() { cli.Program().Main() }
