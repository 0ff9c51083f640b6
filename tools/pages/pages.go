package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// piecewise matches the engines whose values go from piece to piece, the oracle and the fastest others.
const piecewise = "board=(array16/eval=(scalar|zeroskip|avx2)|rows/eval=scalar|bits/eval=(scalar|table))"

// Columns of several tables.
var (
	regret  = column{"regret", figure("%.3f")}
	optimal = column{"optimal, %", formatted("%.1f", scaled(100, metric("optimal")))}
	games   = column{"games", formatted("%.0f", metric("games"))}
	nodes   = metric("nodes/pass")
)

// steps are the engines of the short ladder: the definition, and after it the fastest of each
// idea.
const steps = `^Game/board=(array16/eval=scalar|bits/eval=(scalar|incremental)|squares/eval=avx2|lanes/eval=avx512)$`

// tables are the tables of all pages. A new table is an entry here, and its marks on the page.
var tables = []table{
	newTable("README.md", "steps", "engines", steps, []column{
		{"engine", func(row line) string { return row.Engine }},
		{"us/game", figure("%s")},
		{"games/s", func(row line) string { return text.Count(bench.GamesPerSecond(row.Median)) }},
		{"speedup", func(row line) string { return text.Times(row.Ratio) }},
	}).byMachine(),

	newTable("README.md", "report", "timed", `/run=4/benchmark=timed\.(Plain|Reset|StopLong)$`, []column{
		{"benchmark", key("benchmark")}, {"old", seconds("old")}, {"new", seconds("new")},
		{"change, %", change},
		{"rounds", func(row line) string { return fmt.Sprint(row.Samples) }}, {"verdict", note},
	}).byMachine(),
	newTable("README.md", "strength", "nets", `^Regret/net=(distill-4|brain|distill-32|built-in)/plies=1$`, []column{
		{"player", key("net")}, {"weights", count("weights")}, {"regret", figure("%.4f")}, optimal,
		{"ns a decision", netTime},
	}).sortBy(metric("weights")),

	newTable("docs/ladder.md", "ladder", "engines", "", nil).byMachine().endWith(legend(record.Legend + enginesLegend)),
	newTable("docs/ladder.md", "moves", "moves", "^Moves/", turnParts).byMachine(),
	newTable("docs/ladder.md", "pieces", "pieces", piecewise+"/pieces=1$", []column{
		{"engine", func(row line) string { return row.Keys["board"] + "/" + row.Keys["eval"] }},
		{"1 piece", figure("%s")}, ofPieces(4), ofPieces(7), ofPieces(10),
	}).byMachine(),
	newTable("docs/ladder.md", "scaling", "scaling", "", nil).byMachine().endWith(legend(scalingLegend)),

	newTable("docs/search.md", "depths", "search", "^Regret/",
		[]column{{"depth in plies", key("depth")}, {"regret", figure("%.4f")}, optimal}).sortBy(searchDepth),
	newTable("docs/search.md", "growth", "growth", "", []column{
		{"game", key("game")}, {"moves", formatted("%.1f", metric("moves"))}, {"plies of a game", formatted("%.0f", metric("plies"))},
		{"lines to a depth", count("leaves")}, {"depth", formatted("%.0f", metric("depth"))}, {"growth, n^d", figure("%.1f")},
	}),
	newTable("docs/search.md", "horizon", "search", "^Horizon/", []column{
		{"plies", key("depth")}, {"search", technique}, {"nodes", count("nodes/search")},
		{"right moves, %", formatted("%.0f", metric("right-%"))}, {"us a search", measured},
	}),
	newTable("docs/search.md", "tables", "search", "^Table/", []column{
		{"table", technique}, {"nodes", count("nodes/search")}, {"hits", count("hits/search")},
		{"misses", count("misses/search")}, {"collisions", formatted("%.3g", metric("collisions/search"))},
		{"us a search", measured},
	}),
	newTable("docs/search.md", "kept", "search", "^Game/", []column{
		{"search of one game's decisions", technique}, {"nodes", count("nodes/search")}, {"hits", count("hits/search")},
		{"us a search", measured}, {"time to best", ratio},
	}),
	newTable("docs/search.md", "books", "search", "^Book/", []column{
		{"player", key("player")}, games, {"Elo against none", elo},
	}),
	newTable("docs/search.md", "lookups", "lookups", "", []column{{"value of a position by", key("from")}, {"ns", measured}}),
	searches("tictactoe", "Tic-tac-toe from the empty board to its end").byMachine(),
	searches("connectfour", "Connect four, three positions after fourteen moves, solved",
		column{"windows repeated", formatted("%.3g", metric("researches/search"))}),
	searches("ur", "Ur, decisions at depth 3, in the last row at depth 6"),

	newTable("docs/solve.md", "solve", "solve", "", []column{
		{"rule set", key("rules")}, {"pieces", key("pieces")}, {"positions", count("positions")},
		{"who begins wins, %", formatted("%.10f", scaled(100, metric("start")))},
		{"residual", formatted("%.1e", metric("residual"))},
		{"threads", formatted("%.0f", metric("threads"))}, {"s", figure("%s")},
		{"memory, GB", formatted("%.2f", scaled(1e-9, metric("peak_bytes")))}, {"machine", func(row line) string { return processor(row.Row) }},
	}),

	newTable("docs/learning.md", "players", "players", "", []column{
		{"player", key("player")}, {"origin", origin}, regret, optimal, {"decisions", count("decisions")},
		{"CPU us a decision", formatted("%s", scaled(1e6, per(metric("cpu_seconds"), metric("decisions"))))},
	}).sortBy(func(row record.Row) float64 { return -row.Median }),
	newTable("docs/learning.md", "nets", "nets", "^Regret/.*/plies=1$", []column{
		{"net", key("net")}, {"weights", count("weights")}, {"regret, 1 ply", figure("%.4f")},
		{"2 plies", at("Regret/net=${net}/plies=2", figure("%.4f"))}, optimal, {"ns a decision", netTime},
		{"source", source},
	}).sortBy(metric("weights")),

	newTable("docs/play.md", "effects", "rules", "^Match/.*light=greedy", []column{
		{"rule set", key("rules")},
		{"turns", perGame("turns")}, {"captures", perGame("captures")}, {"to rosettes", perGame("rosettes")},
		{"passes", perGame("passes")},
		{"light wins, %", formatted("%.1f", scaled(100, per(metric("light_wins"), metric("games"))))},
		{"of perfect games", at("Table/rules=${rules}", formatted("%.10f", scaled(100, median)))},
		{"luck, %", at("Match/rules=${rules}/light=net/dark=greedy", formatted("%.0f", luck))},
		{"regret of random", at("Regret/rules=${rules}/player=random", figure("%.3f"))},
		{"of greedy", at("Regret/rules=${rules}/player=greedy", figure("%.3f"))},
		{"of net", at("Regret/rules=${rules}/player=net", figure("%.3f"))},
		{"of net@2", at("Regret/rules=${rules}/player=net@2", figure("%.3f"))},
	}),

	newTable("docs/learning.md", "levels", "levels", "^Level/", []column{
		{"level", key("level")}, {"temperature", temperature}, regret, optimal,
		{"score against the next, %", nextScore},
	}),

	simulated("one", 1),
	simulated("twenty", 20),
	lateWork(),
	newTable("docs/ab-validation.md", "late", "late", "", []column{
		{"kind", key("kind")}, {"slower code runs", aboutLate},
		{"go test, new/old", formatted("%.2f", median)}, {"benchab", note},
		{"seconds", formatted("%.0f", metric("seconds"))},
	}),
	commits, releases,
	newTable("docs/ab-validation.md", "timed", "timed", "/run=4/", []column{
		{"benchmark", key("benchmark")}, {"change, %", change}, {"load", formatted("%.0f", metric("load"))},
	}),

	newTable("docs/reversi.md", "generators", "reversi",
		"^Moves/generator=(array|shift|koggestone|rays|lanes)", []column{
			{"generator", generator}, {"ns a list of moves", measured},
			{"ns a flip", at("Flips/generator=${generator}", measured)},
			{"ns a child expanded", at("Expand/generator=${generator}", measured)},
			{"perft 9, s", at("Perft/depth=9/generator=${generator}", measured)},
		}),
	newTable("docs/reversi.md", "perft", "reversi", "^Perft/depth=11/generator=", []column{
		{"perft", key("depth")}, {"generator", generator}, {"s", measured},
		{"million leaves a second", formatted("%.0f", scaled(1e-6, per(nodes, median)))},
	}),
	newTable("docs/reversi.md", "values", "reversi", "^Value/",
		[]column{{"evaluation", rest("Value/")}, {"ns", measured}}),
	newTable("docs/reversi.md", "match", "reversi", "^Match/", []column{
		{"match", rest("Match/")}, games, {"score, %", percent},
		{"discs a game", formatted("%+.1f", metric("discs"))}, {"Elo", elo},
	}),
	newTable("docs/reversi.md", "archive", "reversi", "^Archive/", []column{
		{"weights from games of an archive", key("games")}, {"against", key("against")}, {"games", formatted("%.0f", metric("games"))},
		{"score, %", percent}, {"discs a game", formatted("%+.1f", metric("discs"))}, {"Elo", elo},
	}),
	newTable("docs/reversi.md", "solve", "reversi", "^Solve/.*/eval=", []column{
		{"FForum positions", rest("Solve/")}, {"s", measured}, {"million nodes", formatted("%s", scaled(1e-6, nodes))},
		{"million nodes a second", formatted("%.1f", scaled(1e-6, per(nodes, median)))},
	}),
	newTable("docs/reversi.md", "ablation", "reversi", "^Solve/set=40/without=", []column{
		{"without", key("without")}, {"nodes, times", over("Solve/set=40/eval=learned", nodes)},
		{"time, times", over("Solve/set=40/eval=learned", median)},
	}),
	newTable("docs/reversi.md", "opponents", "reversi-matches", "", []column{
		{"opponent and limits", note}, games, {"our score, %", percent},
		{"discs a game", formatted("%+.1f", metric("discs"))},
		{"command", func(row line) string { return "`" + row.Provenance.Command + "`" }},
	}),
	newTable("docs/reversi.md", "training", "reversi-training", "", []column{
		{"games of the last round", formatted("%.0f", metric("games"))}, {"error, discs", figure("%s")},
		{"at 28 to 31 discs", formatted("%s", metric("rms_discs.6"))},
		{"at 56 to 59", formatted("%s", metric("rms_discs.13"))},
		{"fewer games", count("curve.0.games")}, {"their error", formatted("%s", metric("curve.0.rms_discs"))},
	}),
}

