// Package study lists the studies of learning: what is varied, by which commands, and how their
// figures are drawn. "go run ./tools/records measure study NAME" runs the missing commands of one, and
// "go run ./tools/pages" draws it in docs/learning.md.
package study

import (
	"fmt"
	"strings"
)

// Suite is the suite of the records of all studies.
const Suite = "study"

// Study varies the settings of some commands. Its row of a command is named
// Study/study=NAME/KEY=VALUE/..., by the settings.
type Study struct {
	Name   string // a word that chooses it
	Title  string // of the chart
	Lines  string // key whose values are lines
	X      string // key or metric of the abscissa; a key may be a list of words
	Axis   string // label of the abscissa
	Log    bool   // whether the abscissa is logarithmic
	Figure Figure
	Runs   func(times int64) []Run // with as many times the games; nil for a figure of another study's rows
	Note   string                  // below the chart, such as a source's claim
}

// Figure is the measured figure of a study.
type Figure struct {
	List        string   // list in the JSON of a command whose items are rows; "" for the whole JSON
	Rival       string   // the only item of the list that counts; "" for all
	Paths       []string // in a row: of the figure, or of the figure and the ends of its interval
	Unit, Label string
	Scale       float64 // of the label's unit
	Most        bool    // whether more is better
	Of          string  // study among whose rows' metrics it is; "" for one that is measured for it
}

// The figures of learners and players.
var (
	regret = Figure{Paths: []string{"regret"}, Unit: "points/decision", Label: "regret, points", Scale: 1}
	mean   = Figure{Paths: []string{"mean"}, Unit: "points/decision", Label: "regret, points", Scale: 1}
	won    = Figure{List: "scores", Paths: []string{"won", "lo", "hi"}, Unit: "wins/game", Label: "games won, %", Scale: 100, Most: true}
	score  = Figure{Paths: []string{"score", "score_lo", "score_hi"}, Unit: "wins/game", Label: "games won, %", Scale: 100, Most: true}
)

// wonAgainst is the share of games won against a rival of a learner.
func wonAgainst(rival string) Figure {
	f := won
	f.Rival = rival
	return f
}

// Run is a command with JSON as its output. $WORK is a temporary folder, and ${NAME} in keys a value of a row.
type Run struct{ Keys, Command string }

// List returns the studies. A new one is a row here.
func List() []Study {
	return []Study{
		{"lambda-rate", "Lambda and the size of steps", "lambda", "rate", "size of the first steps", true, regret, lambdaRuns, ""},
		{"hidden-units", "Hidden units", "layers", "units", "units of the first layer", true, regret, hiddenRuns, ""},
		{"random-moves", "Random moves while learning", "lambda", "epsilon", "share of random moves", false, regret, epsilonRuns, ""},
		{"search-plies", "Plies of search while learning", "plies", "cpu_seconds", "CPU seconds", true, regret, pliesRuns, ""},
		{"input-norm", "Size of steps of the textbook's algorithm, times the mean norm of the inputs", "pieces", "step",
			"rate times norm", true, regret, normRuns, ""},
		{"inputs", "An input for each number of pieces in hand and home, or the number", "inputs", "rate", "size of the first steps",
			true, regret, inputsRuns, "The squared norm of unary inputs is 4 to 10, that of counts 6 to 18; with 7 pieces 4 to 18 and 14 to 98."},
		{"opponents", "Self-play, and games against a pool of earlier versions", "opponents", "moves", "moves", true, regret, opponentsRuns, ""},
		{"moves-second", "Moves a second of the learner", "algorithm", "units", "hidden units", true,
			Figure{Paths: []string{"rate"}, Unit: "moves/s", Label: "moves a second", Scale: 1, Most: true}, speedRuns,
			"The source of TD-Ur reports 1,000 moves a second, with a just-in-time compiler."},
		{"mcts-time", "Regret of Monte Carlo tree search beside search, 3 pieces", "player", "cpu_seconds",
			"CPU seconds of the run", true, mean, mctsRuns, ""},
		{"mcts-games", "Games won by Monte Carlo tree search, 7 pieces", "rival", "games", "random games a move", true, score, mctsGamesRuns, ""},
		{"tree-games", "The tree of square values over its games", "rival", "games", "games", true, won, treeGamesRuns,
			"The source of the tree reports 90 % against random and 70 % against the next best after 10,000 games."},
		{"brain-games", "Games won against greedy:linear by evolution, fit and tree, 3 pieces", "method", "games",
			"games, of fit positions", true, wonAgainst("greedy:linear"), brainGamesRuns, ""},
		{"brain-regret", "Regret by evolution, fit and tree, 3 pieces", "method", "games", "games, of fit positions", true,
			Figure{Paths: []string{"regret"}, Label: "regret, points", Scale: 1, Of: "brain-games"}, nil, ""},
		{"tree-mutation", "Size of a mutation and exploration of the tree, games won against greedy", "exploration", "gain",
			"largest gain", true, wonAgainst("greedy"), mutationRuns, "The textbook's constant is an exploration of 1."},
		{"td-ur-regret", "Regret of our nets and of the published net of TD-Ur", "player", "pieces", "pieces", false, mean, tdURRegretRuns,
			"The variable UR_TDUR_NET names the net of TD-Ur in JSON."},
		{"td-ur-games", "Games of our nets against the published net of TD-Ur", "player", "pieces", "pieces", false, score, tdURGamesRuns, ""},
	}
}

