package cli

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

// The commands and their flags are those of the reference.
func TestTree(t *testing.T) { clitest.Tree(t, Program(), tree) }

// tree is the table of [clitest.Tree].
const tree = `
play: black white hints record force seed
match: games parallel seed sprt gauntlet out html record force json fleet verify openings time clock engine
perft: generator convention board side json
eval: json
solve: json all-moves selective threads
train: output force folder games seed threads wthor curve json
book build: games player discs curious seed
book learn:
protocol: player ponder
`

func TestWrongInputs(t *testing.T) { clitest.WrongInputs(t, Program(), wrongInputs) }

// Three wrong values of every flag are refused.
func TestWrongValues(t *testing.T) {
	clitest.WrongValues(t, Program(), map[string]string{
		"":      "play --black greedy --white random --seed 1 --record GAME.txt",
		"match": "greedy random --games 2", "perft": "1", "eval": "greedy", "book build": "x.book",
		"book learn": "GAME.txt GAME.txt", "protocol": "gtp", "train": "-o x.bin --games 1",
	}, "match --out")
}

// wrongInputs are command lines with a mistake, as [clitest.WrongInputs] wants them.
const wrongInputs = `
bogus
plya
--bogus
play extra
play --black nobody
play --level 0
play --bogus
match
match random
match random nobody
match human greedy
match random random --games 0
match random random --games -1
match random random --games x
match random random --games 3
match random random --openings NONE
match random random --openings random:x
match random random --clock x
match random random --time 0
match random random --sprt x
match random --engine x:y
match random --engine gtp:
match level:0 random
match level:99 random
match random nobody greedy
perft
perft x
perft -1
perft 121
perft 3 extra
perft 3 --generator bogus
perft 3 --convention Z
perft 3 --board x --side X
perft 3 --board x
perft 3 --side Q
eval
eval nobody
eval random
eval level:1 extra
solve extra
solve
solve --threads -1
solve --selective 0
solve --selective 101
train --games 0
train -o ''
train -o FOLDER
train -o EMPTY
book bogus
book build
protocol bogus
completion bogus
help bogus
`
