package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/tools/study"
	"github.com/seed-09dcdc84/ur/tools/trials"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// levelReports measures the regret of the graded players, and their scores against the next
// level.
func levelReports() (list []toolReport) {
	for n := 1; n <= play.MaxLevel; n++ {
		list = append(list, regretReport(fmt.Sprintf("Level/level=%d", n), fmt.Sprintf("level:%d", n),
			"--positions 100000 --seed 1"))
	}
	for n := 1; n < play.MaxLevel; n++ {
		players := fmt.Sprintf("level:%d level:%d", n, n+1)
		list = append(list, matchReport("Match/players="+strings.ReplaceAll(players, " ", ","), players,
			"--games 10000 --seed 1"))
	}
	return list
}

// regretUnit is the unit of a regret: points of win probability.
const regretUnit = "points/decision"

// playerReports measures the regret of players outside the suites of "ur bench run".
func playerReports() (list []toolReport) {
	for player, positions := range map[string]int{"random": 2_000_000, "first": 2_000_000, "greedy": 2_000_000, "tree": 2_000_000,
		"brain:classic": 2_000_000, "brain": 2_000_000, "net": 200_000, "search:depth=2": 50_000, "search:depth=3": 20_000,
		"mcts:games=100": 20_000, "mcts:games=1000": 20_000, "mcts:games=1000,leaf=net,c=0.1": 20_000} {
		r := regretReport("Regret/player="+player, player, fmt.Sprintf("--positions %d --seed 2", positions))
		r.cpu = true
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b toolReport) int { return strings.Compare(a.name, b.name) })
	return list
}

// regretReport measures the regret of a player.
func regretReport(name, player, flags string) toolReport {
	return figureReport(fmt.Sprintf("ur regret %s %s", player, flags), name, regretUnit, "mean")
}

// matchReport measures the score of the first of two players.
func matchReport(name, players, flags string) toolReport {
	return figureReport(fmt.Sprintf("ur match %s %s", players, flags), name, "wins/game", "score", "score_lo", "score_hi")
}

// workFolder is the temporary folder with the programs, as the folder of a command.
func workFolder(work string) (string, error) { return work, nil }

// bookReports plays Ur with an opening book, searched anew, against the same player without it.
func bookReports() (list []toolReport) {
	const builder = "search:depth=4"
	for depth := 1; depth <= 3; depth++ {
		player := fmt.Sprintf("search:depth=%d", depth)
		r := matchReport(fmt.Sprintf("Book/builder=%s/player=%s", builder, player), fmt.Sprintf("%s,book=ur.book %s", player, player),
			fmt.Sprintf("--games %d --seed 1", 40_000>>(2*depth)))
		r.folder = func(work string) (string, error) {
			build := exec.Command(filepath.Join(work, "ur"), "book", "build", builder, "--plies", "6", "--force",
				"-o", filepath.Join(work, "ur.book"))
			return work, build.Run()
		}
		list = append(list, r)
	}
	return list
}

// benchReports measures a suite of "ur bench run", by parts with these flags.
func benchReports(suite string, parts ...string) (list []toolReport) {
	for _, flags := range parts {
		list = append(list, toolReport{command: strings.TrimSpace("ur bench run --record --suite " + suite + " " + flags)})
	}
	return list
}

// trialReports simulates how often the verdicts of benchab are right.
func trialReports() []toolReport {
	const n = 300
	return []toolReport{{
		command: fmt.Sprintf("trials -trials %d", n), name: "${name}",
		measure: func(_ context.Context, _ string, results *record.Results) error {
			trials.Measure(n, func(name string, counts trials.Counts) {
				row := newRow(name, "slower/trial", counts["slower"]/n, counts)
				row.Samples = n
				results.Rows = append(results.Rows, row)
			})
			return nil
		},
	}}
}

// limitReports profiles every engine, and estimates its hottest loop by llvm-mca.
func limitReports() (list []toolReport) {
	for _, e := range engine.Available() {
		list = append(list, toolReport{
			command: "limits -engine " + e.Name(), name: "${name}",
			measure: func(_ context.Context, work string, results *record.Results) error {
				row, err := measureLimits(filepath.Join(work, "ur"), e.Name())
				results.Rows = append(results.Rows, row)
				return err
			},
		})
	}
	return list
}

