package main

import "io"

// schemas are the JSON objects of the reference: each is a block of docs/json.md, made from a
// struct and its comments.
var schemas = []struct{ name, folder, structure string }{
	{"ur.match/1", "cmd/ur/internal/playcmd", "matchReport"},
	{"ur.tournament/1", "play", "TournamentReport"},
	{"ur.levels/1", "cmd/ur/internal/playcmd", "levelsReport"},
	{"ur.mine/1", "cmd/ur/internal/playcmd", "mineReport"},
	{"ur.analysis/1", "play/analysis", "Game"},
	{"ur.puzzle/1", "play/puzzle", "Puzzle"},
	{"ur.game/1", "play/record", "line"},
	{"ur.regret/1", "cmd/ur/internal/solvecmd", "regretReport"},
	{"ur.solve/1", "cmd/ur/internal/solvecmd", "solveReport"},
	{"ur.table/1", "cmd/ur/internal/solvecmd", "tableReport"},
	{"ur.table.verify/1", "cmd/ur/internal/solvecmd", "tableVerification"},
	{"ur-table-get", "cmd/ur/internal/solvecmd", "getAnswer"},
	{"ur.brain/1", "cmd/ur/cli", "brainReport"},
	{"ur.verify/1", "cmd/ur/cli", "verifyReport"},
	{"ur.version/1", "cmd/ur/cli", "version"},
	{"ur-engines-list", "cmd/ur/cli", "engineEntry"},
	{"ur-eval", "cmd/ur/cli", "evalAnswer"},
	{"ur-search", "cmd/ur/internal/searchcmd", "answer"},
	{"ur-search-rules", "cmd/ur/internal/searchcmd", "ruledAnswer"},
	{"ur.search.algorithms/1", "cmd/ur/internal/searchcmd", "algorithmList"},
	{"ur.train/1", "cmd/ur/internal/traincmd", "trainReport"},
	{"ur.study/1", "train", "studyHeader"},
	{"ur-study-result", "train", "StudyResult"},
	{"ur.net-info/1", "cmd/ur/internal/traincmd", "netReport"},
	{"ur.fleet/1", "fleet", "Status"},
	{"ur.bench/2", "internal/experiment", "Results"},
	{"ur-bench-row", "internal/experiment", "Row"},
	{"ur.record/1", "internal/bench/record", "file"},
	{"ur.profile/1", "internal/profile", "Profile"},
	{"ur.ab/2", "bench/ab", "Report"},
	{"ur.gate/1", "bench/compare", "Report"},
	{"ur.history/1", "cmd/ur/internal/benchcmd", "historyJSON"},
	{"ur.compare/1", "bench/compare", "comparisonJSON"},
	{"ur.doctor/1", "internal/bench/doctor", "Report"},
	{"ur.web-game/1", "web/internal/game", "View"},
	{"ur.web-hints/1", "web/internal/game", "Hints"},
	{"ur.web-puzzles/1", "web/internal/game", "Puzzles"},
	{"ur.web-text/1", "web/internal/game", "Text"},
	{"ur.web-about/1", "web/internal/game", "About"},
	{"ur.web-friend/1", "web/internal/friend", "State"},
	{"ur.web-runs/1", "web/internal/live", "News"},
	{"ur.web-begun/1", "web", "begun"},
	{"ur.web-ladder/1", "web", "Ladder"},
	{"reversi.match/1", "cmd/reversi/cli", "matchResult"},
	{"reversi.tournament/1", "cmd/reversi/cli", "tournamentResult"},
	{"reversi.perft/1", "cmd/reversi/cli", "perftResult"},
	{"reversi.solve/1", "cmd/reversi/cli", "solveResult"},
	{"reversi.train/2", "cmd/reversi/cli", "trainResult"},
	{"reversi.version/1", "cmd/reversi/cli", "version"},
}

// schemaOf returns the name of the schema of a struct type, or "".
func schemaOf(folder, structure string) string {
	for _, x := range schemas {
		if x.folder == folder && x.structure == structure {
			return x.name
		}
	}
	return ""
}

// schemaBlocks returns the parts of the reference of JSON.
func schemaBlocks(root string) (blocks []block) {
	s := &sources{root: root, packages: map[string]*source{}}
	for _, x := range schemas {
		blocks = append(blocks, block{"docs/json.md", x.name, func(w io.Writer) error { return s.writeFields(w, x.folder, x.structure) }})
	}
	return blocks
}

// common are the meanings of names that mean the same wherever a struct does not explain them.
var common = map[string]string{
	"arch":        "architecture, as in GOARCH",
	"benchmark":   "name of the benchmark",
	"benchtime":   "wanted time of a sample",
	"board":       "position as 33 numbers",
	"capture":     "whether the move captures",
	"captures":    "number of captures",
	"commit":      "commit of the program, with +dirty for a changed work tree",
	"cpu":         "model name of the processor",
	"delta":       "relative change: 0.05 is 5 % more",
	"engine":      "name of the engine",
	"family":      "family of the processor",
	"file":        "name of the file",
	"from":        "square that the piece leaves",
	"function":    "name of the function",
	"games":       "number of games",
	"go":          "version of Go that built the program",
	"hi":          "upper bound of the 95 % confidence interval",
	"interrupted": "whether the run was interrupted",
	"kernel":      "version of the kernel",
	"level":       "level of the measurement: value, turn, game or match",
	"light_wins":  "games won by Light",
	"lo":          "lower bound of the 95 % confidence interval",
	"method":      "learning method",
	"model":       "model number of the processor",
	"n":           "number of rounds",
	"name":        "name",
	"nodes":       "number of positions visited",
	"notes":       "remarks for the user",
	"os":          "operating system, as in GOOS",
	"p":           "p-value of the change",
	"passes":      "turns without a legal move",
	"pieces":      "pieces of each player",
	"player":      "name of the player",
	"result":      "result of the game, as in records",
	"rival":       "name of the rival",
	"roll":        "roll of the dice",
	"rosette":     "whether the move ends on a rosette",
	"rosettes":    "moves that ended on a rosette",
	"samples":     "number of samples",
	"schema":      "name and version of the format",
	"score":       "score of the first player, 0 to 1",
	"seconds":     "wall-clock time",
	"seed":        "seed of all random numbers",
	"side":        "side to move, light or dark",
	"stepping":    "stepping of the processor",
	"text":        "the move in notation",
	"threads":     "number of threads",
	"to":          "square that the piece enters",
	"turns":       "throws of the dice, passes included",
	"unit":        "unit of the figures",
	"vendor":      "vendor of the processor",
	"verdict":     "result of the judgement",
}
