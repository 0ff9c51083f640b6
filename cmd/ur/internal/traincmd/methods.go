package traincmd

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/train"
)

// methodHelp describes a way to learn to a user.
type methodHelp struct{ short, long, example string }

// helpOf returns the help of a way to learn, also of one of another module.
func helpOf(m train.Method) methodHelp {
	if help, ok := methods[m.Name]; ok {
		return help
	}
	return methodHelp{
		short:   "Learn by " + m.Name,
		long:    "Learn by " + m.Name + ", a method of another module than that of ur.",
		example: fmt.Sprintf("  ur train %s -o learned", m.Name),
	}
}

// methods describe the ways to learn of package train, by name.
var methods = map[string]methodHelp{
	"evolve": {
		short: "Evolve the weights of a brain by games of perturbed brains",
		long: `Evolve learns the weights of a brain from games alone. In every generation it draws
random changes. It adds each change to the brain and subtracts it from the brain, and
the two resulting brains play each other on shared dice. The brain then moves along
the changes that won.

Steps shrink when a sequential test shows no progress. The run ends when they are
negligible, or at the limit of --time or --games. Games against a rival measure the
strength; the brain does not learn from them.`,
		example: `  ur train evolve -o mine.txt
  ur train evolve -o mine.txt --time 10m --curve mine.svg
  ur train evolve -o mine.txt --time 20m --resume       and on
  ur train evolve --start brain -o better.txt --spread 0.1
  ur match brain:mine.txt brain`,
	},
	"tree": {
		short: "Learn the values of squares by a tree of greedy players",
		long: `Tree learns the value of a piece on each square, for a greedy player. It grows a tree
of square values. Each new node copies the node with the highest upper confidence
bound and draws the value of one square anew. It plays one game against the rival, and
the result counts for all its ancestors.

The output is a file for greedy:FILE. --tree-out draws the tree: a sample of its
nodes, and the nodes where their branches part.`,
		example: `  ur train tree -o squares.txt
  ur train tree -o squares.txt --tree-out tree.svg --curve curve.svg
  ur match greedy:squares.txt greedy --pieces 4`,
	},
	"fit": {
		short: "Fit the weights of a brain to the exact solution",
		long: `Fit learns the weights of a brain from the exact solution, on decisions of games
between perfect players.

With --target order, fit minimises the regret: the loss of win probability by the move
of highest value. With --target value, for comparison, it minimises the squared error
between the values and the probabilities.

--games is the number of games in the whole run. The step size decreases to the end of
the run, so a run with more games does not continue one with fewer. With --time 0, the
default, only --games ends the run.

It needs a table of the exact solution: the one in the cache, made by "ur solve", or
--table FILE. Up to 5 pieces are solved on demand.`,
		example: `  ur train fit -o mine.txt
  ur train fit -o mine.txt --games 100000 --curve mine.svg
  ur train fit -o mine.txt --target value
  ur regret brain:mine.txt --seed 2`,
	},
	"td": {
		short: "Teach a net by games against itself",
		long: `Td trains a value network by self-play without a solution: TD(lambda), as in
TD-Gammon. The value of each position moves towards the value of the next position,
and the values of earlier positions follow with decreasing weight. At the end of a
game the result replaces the next value.

The next value is the mean over all rolls of the best move, so the net does not learn
luck. Without --moves, --games or --time, it learns until it is interrupted.

By default --lanes games run at the same time with the same weights, which then learn
from all their positions in batches. With --sequential, as in textbooks, games follow
one another, and the weights change after each move.

If a table of the exact solution is in the cache, td reports the regret. It does not
learn from the table.`,
		example: `  ur train td -o mine.safetensors --time 10m
  ur train td -o mine.safetensors --time 10m --curve mine.svg
  ur train td -o plain.safetensors --sequential --hidden 80
  ur regret net:mine.safetensors
  ur match net:mine.safetensors brain`,
	},
	"distill": {
		short: "Teach a net the exact solution",
		long: `Distill trains a value network on the exact solution, on positions of games between
perfect players and players that err. The network first learns win probabilities, then
also the order of moves, by the regret of the moves that it prefers.

--positions is the number of positions in the whole run. The step size decreases to
the end of the run, so a run with more positions does not continue one with fewer.
--start begins with an existing net. With --time 0, the default, only --positions ends
the run.

It needs a table of the exact solution: the one in the cache, made by "ur solve", or
--table FILE. Up to 5 pieces are solved on demand.`,
		example: `  ur train distill -o mine.safetensors
  ur train distill -o mine.safetensors --hidden 48,16 --positions 100000000
  ur regret net:mine.safetensors
  ur play --dark net:mine.safetensors@2`,
	},
}