// countReports counts the instructions of every engine.
func countReports() (list []toolReport) {
	for _, scope := range [][2]string{{"value", "eval"}, {"game", "game"}} {
		unit := record.Instructions + scope[1]
		list = append(list, toolReport{
			command: "ur bench run --count --samples 4 --benchtime 1ms --level " + scope[0], name: "${name}",
			rows: func(o object) (rows []record.Row, err error) {
				for _, item := range o.items("rows") {
					metrics, _ := item["metrics"].(map[string]any)
					if n, ok := metrics[unit].(float64); ok { // the times of a run without load are in the suite engines
						row := newRow(fmt.Sprint(item["name"]), unit, n, nil)
						row.Note = fmt.Sprint(o["counter"])
						rows = append(rows, row)
					}
				}
				return rows, nil
			},
		})
	}
	return list
}

// rulesReports measures every rule set: what happens in its games, its exact solution, the luck
// in its games and the regret of players. All but the first need the table of the second.
func rulesReports() (list []toolReport) {
	for _, r := range board.List() {
		of := "/rules=" + r.Name()
		match := func(light, flags string) toolReport {
			return matchReport("Match"+of+"/light="+light+"/dark=greedy", light+" greedy",
				fmt.Sprintf("--rules %s --games %s", r.Name(), flags))
		}
		list = append(list, match("greedy", "100000"),
			figureReport("ur solve --rules "+r.Name(), "Table"+of, "wins/game", "start"), match("net", "20000 --luck"))
		for _, player := range []string{"random", "greedy", "net", "net@2"} {
			list = append(list, regretReport("Regret"+of+"/player="+player, player,
				fmt.Sprintf("--rules %s --positions 200000 --seed 2", r.Name())))
		}
	}
	return list
}

// matchReports plays Reversi against programs in the path. zebra-gtp is Zebra (github.com/lk16/zebra)
// with the weights coeffs2.bin: its depth, the empty squares from which it solves, and its time.
// edax is Edax (github.com/abulmo/edax-reversi) with an evaluation by the built-in weights, level 60, and
// its least time of a second a move lifted. reversi-b156a1f is command reversi of that commit.
func matchReports() (list []toolReport) {
	const zebra = "Zebra (lk16/zebra bee2dad, weights coeffs2.bin)"
	for _, m := range []struct{ player, name, engine, flags, opponent, limits string }{
		{"search:depth=10,exact=18", "zebra", "zebra-gtp 10 18", "--games 300 --seed 1000",
			zebra, "depth 10, exact from 18 empty squares"},
		{"search:time=100ms", "zebra", "zebra-gtp 60 24 100", "--games 200 --seed 21",
			zebra, "100 ms a move"},
		{"search:time=100ms", "edax", "edax -gtp -move-time 0.1 -n-tasks 1 -book-usage off", "--games 200 --seed 22",
			"Edax (abulmo/edax-reversi 14f048c) with our weights of 487a68d", "100 ms a move"},
		{"search:time=100ms", "former", "reversi-b156a1f protocol gtp --player search:time=100ms",
			"--games 100 --seed 23",
			"`reversi` before its evaluation was learned anew (b156a1f)", "100 ms a move"},
	} {
		r := figureReport(fmt.Sprintf("reversi match %s %s --engine %s='gtp:%s' --openings random:12 %s", m.player, m.name,
			m.name, m.engine, m.flags), "Match/player="+m.player+"/opponent="+m.name+"/seed=${seed}", "wins/game", "score", "lo", "hi")
		list = append(list, r.describe(func(row *record.Row) error { row.Note = m.opponent + "; " + m.limits; return nil }))
	}
	return list
}

