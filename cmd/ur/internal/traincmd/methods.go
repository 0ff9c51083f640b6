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
		long: `Evolve learns the weights of a brain from nothing but games: it knows the rules and
who won. In every generation, random changes are tried; each is added to the brain
and taken from it, and the two brains that result play each other on shared dice.
The brain then moves along the changes that won.

Steps shrink whenever a sequential test shows no progress, and the run ends when
they have become too short to matter, or when --time or --games is spent. The
strength is measured by games against a rival, from which nothing is learned.`,
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
		long: `Tree learns what a piece is worth on each square, for a greedy player. It grows a
tree of square values: each new set of them is a copy of the one with the highest
upper confidence bound, in which what is gained by stepping onto one square is
drawn anew. It plays one game against the rival, and the result counts for all its
ancestors.

The values are written as greedy:FILE reads them. --tree-out draws the tree: a
sample of its nodes and the nodes where their families part.`,
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
		long: `Fit learns the weights of a brain from the exact solution, on the decisions that
come up when perfect players play each other.

With --target order, the regret of its choices is made small: by how much the move
of highest value is worse than the best. With --target value, the squared error
between its values and the probability to win is made small, which is another
thing: it is there to be compared with.

--games is how many games of perfect play are seen in all. Steps become smaller
towards the end of them, so that a run with more games is not the continuation of
one with fewer. --time 0 is the default: a fit ends with its games.

It needs a table of the exact solution: the one that "ur solve" has put into the
cache, or --table FILE. Up to 5 pieces are solved on the spot.`,
		example: `  ur train fit -o mine.txt
  ur train fit -o mine.txt --games 100000 --curve mine.svg
  ur train fit -o mine.txt --target value
  ur regret brain:mine.txt --seed 2`,
		flags: slices.Concat([]flagHelp{
			{field: "Target", flag: "target", help: "what to make small: the regret of the order, or the error of the value", only: []string{"order", "value"}},
			{field: "Table", flag: "table", help: "FILE with the exact solution (default that of the cache)"},
			{field: "Games", flag: "games", help: "games of perfect play to learn from"},
		}, brainFlags),
	},
	"td": {
		short: "Teach a net by games against itself",
		long: `Td teaches a value network by games against itself, with no solution: TD(lambda), as in
TD-Gammon. What a position was thought to be worth is moved towards what the next one is
thought to be worth, and so are, by less and less, the positions before. At the end of a
game the result takes the place of the next value.

With --updates expected, the default, the next value is the mean over all rolls of the
best move, so luck is not learned; with sample it is that of the roll that fell.

With --sequential one game follows another, and the weights change after each move. That
is the algorithm of the textbooks. Without it, the games of --lanes are played side by side by
the same weights, which then learn from all positions of these games, in batches.

Where a table of the exact solution is in the cache, the regret is measured by it.
Nothing is learned from that.`,
		example: `  ur train td -o mine.safetensors --time 10m
  ur train td -o mine.safetensors --time 10m --curve mine.svg
  ur train td -o plain.safetensors --sequential --updates sample --hidden 80
  ur regret net:mine.safetensors
  ur match net:mine.safetensors brain`,
		flags: slices.Concat([]flagHelp{
			{field: "Lambda", flag: "lambda", help: "how far a surprise reaches back, 0 to 1", zero: true},
			{field: "Rate", flag: "rate", help: "size of the first steps (default 0.01, or 0.3 with --sequential)"},
			{field: "RateMoves", flag: "rate-moves", help: "moves after which steps are half as large"},
			{field: "Epsilon", flag: "epsilon", help: "share of moves that are made at random"},
			{field: "Plies", flag: "plies", help: "search depth while learning, 1 or 2"},
			{field: "Updates", flag: "updates", help: "target values: sample (the actual roll) or expected (the mean over all rolls)"},
			{field: "Lanes", flag: "lanes", help: "games side by side, after which the weights change"},
			{field: "Sequential", flag: "sequential", help: "one game after another, one step after each move: the plain algorithm"},
			{field: "Games", flag: "games", help: "games to learn from at most, and those beside the last, 0 for no limit"},
		}, netFlags),
	},
	"distill": {
		short: "Teach a net the exact solution",
		long: `Distill teaches a value network what the exact solution knows, on positions as they come
up in games of perfect players and of ones that err. It first learns the probability to
win, and then the order of moves too, by the regret of the moves it prefers.

--positions is how many positions are seen in all. Steps become smaller towards the end
of them, so that a run with more is not the continuation of one with fewer; --start
takes up a net that is there. --time 0 is the default: it ends with its positions.

It needs a table of the exact solution: the one that "ur solve" has put into the
cache, or --table FILE. Up to 5 pieces are solved on the spot.`,
		example: `  ur train distill -o mine.safetensors
  ur train distill -o mine.safetensors --hidden 48,16 --positions 100000000
  ur regret net:mine.safetensors
  ur play --dark net:mine.safetensors@2`,
		flags: slices.Concat([]flagHelp{
			{field: "Table", flag: "table", help: "FILE with the exact solution (default that of the cache)"},
			{field: "Positions", flag: "positions", help: "positions to learn from"},
			{field: "Rate", flag: "rate", help: "size of the first steps"},
			{field: "Order", flag: "order", help: "part of the positions, the last ones, that teach the order of moves too"},
			{field: "Sharpness", flag: "sharpness", help: "of the choice whose regret is made small, by the logarithm of the odds"},
			{field: "Weight", flag: "weight", help: "of that regret, beside the cross-entropy"},
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
	{field: "Features", flag: "features", help: "what the net sees: squares or counts", only: []string{"squares", "counts"}},
	{field: "Hidden", flag: "hidden", help: "units of its one or two hidden layers, as in 80 or 256,32"},
	{field: "Activation", flag: "activation", help: "of hidden units: relu or clipped-relu", only: []string{"relu", "clipped-relu"}},
	{field: "Start", flag: "start", help: "FILE of a net to begin with (default: nothing learned)"},
	{field: "Parallel", flag: "parallel", help: "threads (default one per processor)"},
}