// searchDepth is the depth of a search.
func searchDepth(row record.Row) float64 {
	depth, err := strconv.Atoi(row.Keys["depth"])
	if err != nil {
		return math.NaN()
	}
	return float64(depth)
}

// searches is the table of the techniques of search in a game, with more columns behind the nodes.
func searches(game, title string, more ...column) table {
	columns := append([]column{{"search", technique}, {"nodes", count("nodes/search")}}, more...)
	t := newTable("docs/search.md", "search", "search", "^Search/game="+game+"/", append(columns,
		column{"us a search", measured}, column{"time to best", ratio}, column{"", worth}))
	t.title = "\n### " + title
	return t
}

// ofPieces is the time of a value with some pieces on the board.
func ofPieces(n int) column {
	return column{fmt.Sprint(n, " pieces"),
		at(fmt.Sprintf("Value/board=${board}/eval=${eval}/pieces=%d", n), figure("%s"))}
}

func perGame(unit string) cell { return formatted("%.1f", per(metric(unit), metric("games"))) }

// luck is the share of the variance of a match explained by its luck, in per cent.
func luck(row record.Row) float64 {
	share := row.Metrics["luck.std_err"] / row.Metrics["luck.raw_std_err"]
	return 100 * (1 - share*share)
}

// change prints a relative change with its interval, in per cent.
func change(row line) string {
	return fmt.Sprintf("%+.1f [%+.1f…%+.1f]", 100*row.Median, 100*row.Lo, 100*row.Hi)
}

