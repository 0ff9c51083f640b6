package traincmd

import "slices"

// methodHelp describes a way to learn to a user.
type methodHelp struct {
	short, long, example string
	flags                []flagHelp // of its configuration, in the order of the help
}

// flagHelp is the flag of a field of a configuration.
type flagHelp struct {
	field, flag, help string
	only              []string // the values of a field of text, if they are few
	zero              bool     // 0 means 0, not the default
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
		flags: slices.Concat([]flagHelp{
			{field: "Pairs", flag: "pairs", help: "pairs of perturbed brains in a generation"},
			{field: "Games", flag: "pair-games", help: "games that a pair plays, an even number"},
			{field: "Spread", flag: "spread", help: "size of the first perturbations, relative to the brain"},
		}, brainFlags),
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
		flags: []flagHelp{
			{field: "Seed", flag: "seed", help: "seed of all random choices"},
			{field: "Pieces", flag: "pieces", help: "pieces of each player, 1 to 7"},
			{field: "Rival", flag: "rival", help: "player to learn from, in games against it"},
			{field: "Engine", flag: "engine", help: "engine that plays when measuring (default the fastest here)"},
			{field: "Parallel", flag: "parallel", help: "threads that play when measuring (default one per processor)"},
		},
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
		flags: slices.Concat([]flagHelp{
			{field: "Target", flag: "target", help: "quantity to minimise: order (regret of the choices) or value (squared error)", only: []string{"order", "value"}},
			{field: "Table", flag: "table", help: "FILE with the exact solution (default that of the cache)"},
			{field: "Games", flag: "games", help: "games of perfect play to learn from"},
		}, brainFlags),
	},
	"td": {
		short: "Teach a net by games against itself",
		long: `Td trains a value network by self-play without a solution: TD(lambda), as in
TD-Gammon. The value of each position moves towards the value of the next position,
and the values of earlier positions follow with decreasing weight. At the end of a
game the result replaces the next value.

With --updates expected, the default, the next value is the mean over all rolls of the
best move, so the net does not learn luck. With --updates sample it is the value after
the roll of the game.

By default --lanes games run at the same time with the same weights, which then learn
from all their positions in batches. With --sequential, as in textbooks, games follow
one another, and the weights change after each move.

If a table of the exact solution is in the cache, td reports the regret. It does not
learn from the table.`,
		example: `  ur train td -o mine.safetensors --time 10m
  ur train td -o mine.safetensors --time 10m --curve mine.svg
  ur train td -o plain.safetensors --sequential --updates sample --hidden 80
  ur regret net:mine.safetensors
  ur match net:mine.safetensors brain`,
		flags: slices.Concat([]flagHelp{
			{field: "Lambda", flag: "lambda", help: "weight of earlier positions, 0 to 1: the lambda of TD(lambda)", zero: true},
			{field: "Rate", flag: "rate", help: "size of the first steps (default 0.01, or 0.3 with --sequential)"},
			{field: "RateMoves", flag: "rate-moves", help: "moves after which steps are half as large"},
			{field: "Epsilon", flag: "epsilon", help: "share of random moves"},
			{field: "Plies", flag: "plies", help: "search depth while learning, 1 or 2"},
			{field: "Updates", flag: "updates", help: "target values: sample (the actual roll) or expected (the mean over all rolls)"},
			{field: "Lanes", flag: "lanes", help: "concurrent games between two changes of the weights"},
			{field: "Sequential", flag: "sequential", help: "one game after another, one step after each move: the plain algorithm"},
			{field: "Games", flag: "games", help: "maximum number of games, 0 for no limit; concurrent games are finished"},
		}, netFlags),
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
		flags: slices.Concat([]flagHelp{
			{field: "Table", flag: "table", help: "FILE with the exact solution (default that of the cache)"},
			{field: "Positions", flag: "positions", help: "positions to learn from"},
			{field: "Rate", flag: "rate", help: "size of the first steps"},
			{field: "Order", flag: "order", help: "fraction of the positions, at the end, that also train the order of moves"},
			{field: "Sharpness", flag: "sharpness", help: "sharpness of the choice whose regret is minimised, per unit of log odds"},
			{field: "Weight", flag: "weight", help: "weight of the regret, relative to the cross-entropy"},
		}, netFlags),
	},
}

// brainFlags are those of a train.BrainConfig.
var brainFlags = []flagHelp{
	{field: "Seed", flag: "seed", help: "seed of all random choices"},
	{field: "Pieces", flag: "pieces", help: "pieces of each player, 1 to 7"},
	{field: "Start", flag: "start", help: "player to begin with, as in brain or brain:FILE (default: nothing learned)"},
	{field: "Rival", flag: "rival", help: "player to measure the strength against"},
	{field: "Engine", flag: "engine", help: "engine that plays (default the fastest here)"},
	{field: "Parallel", flag: "parallel", help: "threads to play with (default one per processor)"},
}

// netFlags are those of a train.NetConfig.
var netFlags = []flagHelp{
	{field: "Seed", flag: "seed", help: "seed of all random choices"},
	{field: "Rules", flag: "rules"},
	{field: "Pieces", flag: "pieces", help: "pieces of each player, 1 to 7, or as the rules have them"},
	{field: "Features", flag: "features", help: "input features of the net: squares or counts", only: []string{"squares", "counts"}},
	{field: "Hidden", flag: "hidden", help: "units of the one or two hidden layers, as in 80 or 256,32"},
	{field: "Activation", flag: "activation", help: "of hidden units: relu or clipped-relu", only: []string{"relu", "clipped-relu"}},
	{field: "Start", flag: "start", help: "FILE of a net to begin with (default: nothing learned)"},
	{field: "Parallel", flag: "parallel", help: "threads (default one per processor)"},
}
