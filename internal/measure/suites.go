package main

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/reversi"
)

// levelReports measures the graded players.
func levelReports() []report {
	return []report{{command: "ur levels", list: "levels", name: "Level/level=${level}", figure: "regret", unit: regretUnit}}
}

// regretUnit is that of a regret: points of win probability.
const regretUnit = "points/decision"

// playerReports measures the regret of players that no suite of "ur bench run" measures.
func playerReports() (list []report) {
	for _, player := range []string{"random", "first", "greedy", "tree", "brain:classic", "brain"} {
		list = append(list, regretReport("Regret/player="+player, player, "--positions 2000000 --seed 2"))
	}
	return list
}

// regretReport measures the regret of a player.
func regretReport(name, player, flags string) report {
	return report{command: fmt.Sprintf("ur regret %s %s", player, flags), name: name, figure: "mean", unit: regretUnit}
}

// rulesReports measures every rule set: what happens in its games, its exact solution, the luck
// in its games and the regret of players. All but the first need the table of
// "ur solve --rules NAME".
func rulesReports() (list []report) {
	for _, r := range rules.List() {
		of := "/rules=" + r.Name()
		match := func(players, flags string) report {
			return report{command: fmt.Sprintf("ur match %s greedy --rules %s --games %s", players, r.Name(), flags),
				name: "Match" + of + "/light=" + players + "/dark=greedy", figure: "score", lo: "score_lo", hi: "score_hi", unit: "wins/game"}
		}
		list = append(list, match("greedy", "100000"), match("net", "20000 --luck"), report{
			command: fmt.Sprintf("ur table info $CACHE/%s%d.urt", r.Name(), r.Pieces()), name: "Table" + of, figure: "meta.start", unit: "wins/game",
		})
		for _, player := range []string{"random", "greedy", "net", "net@2"} {
			list = append(list, regretReport("Regret"+of+"/player="+player, player, fmt.Sprintf("--rules %s --positions 200000 --seed 2", r.Name())))
		}
	}
	return list
}

// studyReports measures settings of "ur train td".
func studyReports() []report {
	return []report{{
		command: "ur train study -o $WORK/study.jsonl --hidden 80 --lambda 0.7,0.85,0.95 --rate 0.003,0.01,0.03 --moves 2000000",
		file:    "study.jsonl", list: "curve", figure: "regret", unit: regretUnit,
		name: "Study/lambda=${point.lambda}/rate=${point.rate}/hidden=${point.hidden}/plies=${point.plies}/games=${games}",
	}}
}

// trainingReports makes the built-in weights of Reversi again, for hours.
func trainingReports() []report {
	return []report{{command: "reversi train -o $WORK/weights.bin --curve", name: "Training", figure: "rms_discs_all", unit: "discs"}}
}

// matchReports plays Reversi against programs in the path. zebra-gtp is Zebra (github.com/lk16/zebra)
// with the weights coeffs2.bin: its depth, the empty squares from which it solves, and its time.
// edax is Edax (github.com/abulmo/edax-reversi) with the weights of 11441f1 in its own form, and with
// its least time of a second a move lifted. reversi-b156a1f is command reversi of that commit.
func matchReports() (list []report) {
	const zebra = "Zebra (lk16/zebra bee2dad, weights coeffs2.bin)"
	for _, m := range []struct{ player, name, engine, flags, opponent, limits string }{
		{"search:depth=10,exact=18", "zebra", "zebra-gtp 10 18", "--games 300 --seed 1000",
			zebra, "depth 10, exact from 18 empty squares"},
		{"search:time=100ms", "zebra", "zebra-gtp 60 24 100", "--games 200 --seed 21",
			zebra, "100 ms a move"},
		{"search:time=100ms", "edax", "edax -gtp -move-time 0.1 -n-tasks 1 -book-usage off", "--games 100 --seed 22",
			"Edax (abulmo/edax-reversi 14f048c) with our weights of 11441f1, the last whose patterns it has", "100 ms a move"},
		{"search:time=100ms", "former", "reversi-b156a1f protocol gtp --player search:time=100ms", "--games 100 --seed 23",
			"`reversi` before its evaluation was learned anew (b156a1f)", "100 ms a move"},
	} {
		list = append(list, report{
			command: fmt.Sprintf("reversi match %s %s --engine 'gtp:%s' --openings random:12 %s", m.player, m.name, m.engine, m.flags),
			name:    "Match/player=" + m.player + "/opponent=" + m.name + "/seed=${seed}", note: m.opponent + "; " + m.limits,
			figure: "score", lo: "lo", hi: "hi", unit: "wins/game",
		})
	}
	return list
}

// ablationReports plays the midgame's search against itself without one technique, at the same time
// for a move.
func ablationReports() (list []report) {
	const player = "search:time=10ms"
	for _, name := range reversi.Techniques() {
		list = append(list, report{
			command: fmt.Sprintf("reversi match %s %s,without=%s --openings random:12 --games 200 --parallel 1", player, player, name),
			name:    "Ablation/without=" + name, note: "10 ms a move",
			figure: "score", lo: "lo", hi: "hi", unit: "wins/game",
		})
	}
	return append(list, report{
		command: "reversi match search:time=60ms,exact=20 search:time=60ms,exact=14 --openings random:12 --games 100 --parallel 1",
		name:    "Ablation/exact=14", note: "60 ms a move; against 20 empty squares",
		figure: "score", lo: "lo", hi: "hi", unit: "wins/game",
	})
}
