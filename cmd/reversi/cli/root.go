// Package cli is the command line of reversi.
package cli

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/spf13/cobra"
)

// Program returns the command line "reversi".
func Program() *cli.Program {
	return &cli.Program{
		Name:  "reversi",
		Short: "Play, solve and measure Reversi",
		Long: `reversi plays Reversi, solves endgames, and measures how fast that can be done.

"reversi help players" lists the players P.

Results go to stdout, progress and messages to stderr. With --json a result is one
JSON object, or JSON lines. NO_COLOR disables colours. UR_DISABLE=avx512,avx2 masks
CPU features.

Exit codes: 0 done; 1 failure; 2 bad usage or bad input; 3 a verification failed;
4 inconclusive; 130 interrupted (finished work is printed or saved).`,
		Welcome: `Reversi: play it, solve its endgames, measure its engines, train players.

  reversi play                     play against the computer
  reversi match level:4 level:3    let two players play a match
  reversi solve < endgames.obf     solve endgames exactly
  reversi perft 9 --generator all     count positions with every move generator
  reversi train -o weights.bin     learn an evaluation by self-play
  reversi help                     list all commands
  reversi help players             list all players
`,
		Example: `  reversi play                      play against the computer
  reversi perft 9 --generator all      count positions with every generator of moves
  reversi solve < endgames.obf      solve endgames exactly`,
		Commands: func(env *cli.Env) []*cobra.Command {
			return []*cobra.Command{
				newPlayCommand(env),
				newMatchCommand(env),
				newPerftCommand(env),
				newEvalCommand(env),
				newSolveCommand(env),
				newTrainCommand(env),
				newBookCommand(env),
				newProtocolCommand(env),
				newVersionCommand(env),
				newPlayersTopic(),
			}
		},
		Check: checkEnvironment,
	}
}

// checkEnvironment reports a mistake in UR_DISABLE before a command starts: otherwise code
// without CPU requirements would hide it.
func checkEnvironment() error {
	if err := cpu.Available("reversi", nil); err != nil {
		return cli.UsageError("%w", err)
	}
	return nil
}