// tdUR is the spec of the net of TD-Ur.
const tdUR = "net:$UR_TDUR_NET"

// td returns the run of a learner of nets with few pieces, whose solution measures its regret.
func td(keys string, moves int64, flags string) Run {
	return Run{keys, fmt.Sprintf("ur train td -o $WORK/study --force --moves %d %s", moves, flags)}
}

func lambdaRuns(times int64) (runs []Run) {
	for _, lambda := range []string{"0", "0.5", "0.7", "0.85", "0.95", "1"} {
		for _, rate := range []string{"0.001", "0.003", "0.01", "0.03", "0.1"} {
			runs = append(runs, td(fmt.Sprintf("lambda=%s/rate=%s", lambda, rate), 300_000*times,
				fmt.Sprintf("--pieces 3 --hidden 32 --lambda %s --rate %s", lambda, rate)))
		}
	}
	return runs
}

func hiddenRuns(times int64) (runs []Run) {
	for layers, second := range []string{"", ",16"} {
		for _, units := range []int{4, 8, 16, 32, 64, 128, 256} {
			runs = append(runs, td(fmt.Sprintf("layers=%d/units=%d", layers+1, units), 500_000*times,
				fmt.Sprintf("--pieces 3 --hidden %d%s", units, second)))
		}
	}
	return runs
}

func epsilonRuns(times int64) (runs []Run) {
	for _, lambda := range []string{"0", "0.85"} {
		for _, epsilon := range []string{"0", "0.02", "0.05", "0.1", "0.2", "0.4"} {
			runs = append(runs, td(fmt.Sprintf("lambda=%s/epsilon=%s", lambda, epsilon), 300_000*times,
				fmt.Sprintf("--pieces 3 --hidden 32 --lambda %s --epsilon %s", lambda, epsilon)))
		}
	}
	return runs
}

func pliesRuns(times int64) (runs []Run) {
	for plies := 1; plies <= 2; plies++ {
		for _, moves := range []int64{20_000, 60_000, 200_000, 600_000} {
			runs = append(runs, td(fmt.Sprintf("plies=%d/moves=%d", plies, moves), moves*times,
				fmt.Sprintf("--pieces 3 --hidden 32 --plies %d", plies)))
		}
	}
	return runs
}

// normRuns has steps of the same size times the mean norm of the inputs: of each side's numbers in hand and
// home one input is 1, and so is one for each piece on the board, in the mean half of all pieces.
func normRuns(times int64) (runs []Run) {
	for _, pieces := range []int{2, 3} {
		for _, step := range []float64{0.3, 1, 3, 10, 30} {
			rate := step / float64(4+pieces)
			runs = append(runs, td(fmt.Sprintf("pieces=%d/step=%g", pieces, step), 100_000*times,
				fmt.Sprintf("--sequential --hidden 16 --pieces %d --rate %.4f", pieces, rate)))
		}
	}
	return runs
}

func inputsRuns(times int64) (runs []Run) {
	for _, algorithm := range []struct {
		name, flags string
		rates       []float64
	}{{"", " --sequential", []float64{0.03, 0.1, 0.3, 1, 3}}, {" in batches", "", []float64{0.003, 0.01, 0.03, 0.1}}} {
		for _, inputs := range []string{"unary", "counts"} {
			for _, rate := range algorithm.rates {
				runs = append(runs, td(fmt.Sprintf("inputs=%s%s/rate=%g", inputs, algorithm.name, rate), 200_000*times,
					fmt.Sprintf("--pieces 3 --hidden 16 --inputs %s --rate %g%s", inputs, rate, algorithm.flags)))
			}
		}
	}
	return runs
}

func opponentsRuns(times int64) (runs []Run) {
	for _, opponents := range []string{"self", "pool"} {
		for _, moves := range []int64{30_000, 100_000, 300_000, 1_000_000} {
			runs = append(runs, td(fmt.Sprintf("opponents=%s/moves=%d", opponents, moves), moves*times,
				fmt.Sprintf("--pieces 3 --hidden 32 --opponents %s", opponents)))
		}
	}
	return runs
}

