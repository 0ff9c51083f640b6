package cli

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

func TestWrongInputs(t *testing.T) { clitest.WrongInputs(t, Program(), wrongInputs) }

// Three wrong values of every flag are refused.
func TestWrongValues(t *testing.T) {
	clitest.WrongValues(t, Program(), map[string]string{
		"":      "play --light first --dark first --seed 1 --pieces 1 --record GAMES.jsonl",
		"match": "first random --games 2", "analyze": "GAMES.jsonl", "show": "GAMES.jsonl", "convert": "GAMES.jsonl out.rgn", "check": "GAMES.jsonl",
		"eval": "net", "regret": "random", "book build": "net", "book learn": "NONE GAMES.jsonl", "bench gate": "GAMES.jsonl GAMES.jsonl",
		"solve": "--pieces 1 --force",
	}, "match --out", "serve --host", "serve --export", "solve --record")
}

// wrongInputs are command lines with a mistake, as [clitest.WrongInputs] wants them.
const wrongInputs = `
bogus
plya
--bogus
play extra
play --level 0
play --level 11
play --level x
play --level 3 --dark net
play --light nobody
play --dark level:11
play --dark level:0
play --dark level:
play --dark net@
play --dark net@0
play --dark net@99
play --dark net:NONE
play --dark net:GARBAGE
play --dark brain:NONE
play --dark brain:EMPTY
play --dark brain:FOLDER
play --dark perfect:NONE
play --dark perfect:GARBAGE
play --dark search:depth=0
play --dark search:depth=x
play --dark search:bogus=1
play --dark search:time=0
play --dark search:
play --dark greedy:NaN,1,1
play --dark tree:NONE
play --pieces 0
play --pieces 8
play --pieces x
play --seed -1
play --seed x
play --rules bogus
play --rules NONE
play --rules EMPTY
play --rules GARBAGE
play --load NONE
play --load EMPTY
play --load GARBAGE
play --load FOLDER
play --resume
play --resume --load EMPTY
play --ui
play --ui reader
play --ui full
play --record FOLDER
play --record x.bogus
play --record EMPTY
play --hints=maybe
serve extra
serve --addr x
serve --addr :99999
serve --host http://ur.example
serve --addr 127.0.0.1:x
serve --parallel -1
serve --data NONE
serve --data EMPTY
serve --results NONE
serve --export EMPTY
serve --force
serve --export x --addr 127.0.0.1:0
match
match brain
match brain nobody
match brain human
match brain greedy --games 0
match brain greedy --games -1
match brain greedy --games x
match brain greedy --games 1e9x
match brain greedy --parallel -1
match brain greedy --engine bogus
match brain greedy --rules bogus
match brain greedy --rules blitz --engine bits/scalar
match brain greedy --pieces 9
match brain greedy --sprt x
match brain greedy --record FOLDER
match brain greedy --record x.bogus
match brain greedy --fleet x
match brain greedy first --games 3
match brain greedy --out
match brain greedy --out ''
match brain greedy --out EMPTY
match brain greedy --resume
match brain brain first
match brain greedy --seed x
match brain: greedy
analyze
analyze NONE
analyze EMPTY
analyze GARBAGE
analyze FOLDER
analyze EMPTY --from bogus
analyze EMPTY --game -2
analyze EMPTY --table NONE
puzzle extra
puzzle 0
puzzle 28
puzzle x
puzzle 1 2
puzzle --ui reader
show
show NONE
show EMPTY
show GARBAGE
show FOLDER
show NONE EMPTY
show brain --game 1
convert
convert NONE
convert NONE out.rgn
convert EMPTY out.rgn
convert GARBAGE out.bogus
convert GARBAGE out.urt --to bogus
convert EMPTY out.rgn --game 0
check
analyze --mine EMPTY
eval
eval bogus
eval random
eval net extra
eval brain:NONE
eval brain:EMPTY
eval brain:GARBAGE
eval brain --engine bogus
eval net --engine bits/scalar
eval search:depth=0
eval search:nodes=0
eval search:depth=2,algorithm=bogus
eval search:depth=2,leaf=bogus
eval perfect:NONE
eval net --rules bogus
book
book bogus
book build
book build net -o x
book build -o FOLDER
book build -o x --plies 0
book build -o x --margin x
book learn
book learn NONE NONE -o x
book learn EMPTY GARBAGE -o x
solve extra
solve --pieces 0
solve --pieces 8
solve --rules bogus
solve --pieces 2 -o ''
solve --pieces 2 -o FOLDER
solve --pieces 2 -o EMPTY
regret
regret nobody
regret brain extra
regret brain --positions 0
regret brain --positions x
regret brain --pieces 0
regret brain --rules blitz
train
train bogus
train evolve --parallel -1 -o x.txt
train td --moves 100 -o EMPTY
train td --moves -1 -o x.safetensors
train td --hidden 0 -o x.safetensors
train td --lambda 2 -o x.safetensors
train td --resume
train fit --pieces 9 -o x.txt
train distill --positions 0 -o x.safetensors
net
engines bogus
engines extra
engines --verify --games 0
engines --verify --games x
bench
bench bogus
bench run --suite bogus
bench run --engine ''
bench run --engine bogus
bench run --engine '[' 
bench run --benchtime 0
bench run --benchtime -1s
bench run --benchtime x
bench run --count 0
bench run -o FOLDER
bench run -o EMPTY
bench gate NONE NONE
bench gate EMPTY EMPTY --max-regress x
bench doctor extra
fleet
fleet bogus
fleet work
fleet work --fleet x
fleet work --fleet nats://127.0.0.1:1 --parallel -1
fleet status
version extra
completion bogus
help bogus
`
