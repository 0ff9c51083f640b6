package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/maintain/trials"
	"github.com/seed-09dcdc84/ur/play"
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

// regretUnit is that of a regret: points of win probability.
const regretUnit = "points/decision"

// playerReports measures the regret of players outside the suites of "ur bench run".
func playerReports() (list []toolReport) {
	for _, player := range []string{"random", "first", "greedy", "tree", "brain:classic", "brain"} {
		list = append(list, regretReport("Regret/player="+player, player, "--positions 2000000 --seed 2"))
	}
	return list
}

// regretReport measures the regret of a player.
func regretReport(name, player, flags string) toolReport {
	return toolReport{command: fmt.Sprintf("ur regret %s %s", player, flags), name: name, figure: "mean",
		unit: regretUnit}
}

// matchReport measures the score of the first of two players.
func matchReport(name, players, flags string) toolReport {
	return toolReport{command: fmt.Sprintf("ur match %s %s", players, flags), name: name, figure: "score",
		lo: "score_lo", hi: "score_hi", unit: "wins/game"}
}

// benchReports measures a suite of "ur bench run", by parts with these flags.
func benchReports(suite string, parts ...string) (list []toolReport) {
	for _, flags := range parts {
		list = append(list, toolReport{command: strings.TrimSpace("ur bench run --record --suite " + suite + " " +
			flags), keeps: true})
	}
	return list
}

// trialReports simulates how often the verdicts of benchab are right.
func trialReports() []toolReport {
	const n = 300
	return []toolReport{{
		command: fmt.Sprintf("trials -trials %d", n), name: "${name}", figure: "rate", unit: "slower/trial",
		print:    func(out io.Writer, _ string) error { return trials.Print(out, n) },
		describe: func(row *record.Row) error { row.Samples = n; return nil },
	}}
}

