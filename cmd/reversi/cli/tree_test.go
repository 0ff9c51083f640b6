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