func speedRuns(times int64) (runs []Run) {
	for _, algorithm := range []string{"batches", "sequential"} {
		for _, units := range []int{16, 40, 80, 160} {
			flags, moves := fmt.Sprintf("--pieces 7 --hidden %d --parallel 1", units), 400_000*times
			if algorithm == "sequential" {
				flags, moves = flags+" --sequential", moves/4
			}
			runs = append(runs, td(fmt.Sprintf("algorithm=%s/units=%d", algorithm, units), moves, flags))
		}
	}
	return runs
}

func mctsRuns(times int64) (runs []Run) {
	for _, p := range []struct {
		player, spec string
		effort       []int
	}{
		{"random games", "mcts:games=%d", []int{10, 30, 100, 300, 1000}},
		{"leaf=brain", "mcts:games=%d,leaf=brain", []int{10, 30, 100, 300, 1000}},
		{"leaf=net", "mcts:games=%d,leaf=net", []int{10, 30, 100, 300, 1000}},
		{"leaf=net,c=0.1", "mcts:games=%d,leaf=net,c=0.1", []int{10, 30, 100, 300, 1000}},
		{"search,leaf=net", "search:depth=%d", []int{1, 2, 3}},
		{"search,leaf=brain", "search:depth=%d,leaf=brain", []int{1, 2, 3}},
	} {
		for _, n := range p.effort {
			runs = append(runs, Run{fmt.Sprintf("player=%s/effort=%d", p.player, n),
				fmt.Sprintf("ur regret "+p.spec+" --pieces 3 --positions %d --seed 2 --parallel 1", n, 1000*times)})
		}
	}
	return runs
}

func mctsGamesRuns(times int64) (runs []Run) {
	for _, rival := range []string{"random", "greedy", "brain"} {
		for _, games := range []int{10, 30, 100, 300, 1000} {
			runs = append(runs, Run{fmt.Sprintf("rival=%s/games=%d", rival, games),
				fmt.Sprintf("ur match mcts:games=%d %s --games %d --seed 1", games, rival, 60*times)})
		}
	}
	return runs
}

func treeGamesRuns(times int64) (runs []Run) {
	for _, games := range []int64{100, 300, 1000, 3000, 10_000} {
		runs = append(runs, Run{fmt.Sprintf("games=%d/rival=${rival}", games),
			fmt.Sprintf("ur train tree -o $WORK/study --force --games %d", min(100_000, games*times))})
	}
	return runs
}

// brainGamesRuns has the learners of brains and square values, by what they learned from.
func brainGamesRuns(times int64) (runs []Run) {
	for _, method := range []struct {
		name, flags string
		games       []int64
	}{
		{"evolve", "--rival greedy:linear", []int64{65_536, 262_144, 1_048_576, 4_194_304}},
		{"fit", "--rival greedy:linear", []int64{3_000, 10_000, 30_000}},
		{"tree", "", []int64{100, 1000, 10_000}},
	} {
		for _, games := range method.games {
			runs = append(runs, Run{fmt.Sprintf("method=%s/games=%d", method.name, games),
				strings.TrimSpace(fmt.Sprintf("ur train %s -o $WORK/study --force --pieces 3 --games %d %s", method.name,
					games*times, method.flags))})
		}
	}
	return runs
}

func mutationRuns(times int64) (runs []Run) {
	for _, exploration := range []string{"0.005", "0.02", "0.1", "1"} {
		for _, gain := range []int{5, 15, 50, 150, 500} {
			runs = append(runs, Run{fmt.Sprintf("exploration=%s/gain=%d", exploration, gain),
				fmt.Sprintf("ur train tree -o $WORK/study --force --games %d --exploration %s --gain %d",
					min(100_000, 2000*times), exploration, gain)})
		}
	}
	return runs
}

func tdURRegretRuns(times int64) (runs []Run) {
	for _, p := range [][2]string{{"TD-Ur", tdUR}, {"td-256-32", "net:results/nets/td-256-32.safetensors"}, {"net", "net"}, {"brain", "brain"}} {
		for pieces := 2; pieces <= 4; pieces++ {
			runs = append(runs, Run{fmt.Sprintf("player=%s/pieces=%d", p[0], pieces),
				fmt.Sprintf("ur regret %s --pieces %d --positions %d --seed 2", p[1], pieces, 100_000*times)})
		}
	}
	return runs
}

func tdURGamesRuns(times int64) (runs []Run) {
	for _, p := range [][2]string{{"td-256-32", "net:results/nets/td-256-32.safetensors"}, {"net", "net"}, {"brain", "brain"}} {
		for _, pieces := range []int{3, 5, 7} {
			runs = append(runs, Run{fmt.Sprintf("player=%s/pieces=%d", p[0], pieces),
				fmt.Sprintf("ur match %s %s --pieces %d --games %d --seed 1", p[1], tdUR, pieces, 2000*times)})
		}
	}
	return runs
}
