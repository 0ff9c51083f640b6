package cli

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

// The commands and their flags are those of the reference: a new one needs a line here, and a reason
// why no other does it already.
func TestTree(t *testing.T) { clitest.Tree(t, Program(), tree) }

// tree is the table of [clitest.Tree].
const tree = `
play: level light dark rules pieces seed hints resume load record force ui
match: games parallel seed sprt gauntlet out resume html record force json fleet verify rules pieces engine luck table
analyze: mine game table svg html force json
puzzle: list ui
show: game json
convert: game to force
check: residual
eval: engine rules json
regret: positions all rules pieces seed table parallel json
solve: rules pieces output force values resume parallel record json
book build: output force plies margin
book learn: output force
train evolve: seed pieces start rival engine parallel pairs pair-games spread games output time until-beaten resume force curve fleet verify json
train tree: seed pieces rival engine parallel games output time until-beaten resume force curve tree-out json
train fit: seed pieces start rival engine parallel target table games output time until-beaten resume force curve fleet verify json
train td: seed rules pieces hidden activation start parallel lambda rate rate-moves epsilon plies lanes sequential games moves output time until-beaten resume force curve json
train distill: seed rules pieces hidden activation start parallel table positions rate order sharpness weight output time until-beaten resume force curve json
bench run: suite bench engine level count benchtime seed json output cpuprofile force record
bench doctor: json
bench gate: limit ignore missing undecided json
engines: verify games json
fleet work: fleet parallel
fleet status: fleet watch json
serve: addr export force host
version: json
`