// source is the origin of a net, without the words shared by all commands.
func source(row line) string {
	command, isOurs := strings.CutPrefix(row.Note, "ur train ")
	if !isOurs {
		return command
	}
	return "`" + strings.NewReplacer(" --seed 1", "", " --time 0", "").Replace(command) + "`"
}

// seconds prints a metric as a time.
func seconds(name string) cell {
	return func(row line) string { return report.Figure(metric(name)(row.Row), report.TimeUnit) }
}

// generator returns the name of a move generator as the program has it. The name of a row cannot contain a slash.
func generator(row line) string { return strings.ReplaceAll(row.Keys["generator"], "-", "/") }

// technique describes the configuration of a search.
func technique(row line) string {
	switch with, without := row.Keys["with"], row.Keys["without"]; {
	case with != "":
		return "with " + with
	case without == "all":
		return row.Keys["algorithm"]
	case without == "none":
		return "**best " + row.Keys["algorithm"] + "**"
	default:
		return "without " + without
	}
}

// worth marks a technique that costs more than it saves.
func worth(row line) string {
	with, without := row.Keys["with"], row.Keys["without"]
	if with != "" && row.RatioLo > 1 || with == "" && without != "all" && without != "none" && row.RatioHi < 1 {
		return "costs more"
	}
	return ""
}

