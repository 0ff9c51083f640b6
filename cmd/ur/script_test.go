package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	urcli "github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// TestMain lets the tests start "ur" and a NATS server as processes, which are the test binary itself.
func TestMain(m *testing.M) {
	testscript.Main(sandbox.Wrap(m), map[string]func(){"ur": main, "nats-server": natsServer})
}

// natsServer is the program "nats-server STORE ADDRESS".
func natsServer() {
	if _, err := fleettest.Start(os.Args[1], os.Args[2]); err != nil {
		panic(err)
	}
	select {}
}

// TestScripts runs the scripts under testdata/script, which use the command line as a user does. The
// scripts have these commands besides those of testscript: "code N ur ..." is exec with the exit
// code N; "full ur ..." is exec on a full disk; "line NAME FILE" waits for a line in a file, which a
// command in the background writes, and sets an environment variable to the first; "until TEXT ur ..."
// repeats a command until its output matches a regular expression; "nats NAME [TOKEN]" runs a NATS server. The condition
// [engine:NAME] holds if this build has the engine, whether or not it can run on this CPU.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *testkit.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           hasEngine,
		Setup:               emptyCache,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": clitest.ExecWithCode, "full": clitest.ExecOnFullDisk, "line": waitForLine,
			"until": execUntil, "nats": fleettest.Script,
		},
	})
}

// emptyCache gives a script an empty home, so that it finds no table of the user who runs the
// tests. On Linux the cache is the folder "cache".
func emptyCache(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	env.Setenv("LocalAppData", filepath.Join(env.WorkDir, "cache"))
	return nil
}

// hasEngine is the condition [engine:NAME].
func hasEngine(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "engine:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	_, err := engine.Lookup(name)
	return err == nil, nil
}

// patience limits the wait for work in the background: far longer than it takes on a busy machine.
const patience = time.Minute

// waitFor waits until a condition holds.
func waitFor(ts *testscript.TestScript, condition string, holds func() bool) {
	for begin := time.Now(); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > patience {
			ts.Fatalf("%s: not within %v", condition, patience)
		}
	}
}

// waitForLine sets an environment variable to the first line of a file once there is one.
func waitForLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: line NAME FILE")
	}
	waitFor(ts, "a line in "+args[1], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[1]))
		line, _, whole := strings.Cut(string(text), "\n")
		if err == nil && whole {
			ts.Setenv(args[0], line)
		}
		return err == nil && whole
	})
}

// execUntil repeats a command until its output matches.
func execUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT program [args...]")
	}
	want := regexp.MustCompile("(?m)" + args[0])
	waitFor(ts, args[0]+" from "+strings.Join(args[1:], " "), func() bool {
		ts.Check(ts.Exec(args[1], args[2:]...))
		return want.MatchString(ts.ReadFile("stdout"))
	})
}

func TestWrongInputs(t *testing.T) { clitest.WrongInputs(t, urcli.Program(), wrongInputs) }

// Three wrong values of every flag are refused.
func TestWrongValues(t *testing.T) {
	clitest.WrongValues(t, urcli.Program(), map[string]string{
		"":      "play --light first --dark first --seed 1 --pieces 1 --record GAMES.jsonl",
		"match": "first random --games 2", "analyze": "GAMES.jsonl", "show": "GAMES.jsonl",
		"convert": "GAMES.jsonl out.rgn", "check": "GAMES.jsonl",
		"eval": "net", "regret": "random", "book build": "net", "book learn": "NONE GAMES.jsonl",
		"solve": "--pieces 1 --force",
	}, "match --out", "serve --host", "serve --export")
}

// The commands and their flags are those of the reference: a new one needs a line here, and a reason
// why no other does it already.
func TestTree(t *testing.T) { clitest.Tree(t, urcli.Program(), tree) }