// limitReports profiles every engine, and estimates its hottest loop by llvm-mca.
func limitReports() (list []toolReport) {
	for _, e := range engine.Available() {
		list = append(list, toolReport{
			command: "limits -engine " + e.Name(), name: "${name}", figure: "ghz", unit: "GHz", note: "${function}",
			print: func(out io.Writer, programs string) error {
				return printLimits(out, filepath.Join(programs, "ur"), e.Name())
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
			command: "ur bench run --count --samples 4 --benchtime 1ms --level " + scope[0], list: "rows",
			selects: func(row map[string]any) bool {
				metrics, _ := row["metrics"].(map[string]any)
				return metrics[unit] != nil
			},
			name: "${name}", figure: "metrics." + unit, unit: unit, note: "${counter}",
			// The times of a run without load are in the suite engines.
			describe: func(row *record.Row) error { row.Metrics = nil; return nil },
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
		list = append(list, match("greedy", "100000"), toolReport{
			command: "ur solve --rules " + r.Name(), name: "Table" + of, figure: "start", unit: "wins/game",
		}, match("net", "20000 --luck"))
		for _, player := range []string{"random", "greedy", "net", "net@2"} {
			list = append(list, regretReport("Regret"+of+"/player="+player, player,
				fmt.Sprintf("--rules %s --positions 200000 --seed 2", r.Name())))
		}
	}
	return list
}

// matchReports plays Reversi against programs in the path. zebra-gtp is Zebra (github.com/lk16/zebra)
// with the weights coeffs2.bin: its depth, the empty squares from which it solves, and its time.
// edax is Edax (github.com/abulmo/edax-reversi) with the weights of 11441f1 in its own form, and with
// its least time of a second a move lifted. reversi-b156a1f is command reversi of that commit.
func matchReports() (list []toolReport) {
	const zebra = "Zebra (lk16/zebra bee2dad, weights coeffs2.bin)"
	for _, m := range []struct{ player, name, engine, flags, opponent, limits string }{
		{"search:depth=10,exact=18", "zebra", "zebra-gtp 10 18", "--games 300 --seed 1000",
			zebra, "depth 10, exact from 18 empty squares"},
		{"search:time=100ms", "zebra", "zebra-gtp 60 24 100", "--games 200 --seed 21",
			zebra, "100 ms a move"},
		{"search:time=100ms", "edax", "edax -gtp -move-time 0.1 -n-tasks 1 -book-usage off", "--games 100 --seed 22",
			"Edax (abulmo/edax-reversi 14f048c) with our weights of 11441f1, the last whose patterns it has",
			"100 ms a move"},
		{"search:time=100ms", "former", "reversi-b156a1f protocol gtp --player search:time=100ms",
			"--games 100 --seed 23",
			"`reversi` before its evaluation was learned anew (b156a1f)", "100 ms a move"},
	} {
		list = append(list, toolReport{
			command: fmt.Sprintf("reversi match %s %s --engine %s='gtp:%s' --openings random:12 %s", m.player, m.name,
				m.name, m.engine, m.flags),
			name:   "Match/player=" + m.player + "/opponent=" + m.name + "/seed=${seed}",
			note:   m.opponent + "; " + m.limits,
			figure: "score", lo: "lo", hi: "hi", unit: "wins/game",
		})
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
			r.describe = func(row *record.Row) error { return describeNet(row, players[name]) }
			list = append(list, r)
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

// reversiReports measures Reversi, and plays its learned patterns against the hand-set rules.
func reversiReports() []toolReport {
	list := benchReports("reversi", "--bench ^Moves/", "--bench ^Flips/", "--bench ^Expand/", "--bench ^Value/",
		"--bench ^Perft/", "--bench ^Solve/", "--bench ^Midgame/")
	return append(list, toolReport{
		command: "reversi match search:time=50ms search:time=50ms,eval=hand --openings random:8 --games 40 --seed 1 --parallel 1",
		name:    "Match/player=search-50ms/against=hand", figure: "score", lo: "lo", hi: "hi", unit: "score/game",
	})
}

// searchReports measures the techniques of search, and its regret by depth.
func searchReports() []toolReport {
	list := benchReports("search", "--bench game=tictactoe", "--bench game=connectfour", "--bench game=ur/")
	for depth := 1; depth <= 5; depth++ {
		list = append(list, regretReport(fmt.Sprintf("Regret/game=ur/depth=%d", depth),
			fmt.Sprintf("search:depth=%d", depth),
			fmt.Sprintf("--positions %d --seed 1", 100_000>>(2*max(0, depth-3)))))
	}
	return list
}

// rounded keeps four digits behind the point.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// commitsFile has commits of public modules, one a line, chosen before they were measured, with what is known of
// them. A plant makes a commit on top of one.
const commitsFile = "maintain/records/commits.jsonl"

// publicCommit is a line of the file.
type publicCommit struct {
	Project, Commit, Truth string
	Folder                 string // of the module in the repository
	Plant                  struct{ Name, File, Find, Replace string }
}

// commitReports compares these commits with their parents in local clones, which are in the folder $CLONES under the
// names OWNER+NAME: on the machine as it is, and with a busy process on each core. Each begins without benchab's cache.
func commitReports() (list []toolReport) {
	content, _ := os.ReadFile(commitsFile) // outside of the root there are none
	for i, machine := range []string{"quiet", "busy"} {
		for line := range bytes.Lines(content) {
			var c publicCommit
			if err := json.Unmarshal(line, &c); err != nil {
				panic(fmt.Errorf("%s: %w", commitsFile, err))
			}
			at := cmp.Or(c.Plant.Name, c.Commit)
			keys := map[string]string{"machine": machine, "project": c.Project, "commit": at, "truth": c.Truth}
			list = append(list, toolReport{
				command: fmt.Sprintf("benchab %s~1 %s --seed %d", at, at, i+1), busy: machine == "busy",
				uncached: true,
				name:     fmt.Sprintf("Commit/machine=%s/project=%s/commit=%s", machine, c.Project, at),
				silent:   `{"seconds": 60, "verdict": "undecided", "load": [0, 0], "benchmarks": {"reached": 0, "judged": 0}}`,
				figure:   "seconds", unit: "s", note: "${verdict}", folder: c.clone,
				describe: func(row *record.Row) error {
					m := row.Metrics
					row.Keys = keys
					row.Metrics = map[string]float64{"reached": m["benchmarks.reached"],
						"judged": m["benchmarks.judged"],
						"load":   rounded(max(m["load.0"], m["load.1"]))}
					return nil
				},
			})
		}
	}
	return list
}

// clone returns the folder of the module, with the planted commit in a clone of its own.
func (c publicCommit) clone(work string) (string, error) {
	source := filepath.Join(os.Getenv("CLONES"), strings.ReplaceAll(c.Project, "/", "+"))
	if c.Plant.Name == "" {
		return filepath.Join(source, c.Folder), nil
	}
	folder := filepath.Join(work, "planted", c.Plant.Name)
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	cloned := abtest.Git(".", "clone", "-q", source, folder)
	if err := cmp.Or(cloned, abtest.Git(folder, "checkout", "-q", c.Commit)); err != nil {
		return "", err
	}
	file := filepath.Join(folder, c.Plant.File)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), c.Plant.Find); n != 1 {
		return "", fmt.Errorf("%s: %d times %q (want 1)", file, n, c.Plant.Find)
	}
	planted := strings.Replace(string(text), c.Plant.Find, c.Plant.Replace, 1)
	err = os.WriteFile(file, []byte(planted), 0o666)
	return folder, cmp.Or(err, abtest.Git(folder, "commit", "-qam", c.Truth), abtest.Git(folder, "tag", c.Plant.Name))
}

// timedReports measures how well benchab sees a change of the timed part of benchmarks with large
// setups. It compares the commits of bench/ab/testdata/timed several times, each in a new repository:
// the timed part of its benchmarks, a sixth of their work, takes 30 % more.
func timedReports() (list []toolReport) {
	for run := 1; run <= 4; run++ {
		list = append(list, toolReport{
			command: "benchab base thirty --time 100s", list: "rows",
			name:   fmt.Sprintf("Timed/run=%d/benchmark=${name}", run),
			figure: "delta", unit: "change", note: "${verdict}", describe: describeTimed,
			selects: func(item map[string]any) bool {
				rounds, _ := item["n"].(float64)
				return rounds > 0 && item["unit"] == "sec/op"
			},
			folder: func(work string) (string, error) {
				folder := filepath.Join(work, "timed", fmt.Sprint(run))
				err := os.MkdirAll(folder, 0o777)
				return folder, cmp.Or(err, abtest.Make("bench/ab/testdata/timed", folder, "base", "thirty"))
			},
		})
	}
	return list
}

// describeTimed completes a row whose figure is the measured change: 0.05 is 5 % more time.
func describeTimed(row *record.Row) error {
	const claimed = 0.3
	m := row.Metrics
	row.Samples = int(m["n"])
	row.Median, row.Lo, row.Hi = rounded(row.Median), -1, 1e3 // ends without a bound are null
	for key, end := range map[string]*float64{"lo": &row.Lo, "hi": &row.Hi} {
		if x, ok := m[key]; ok {
			*end = rounded(x)
		}
	}
	row.Metrics = map[string]float64{"old": m["old"], "new": m["new"], "claimed": claimed,
		"load": rounded(max(m["load.0"], m["load.1"])), "seconds": rounded(m["seconds"])}
	return nil
}