// elo prints the Elo of a match with its interval, whose ends may be infinite.
func elo(row line) string {
	if _, ok := row.Metrics["elo"]; !ok {
		return ""
	}
	text := fmt.Sprintf("%+.1f", row.Metrics["elo"])
	if lo, hi := row.Metrics["elo_lo"], row.Metrics["elo_hi"]; hi > lo {
		text += fmt.Sprintf(" [%+.1f…%+.1f]", lo, hi)
	}
	return text
}

// origins describe the players of the table.
var origins = map[string]string{
	"random":        "any move",
	"first":         "the first move of the list",
	"greedy":        "captures, then rosettes, then progress",
	"tree":          "`ur train tree`: the worth of a piece on each square, from games of 4 pieces",
	"brain:classic": "set by hand",
	"brain":         "`ur train fit --games 1500000`: its choices fitted to the exact solution",

	"net":                            "the built-in net, at 1 ply",
	"search:depth=2":                 "a search with the built-in net",
	"search:depth=3":                 "a deeper search with the built-in net",
	"mcts:games=100":                 "UCT by 100 random games",
	"mcts:games=1000":                "UCT by 1,000 random games",
	"mcts:games=1000,leaf=net,c=0.1": "UCT with the built-in net at its 1,000 leaves",
}

func origin(row line) string { return origins[row.Keys["player"]] }

// netTime is the time of a decision of a net on its fastest engine.
func netTime(of line) string {
	fastest := math.Inf(1)
	for _, row := range of.all {
		if strings.HasPrefix(row.Name, "NetDecision/") && row.Keys["net"] == of.Keys["net"] {
			fastest = min(fastest, row.Median)
		}
	}
	if math.IsInf(fastest, 1) {
		return ""
	}
	return fmt.Sprintf("%.0f", fastest)
}

// temperature is that of a level in this tree.
func temperature(row line) string {
	var number int
	if _, err := fmt.Sscan(row.Keys["level"], &number); err != nil || number >= play.MaxLevel {
		return "perfect"
	}
	return fmt.Sprint(play.Temperature(number))
}

// nextScore is the score of a level against the next one.
func nextScore(row line) string {
	begin := "Match/players=level:" + row.Keys["level"] + ","
	for _, match := range row.all {
		if strings.HasPrefix(match.Name, begin) {
			return percent(line{match, nil})
		}
	}
	return ""
}

// readResults reads all records of a checkout. A record that is missing or cannot be read is
// an error. Times without counts get those of the suite instructions: counts do not depend on the
// machine.
func readResults(root string) ([]record.Row, error) {
	rows, err := record.Read(filepath.Join(root, "results"))
	if err == nil {
		err = record.MarkStale(filepath.Join(root, "results"), rows)
	}
	counts := record.Suite(rows, "instructions")
	for i := range rows {
		if count := find(counts, rows[i].Name); rows[i].Suite == bench.EnginesSuite && count.Unit != "" &&
			rows[i].Metrics[count.Unit] == 0 {
			rows[i].SetMetric(count.Unit, count.Median)
		}
	}
	return rows, err
}

// legend explains a table of "ur bench run".
func legend(text string) func([]record.Row) string { return func([]record.Row) string { return text } }
