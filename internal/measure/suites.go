package main

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board/rules"
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

// matchReports plays Reversi against Zebra (github.com/lk16/zebra) with the weights coeffs2.bin,
// as the program zebra-gtp in the path.
func matchReports() (list []report) {
	const zebra = "Zebra (lk16/zebra bee2dad, weights coeffs2.bin)"
	for _, m := range []struct{ player, engine, flags, limits string }{
		{"search:depth=10,exact=18", "10 18", "--games 72", "depth 10, exact from 18 empty squares"},
		{"search:depth=10,exact=18", "10 18", "--games 100 --seed 100", "depth 10, exact from 18 empty squares"},
		{"search:time=100ms,exact=20", "60 24 100", "--games 60 --seed 21", "100 ms of CPU time a move, with clocks patched to count it"},
	} {
		list = append(list, report{
			command: fmt.Sprintf("reversi match %s zebra --engine 'gtp:zebra-gtp %s' %s", m.player, m.engine, m.flags),
			name:    "Match/player=" + m.player + "/opponent=zebra/seed=${seed}", note: zebra + "; " + m.limits,
			figure: "score", lo: "lo", hi: "hi", unit: "wins/game",
		})
	}
	return list
}
