// Command ur plays, measures and explains the Royal Game of Ur.
//
// Start with
//
//	ur help
//	ur play
//	ur match brain greedy
//
// Results go to stdout, progress and messages to stderr. The exit code is 0 when
// the command did its work, 1 for a failure, 2 for bad usage or bad input, 3 when
// a gate or verification failed, 4 when a comparison was inconclusive, and 130
// when the command was interrupted; what was finished by then is printed or saved.
package main

import "github.com/seed-09dcdc84/ur/cmd/ur/cli"

func main() { cli.Main() }