// tree is the table of [clitest.Tree].
const tree = `
play: level light dark rules pieces seed hints resume load record time force ui
match: games parallel seed sprt gauntlet out html record force json fleet verify rules pieces engine time luck
analyze: mine game svg force json
puzzle: list ui
show: game
convert: game to force
check: residual
eval: engine rules json
regret: positions all rules pieces seed table parallel json time
solve: rules pieces output force values resume parallel json
book build: output force plies margin
book learn: output force
train evolve: seed pieces start rival parallel pairs pair-games spread games output time resume force curve fleet verify
train tree: seed pieces rival parallel games output time resume force curve tree-out
train fit: seed pieces start rival parallel target games output time resume force curve
train td: seed rules pieces hidden start parallel lambda rate rate-moves epsilon plies lanes sequential games moves output time resume force curve
train distill: seed rules pieces hidden start parallel positions rate order sharpness weight output time resume force curve
bench run: suite bench engine level count samples benchtime seed json output cpuprofile force record
bench doctor:
engines: verify games json
fleet work: fleet parallel
fleet status: fleet watch json
serve: addr export force host
version:
`

// wrongInputs are command lines with a mistake, as [clitest.WrongInputs] wants them.
const wrongInputs = `
bogus
plya
--bogus
play extra
play --level 0
play --level 11
play --level 3 --dark net
play --light nobody
play --dark level:11
play --dark net@
play --dark net@99
play --dark net:NONE
play --dark brain:NONE
play --dark brain:EMPTY
play --dark perfect:NONE
play --dark search:depth=0
play --dark search:bogus=1
play --dark search:time=0
play --dark tree:NONE
play --pieces 0
play --pieces 8
play --rules bogus
play --rules EMPTY
play --rules GARBAGE
play --load NONE
play --load GARBAGE
play --resume
play --resume --load EMPTY
play --ui reader
play --record x.bogus
play --record EMPTY
serve extra
serve --addr :99999
serve --host http://ur.example
serve --export EMPTY
serve --force
serve --export x --addr 127.0.0.1:0
match
match brain
match brain human
match brain greedy --games 0
match brain greedy --games -1
match brain greedy --parallel -1
match brain greedy --engine bogus
match brain greedy --rules blitz --engine bits/scalar
match brain greedy --pieces 9
match brain greedy --sprt x
match brain greedy --record x.bogus
match brain greedy --fleet x
match brain greedy first --games 3
match brain greedy --out EMPTY
match brain brain first
match brain: greedy
analyze
analyze NONE
analyze GARBAGE
analyze FOLDER
analyze EMPTY --from bogus
analyze EMPTY --game -2
puzzle extra
puzzle 28
puzzle 1 2
show
show NONE
show EMPTY
show GARBAGE
show NONE EMPTY
show brain --game 1
convert
convert NONE out.rgn
convert EMPTY out.rgn
convert GARBAGE out.bogus
convert GARBAGE out.urt --to bogus
convert EMPTY out.rgn --game 0
check
analyze --mine EMPTY
eval
eval random
eval net extra
eval brain:NONE
eval brain:GARBAGE
eval brain --engine bogus
eval net --engine bits/scalar
eval search:depth=0
eval search:depth=2,leaf=bogus
book
book build
book build net -o x
book build -o x --plies 0
book learn
book learn NONE NONE -o x
book learn EMPTY GARBAGE -o x
solve extra
solve --pieces 0
solve --pieces 8
solve --pieces 2 -o EMPTY
regret
regret nobody
regret brain extra
regret brain --positions 0
regret brain --rules blitz
train
train bogus
train evolve --parallel -1 -o x.txt
train td --moves 100 -o EMPTY
train td --hidden 0 -o x.safetensors
train td --lambda 2 -o x.safetensors
train td --resume
train fit --pieces 9 -o x.txt
net
engines bogus
engines --verify --games 0
bench
bench run --suite bogus
bench run --engine bogus
bench run --engine '[' 
bench run --benchtime 0
bench run -o EMPTY
bench doctor extra
fleet
fleet work
fleet work --fleet x
fleet work --fleet nats://127.0.0.1:1 --parallel -1
fleet status
version extra
completion bogus
help bogus
`
