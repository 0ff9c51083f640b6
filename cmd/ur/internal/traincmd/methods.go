package traincmd

// methodHelp describes a way to learn to a user.
type methodHelp struct{ short, long, example string }

// needsTable is the part of the help of methods that learn from the exact solution.
const needsTable = `

It needs a table of the exact solution, the one in the cache, made by "ur solve". Up to
5 pieces (4 where the path has 16 squares) are solved on demand. The step size
decreases to the end of the run, so a longer run does not continue a shorter one.`

// methods describe the ways to learn of package train, by name.
var methods = map[string]methodHelp{
	"evolve": {
		short: "Evolve the weights of a brain by games of perturbed brains",
		long: `Evolve learns the weights of a brain from games alone. In every generation it adds
random changes to the brain and subtracts them from it. The two resulting brains play
each other on shared dice, and the brain moves along the changes that won. Steps shrink
when a sequential test shows no progress. The run ends when they are negligible, or at
the limit of --time or --games. Games against a rival only measure the strength.`,
		example: `  ur train evolve -o mine.txt --time 10m --curve mine.svg
  ur train evolve -o mine.txt --time 20m --resume       and on
  ur train evolve --start brain -o better.txt --spread 0.1
  ur match brain:mine.txt brain`,
	},
	"tree": {
		short: "Learn the values of squares by a tree of greedy players",
		long: `Tree learns the value of a piece on each square, for a greedy player. Each new node of
a tree copies the node with the highest upper confidence bound and draws the value of
one square anew. Its game against the rival counts for all its ancestors. The output is
a file for greedy:FILE. --tree-out draws a sample of the nodes.`,
		example: `  ur train tree -o squares.txt --tree-out tree.svg --curve curve.svg
  ur match greedy:squares.txt greedy --pieces 4`,
	},
	"fit": {
		short: "Fit the weights of a brain to the exact solution",
		long: `Fit learns the weights of a brain from decisions of games between perfect players. With
--target order, it minimises the regret: the loss of win probability by the move of
highest value. With --target value, for comparison, it minimises the squared error
between the values and the probabilities.` + needsTable,
		example: `  ur train fit -o mine.txt --games 100000 --curve mine.svg
  ur regret brain:mine.txt --seed 2`,
	},
	"td": {
		short: "Teach a net by games against itself",
		long: `Td trains a value network by self-play without a solution: TD(lambda), as in
TD-Gammon. The value of each position moves towards the mean, over all rolls, of the
value after the best move, and the values of earlier positions follow with decreasing
weight. At the end of a game the result replaces the value. Without --moves, --games or
--time, it learns until it is interrupted.

By default --lanes games run at the same time with the same weights, which then learn
from all their positions in batches. With --sequential, as in textbooks, the weights
change after each move. A table of the exact solution in the cache only serves to
report the regret.`,
		example: `  ur train td -o mine.safetensors --time 10m --curve mine.svg
  ur train td -o plain.safetensors --sequential --hidden 80
  ur match net:mine.safetensors brain`,
	},
	"distill": {
		short: "Teach a net the exact solution",
		long: `Distill trains a value network on positions of games between perfect players and
players that err. The network first learns win probabilities, then also the order of
moves, by the regret of the moves that it prefers. --start begins with an existing net.` + needsTable,
		example: `  ur train distill -o mine.safetensors --hidden 48,16 --positions 100000000
  ur regret net:mine.safetensors
  ur play --dark net:mine.safetensors@2`,
	},
}