// netReports measures the decisions of nets, and the regret of the recorded and the built-in ones by 1 ply and 2.
func netReports() []toolReport {
	list := benchReports("nets", "")
	players := map[string]string{"built-in": "net", "brain": "brain"}
	files, _ := filepath.Glob("results/nets/*.safetensors") // fails for a bad pattern only
	for _, file := range files {
		players[strings.TrimSuffix(filepath.Base(file), ".safetensors")] = "net:" + file
	}
	for _, name := range slices.Sorted(maps.Keys(players)) {
		for plies := 1; plies <= 2; plies++ {
			if name == "brain" && plies == 2 {
				continue
			}
			player := players[name]
			if plies == 2 {
				player += "@2"
			}
			r := regretReport(fmt.Sprintf("Regret/net=%s/plies=%d", name, plies), player,
				fmt.Sprintf("--positions %d --seed 2", 200_000/(3*plies-2)))
			list = append(list, r.describe(func(row *record.Row) error { return describeNet(row, players[name]) }))
		}
	}
	return list
}

// describeNet adds the number of weights of a player and the way it learned.
func describeNet(row *record.Row, player string) error {
	n, _, err := valuenet.BuiltinFor(board.Finkel())
	switch file, ok := strings.CutPrefix(player, "net:"); {
	case player == "brain":
		row.Metrics["weights"], row.Note = ur.Weights, "brain_default.txt, the built-in brain"
		return nil
	case ok:
		n, err = valuenet.Open(file)
	}
	if err != nil {
		return err
	}
	q, err := valuenet.Quantise(n)
	if err != nil {
		return err
	}
	row.Metrics["weights"], row.Note = float64(q.Weights()), cmp.Or(n.Meta["learned by"], n.Meta["what"])
	return nil
}

// studyReports has the commands of all studies of learning.
func studyReports(times int64) (list []toolReport) {
	for _, s := range study.List() {
		if s.Runs == nil {
			continue
		}
		for _, r := range s.Runs(times) {
			name := fmt.Sprintf("Study/study=%s/%s", s.Name, r.Keys)
			list = append(list, toolReport{command: r.Command, name: name, cpu: true,
				rows: func(o object) ([]record.Row, error) { return studyRows(o, name, s.Figure) }})
		}
	}
	return list
}

// studyRows returns the rows of a study's figure. Numbers below others are no metrics of a study.
func studyRows(o object, name string, f study.Figure) (rows []record.Row, err error) {
	items := []object{o}
	if f.List != "" {
		items = o.items(f.List)
	}
	for _, item := range items {
		if f.Rival != "" && item["rival"] != f.Rival {
			continue
		}
		row, err := item.row(name, f.Unit, f.Paths...)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(row.Metrics, func(name string, _ float64) bool { return strings.Contains(name, ".") })
		rows = append(rows, row)
	}
	return rows, nil
}

// reversiReports measures Reversi, and plays its learned patterns against the hand-set rules.
func reversiReports() []toolReport {
	list := benchReports("reversi", "--bench ^Moves/", "--bench ^Flips/", "--bench ^Expand/", "--bench ^Value/",
		"--bench ^Perft/", "--bench ^Solve/", "--bench ^Midgame/")
	for _, m := range [][2]string{
		{"search-50ms/against=hand", "search:time=50ms search:time=50ms,eval=hand --openings random:8 --games 40 --seed 1 --parallel 1"},
		{"search-20ms/against=empty-table", "search:time=20ms search:time=20ms,without=keeping --openings random:8 --games 100 --seed 5"},
		{"search-100ms/against=no-book", "search:time=100ms search:time=100ms,book=none --openings random:4 --games 60 --seed 6"},
		{"search-20ms-ponder/against=no-ponder", "ponder search:time=20ms --openings random:8 --games 100 --seed 7 --parallel 1 " +
			"--engine ponder='gtp:./reversi protocol gtp --player search:time=20ms --ponder'"},
	} {
		r := figureReport("reversi match "+m[1], "Match/player="+m[0], "score/game", "score", "lo", "hi")
		r.folder = workFolder
		list = append(list, r)
	}
	return append(list, archiveReports()...)
}

// searchReports measures the techniques of search, and its regret by depth.
func searchReports() []toolReport {
	list := benchReports("search", "--bench game=tictactoe", "--bench game=connectfour", "--bench game=ur/")
	for depth := 1; depth <= 5; depth++ {
		list = append(list, regretReport(fmt.Sprintf("Regret/game=ur/depth=%d", depth),
			fmt.Sprintf("search:depth=%d", depth),
			fmt.Sprintf("--positions %d --seed 1", 100_000>>(2*max(0, depth-3)))))
	}
	return append(list, bookReports()...)
}
